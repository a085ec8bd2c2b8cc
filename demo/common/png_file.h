/* Pictures in files.
 *
 * SPDX-License-Identifier: MIT */
#ifndef DEMO_PNG_FILE_H
#define DEMO_PNG_FILE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* Writes width * height pixels of red, green, blue and one ignored byte as a PNG of 8-bit RGB.
 * Returns whether that worked. */
bool pngWrite(FILE *file, const uint8_t *pixels, uint32_t width, uint32_t height);

/* The same, read from a file that has just these many pixels; the caller frees them. NULL, after
 * one line on stderr, if that cannot be. */
uint8_t *pngRead(const char *path, uint32_t width, uint32_t height);

#endif
