/* Checks the content of two pictures of murcache, and that they are similar.   murcache_pictures
 * A.png B.png
 * SPDX-License-Identifier: MIT */
#include <png.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { WIDTH = 640, HEIGHT = 360, GROUND = 120 /* the first row without sky */ };

static uint8_t pixels[2][HEIGHT][WIDTH][3];

static bool readPicture(const char *path, void *into) {
    png_image image = {.version = PNG_IMAGE_VERSION};
    const bool begun = png_image_begin_read_from_file(&image, path) != 0;
    image.format = PNG_FORMAT_RGB;
    return begun && image.width == WIDTH && image.height == HEIGHT &&
           png_image_finish_read(&image, NULL, into, 0, NULL);
}

/* Statistics of a third of the picture below the horizon: colours (5 bits per channel), and numbers
 * of black, warm and cold pixels. */
typedef struct Third {
    unsigned colours, black, warm, cold;
} Third;

static Third look(uint8_t picture[HEIGHT][WIDTH][3], unsigned third) {
    bool seen[32][32][32] = {{{false}}};
    Third found = {0};
    for (unsigned y = GROUND; y < HEIGHT; ++y) {
        for (unsigned x = third * WIDTH / 3 + 1; x < (third + 1) * WIDTH / 3; ++x) {
            const uint8_t *at = picture[y][x];
            bool *is = &seen[at[0] / 8][at[1] / 8][at[2] / 8];
            found.colours += !*is;
            *is = true;
            found.black += at[0] + at[1] + at[2] == 0;
            found.warm += at[0] > at[2] + 24;
            found.cold += at[2] > at[0] + 24;
        }
    }
    printf("%u colours, %u black, %u warm, %u cold\n", found.colours, found.black, found.warm,
           found.cold);
    return found;
}

int main(int argc, char **argv) {
    bool done = argc == 3;
    for (unsigned i = 0; done && i < 2; ++i) {
        done = readPicture(argv[1 + i], pixels[i]);
        const Third cells = look(pixels[i], 0), light = look(pixels[i], 1);
        const Third lit = look(pixels[i], 2);
        done = done && cells.colours > 250 && cells.black < 1000 && light.black < 1000 &&
               lit.black < 500 && light.warm > 4000 && light.cold > 10000 && lit.warm > 1000 &&
               lit.cold > 15000 && lit.colours > light.colours; /* of 51000 pixels */
    }
    const uint8_t *a = &pixels[0][0][0][0], *b = &pixels[1][0][0][0];
    uint64_t difference = 0;
    for (size_t i = 0; i < sizeof pixels[0]; ++i) {
        difference += (uint64_t)abs(a[i] - b[i]);
    }
    printf("mean difference %.5f\n", (double)difference / (double)sizeof pixels[0]);
    return done && difference < 3 * sizeof pixels[0] ? EXIT_SUCCESS : EXIT_FAILURE;
}
