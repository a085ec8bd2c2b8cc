/* Saved worlds. Nothing of Vulkan.
 *
 * A file is little-endian words:
 *
 *     "MURW", version 4, count of bricks, count of listed bricks
 *     palette of the first reflecting colours (0: none), the origin's x, y and z
 *     256 palette entries: red, green, blue, alpha
 *     256 times a colour's emission: hundredths, power of ten   (not in version 1)
 *     mirrors: their axes, and twice where each plane is        (not in versions 1 and 2)
 *     side of the box of an empty world, 0: it was none         (not in versions 1 to 3)
 *     a brick: x, y, z, its one colour or 0       each brick once, sorted by z, then y, then x
 *     512 palette indices of each brick whose colour is 0, in the same order
 *     the checksum: 64-bit FNV-1a of all bytes before it
 *
 * Each byte before the checksum changes its state one to one, so any single changed byte is found.
 * A file is written under another name and then renamed.
 * SPDX-License-Identifier: MIT */
#ifndef MURVOXELS_SAVE_FILE_H
#define MURVOXELS_SAVE_FILE_H

#include "source.h"

#include <stdio.h>

enum { SAVE_ERROR_SIZE = 256 };

/* Writes to a file that is open. False: it could not be written. Of the world it is the bricks,
 * which must be sorted, with their colours, waterFirst, the origin, the mirrors and the box. */
bool saveWrite(FILE *file, const Source *world);
/* Reads these of a file in memory; the rest of the world is 0. If the file is invalid, all of
 * it is, and error has a message of one line without a newline. */
bool saveRead(const void *data, size_t size, Source *world, char error[SAVE_ERROR_SIZE]);
/* The same for a file on disk; the message starts with its path. */
bool saveLoad(const char *path, Source *world, char error[SAVE_ERROR_SIZE]);

#endif
