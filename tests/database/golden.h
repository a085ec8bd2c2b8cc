/* Files written by older libraries.
 * SPDX-License-Identifier: MIT */
#ifndef DATABASE_GOLDEN_H
#define DATABASE_GOLDEN_H

#include <stddef.h>
#include <stdint.h>

enum { GOLDEN_VERSIONS = 2 };

/* Returns the bytes of a file of this format version, from 1 on. The caller frees them. */
uint8_t *golden_bytes(uint32_t version, size_t *size);

#endif
