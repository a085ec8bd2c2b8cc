/* voxels_reference [--reference N[,SEED]] [--compare FILE.png] ARGUMENTS: runs murvoxels without a
 * window, with these arguments.
 *   --reference N[,SEED]  pictures are path-traced, N paths per pixel, without the cache of light
 *   --compare FILE.png    prints the difference between the last picture and FILE.png
 *
 * SPDX-License-Identifier: MIT */
#include "common/options.h"
#include "common/png_file.h"
#include "common/message.h"
#include "compare.h"
#include "reference.h"
#include "script/script.h"

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
