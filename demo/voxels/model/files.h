/* Files that are read whole, and little-endian words in them.
 * SPDX-License-Identifier: MIT */
#ifndef MURVOXELS_FILES_H
#define MURVOXELS_FILES_H

#include "common/unique_path.h"

#include <stdint.h>
#include <stdio.h>

/* The absolute path of the file itself, with links resolved. If it does not exist yet, those of its
 * folder are. */
void fileItself(const char *path, char *to, size_t size);

/* All bytes of a file of at most `most`; only its beginning, if that is not these letters. Returns
 * NULL and sets errno on failure. */
uint8_t *fileBytes(const char *path, const char *letters, size_t most, size_t *size);

uint32_t fileWord(const uint8_t *bytes);
/* A failure is the file's error. */
void fileWriteWords(FILE *file, const uint32_t *words, size_t count);

#endif
