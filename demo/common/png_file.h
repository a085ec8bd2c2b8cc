/* Pictures in PNG files.
 * SPDX-License-Identifier: MIT */
#ifndef DEMO_PNG_FILE_H
#define DEMO_PNG_FILE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* Writes a PNG with 8 bits per channel. pixels: width * height pixels of red, green, blue and a
 * fourth byte. Unless alpha is set, the fourth bytes are dropped, and the pixels are lost. Returns
 * whether it succeeded. */
bool pngWrite(FILE *file, uint8_t *pixels, uint32_t width, uint32_t height, bool alpha);

#endif
