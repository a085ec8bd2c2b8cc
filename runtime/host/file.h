/* Files that get their name only after they are complete.
 * SPDX-License-Identifier: MIT */
#ifndef MUR_FILE_H
#define MUR_FILE_H

#include <stdbool.h>
#include <stdio.h>

typedef struct MurNewFile {
    FILE *stream;
    char *temporary; /* the file's name until it is complete */
} MurNewFile;

/* Creates a temporary file in the folder of path. On failure, returns false and sets errno. */
bool mur_file_create(MurNewFile *file, const char *path);

/* Flushes the file to the disk, closes it, and renames it to path. If write is false or a step
 * fails, closes and removes it, and returns false with errno. */
bool mur_file_finish(MurNewFile *file, const char *path, bool write);

#endif
