/* Reads and compares pictures that the program has written.
 * SPDX-License-Identifier: MIT */
#ifndef MUR_TEST_SHOT_H
#define MUR_TEST_SHOT_H

#include <stdint.h>

typedef struct Shot {
    unsigned width, height;
    uint8_t *pixels; /* red, green, blue */
} Shot;

/* Reads a PNG. Its pixels are valid until the case's folder is removed. */
Shot shotRead(const char *path);
/* Returns the number of pixels with a channel that differs by more than `most`. */
unsigned shotsDiffer(const Shot *a, const Shot *b, int most);
/* Returns the number of colours. Only the upper four bits of each channel are compared. */
unsigned shotColors(const Shot *shot);

#endif
