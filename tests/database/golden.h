/* Files written by older libraries.
 *
 * SPDX-License-Identifier: MIT */
#ifndef DATABASE_GOLDEN_H
#define DATABASE_GOLDEN_H

#include <stddef.h>
#include <stdint.h>

enum { GOLDEN_VERSIONS = 2 };

/* Returns the file of a version, from 1 on. The caller frees it. */
uint8_t *golden_bytes(uint32_t version, size_t *size);

#endif
