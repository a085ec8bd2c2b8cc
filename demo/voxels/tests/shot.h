/* Pictures that the program has written.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MUR_TEST_SHOT_H
#define MUR_TEST_SHOT_H

#include <stdint.h>

typedef struct Shot {
    unsigned width, height;
    uint8_t *pixels; /* red, green, blue */
} Shot;

/* Reads a PNG; it lasts until the case's folder is removed. */
Shot shotRead(const char *path);
/* Pixels of which a channel differs by more than that; of pictures of the same size. */
unsigned shotsDiffer(const Shot *a, const Shot *b, int most);
/* Colours that differ in the upper four bits of a channel. */
unsigned shotColors(const Shot *shot);

#endif
