/* SPDX-License-Identifier: MIT */
#include "png_file.h"

#include <png.h>
#include <string.h>

bool pngWrite(FILE *file, uint8_t *pixels, uint32_t width, uint32_t height, bool alpha) {
    png_image image = {.version = PNG_IMAGE_VERSION,
                       .width = width,
                       .height = height,
                       .format = alpha ? PNG_FORMAT_RGBA : PNG_FORMAT_RGB};
    for (size_t i = 1; i < (size_t)width * height && !alpha; ++i) {
        memmove(pixels + 3 * i, pixels + 4 * i, 3);
    }
    return png_image_write_to_stdio(&image, file, 0, pixels, 0, NULL) && fflush(file) == 0;
}
