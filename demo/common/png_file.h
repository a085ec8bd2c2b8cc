/* Pictures in PNG files.
 *
 * SPDX-License-Identifier: MIT */
#ifndef DEMO_PNG_FILE_H
#define DEMO_PNG_FILE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* Writes a PNG with 8 bits per channel. pixels: width * height pixels of red, green, blue and a
 * fourth byte, which is ignored unless alpha is set. Returns whether it succeeded. */
bool pngWrite(FILE *file, const uint8_t *pixels, uint32_t width, uint32_t height, bool alpha);

/* Reads such a picture, which must have this size; the caller frees the pixels. Returns NULL after
 * one line on stderr if it fails. */
uint8_t *pngRead(const char *path, uint32_t width, uint32_t height);

#endif
