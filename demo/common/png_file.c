/* SPDX-License-Identifier: MIT */
#include "png_file.h"

#include "message.h"

#include <png.h>
#include <stdlib.h>
#include <string.h>

/* libpng reports errors by longjmp, so all variables that must survive it are parameters. */
static bool writeRows(png_structp png, png_infop info, const uint8_t *pixels, uint32_t width,
                      uint32_t height, bool alpha, png_bytep row) {
    const size_t parts = alpha ? 4 : 3;
    if (setjmp(png_jmpbuf(png))) {
        return false;
    }
    png_set_IHDR(png, info, width, height, 8, alpha ? PNG_COLOR_TYPE_RGB_ALPHA : PNG_COLOR_TYPE_RGB,
                 PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_set_compression_level(png, 9);
    png_write_info(png, info);
    for (uint32_t y = 0; y < height; ++y) {
        const uint8_t *from = pixels + 4 * (size_t)width * y;
        for (uint32_t x = 0; x < width; ++x) {
            memcpy(row + parts * x, from + 4 * (size_t)x, parts);
        }
        png_write_row(png, row);
    }
    png_write_end(png, info);
    return true;
}

static void ignoreWarning(png_structp png, png_const_charp message) {
    (void)png;
    (void)message;
}

/* The caller reports that the picture could not be written; libpng's message would be a second
 * line. */
static void onError(png_structp png, png_const_charp message) {
    (void)message;
    png_longjmp(png, 1);
}

bool pngWrite(FILE *file, const uint8_t *pixels, uint32_t width, uint32_t height, bool alpha) {
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, onError, ignoreWarning);
    png_infop info = png ? png_create_info_struct(png) : NULL;
    png_bytep row = malloc(4 * (size_t)width);
    bool written = false;
    if (info && row) {
        png_init_io(png, file);
        written = writeRows(png, info, pixels, width, height, alpha, row) && fflush(file) == 0;
    }
    png_destroy_write_struct(&png, &info);
    free(row);
    return written;
}

uint8_t *pngRead(const char *path, uint32_t width, uint32_t height) {
    png_image image = {.version = PNG_IMAGE_VERSION};
    uint8_t *pixels = NULL;
    if (!png_image_begin_read_from_file(&image, path)) {
        (void)sayError("cannot read %s: %s", path, image.message);
    } else if (image.width != width || image.height != height) {
        (void)sayError("%s has %ux%u pixels, not %ux%u", path, image.width, image.height, width,
                       height);
    } else {
        image.format = PNG_FORMAT_RGBA;
        pixels = malloc(PNG_IMAGE_SIZE(image));
        if (!pixels || !png_image_finish_read(&image, NULL, pixels, 0, NULL)) {
            (void)sayError("cannot read %s: %s", path, pixels ? image.message : "no memory");
            free(pixels);
            pixels = NULL;
        }
    }
    png_image_free(&image);
    return pixels;
}
