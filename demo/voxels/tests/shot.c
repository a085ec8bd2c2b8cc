/* SPDX-License-Identifier: MIT */
#include "shot.h"
#include "program.h"
#include "support/cases.h"

#include <stdbool.h>
#include <string.h>

#include <png.h>

Shot shotRead(const char *path) {
    png_image image = {.version = PNG_IMAGE_VERSION};
    assert_true(png_image_begin_read_from_file(&image, path));
    image.format = PNG_FORMAT_RGB;
    Shot shot = {image.width, image.height, keepUntilRemoved(PNG_IMAGE_SIZE(image))};
    assert_true(png_image_finish_read(&image, NULL, shot.pixels, 0, NULL));
    return shot;
}

unsigned shotsDiffer(const Shot *a, const Shot *b, int most) {
    unsigned different = 0;
    assert_int_equal(a->width, b->width);
    assert_int_equal(a->height, b->height);
    for (size_t i = 0; i < (size_t)a->width * a->height; ++i) {
        bool same = true;
        for (size_t channel = 0; channel < 3; ++channel) {
            same = same && abs(a->pixels[3 * i + channel] - b->pixels[3 * i + channel]) <= most;
        }
        different += !same;
    }
    return different;
}

unsigned shotColors(const Shot *shot) {
    static bool seen[1 << 12];
    unsigned different = 0;
    memset(seen, 0, sizeof seen);
    for (size_t i = 0; i < (size_t)shot->width * shot->height; ++i) {
        const uint8_t *p = shot->pixels + 3 * i;
        bool *entry = &seen[(unsigned)p[0] >> 4 << 8 | (unsigned)p[1] >> 4 << 4 | p[2] >> 4];
        different += !*entry;
        *entry = true;
    }
    return different;
}
