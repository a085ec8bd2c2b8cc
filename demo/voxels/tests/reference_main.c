/* voxels_reference [--reference N[,SEED]] [--compare FILE.png] ARGUMENTS: runs murvoxels without a
 * window, with these arguments.
 *   --reference N[,SEED]  pictures are path-traced, N paths per pixel, without the cache of light
 *   --compare FILE.png    prints the difference between the last picture and FILE.png
 *
 * SPDX-License-Identifier: MIT */
#include "common/options.h"
#include "common/message.h"
#include "compare.h"
#include "reference.h"
#include "script/script.h"

#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint32_t paths, seed;

static bool paint(Gpu *gpu, const WorldRef *world, const View *view, Picture *picture) {
    return referencePicture(gpu, world, view, paths, seed, picture);
}

static bool readPaths(const char *text) {
    const char *end;
    const bool read = optionNumber(text, &end, 1, REFERENCE_SAMPLES, &paths) &&
                      (*end == '\0' ||
                       (*end == ',' && optionNumber(end + 1, &end, 0, REFERENCE_SEEDS - 1, &seed) &&
                        *end == '\0'));
    return read || sayError("--reference wants 1 to %d paths and a seed below %d, not %s",
                            REFERENCE_SAMPLES, REFERENCE_SEEDS, text);
}

/* Reads a picture, which must have this size. Returns NULL after one line on stderr if it fails. */
static uint8_t *pngRead(const char *path, uint32_t width, uint32_t height) {
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

static bool compareWith(const char *path, const uint8_t *other, const Settings *settings) {
    uint8_t *picture = pngRead(settings->screenshot, settings->width, settings->height);
    if (picture) {
        const Difference apart = compare(picture, other,
                                         (size_t)settings->width * settings->height);
        (void)printf("compared with %s: PSNR %.2f dB, mean luminance %.4f times its, channels "
                     "differ by at most %d\n",
                     path, apart.psnr, apart.luminance, apart.most);
    }
    free(picture);
    return picture != NULL;
}

/* Reads the two options and removes them from the arguments. */
static bool takeOptions(int *argc, char **argv, const char **compared) {
    int kept = 1;
    bool right = true;
    for (int i = 1; i < *argc && right; ++i) {
        const char *value = i + 1 < *argc ? argv[i + 1] : "";
        if (strcmp(argv[i], "--reference") == 0) {
            right = readPaths(value);
            ++i;
        } else if (strcmp(argv[i], "--compare") == 0) {
            *compared = value;
            ++i;
        } else {
            argv[kept++] = argv[i];
        }
    }
    *argc = kept;
    return right;
}

int main(int argc, char **argv) {
    Settings settings;
    const char *compared = NULL;
    sayProgram("murvoxels");
    if (!takeOptions(&argc, argv, &compared) ||
        settingsRead(argc, argv, &settings) != SETTINGS_RUN) {
        return EXIT_FAILURE;
    }
    uint8_t *other = compared ? pngRead(compared, settings.width, settings.height) : NULL;
    int status = other || !compared ? scriptRun(&settings, paths ? paint : NULL) : EXIT_FAILURE;
    if (other && status == 0 && !compareWith(compared, other, &settings)) {
        status = EXIT_FAILURE;
    }
    free(other);
    return status;
}
