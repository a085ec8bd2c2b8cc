/* voxels_reference [--reference N] [--compare FILE.png] [--count] [--verify] ARGUMENTS: runs
 * murvoxels without a window, with these arguments.
 *   --reference N         pictures are path-traced, N paths per pixel, without the cache of light
 *   --compare FILE.png    prints the difference between the last picture and FILE.png
 *   --count               counts all voxels at each check of a replay and at the end: the counts of
 *                         tables and pool must agree, and the checksum with that of the check
 *   --verify              also compares all edits with a model on the CPU
 * SPDX-License-Identifier: MIT */
#include "common/options.h"
#include "common/message.h"
#include "reference.h"
#include "script/script.h"

#include <math.h>
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint32_t paths;

static bool paint(Gpu *gpu, const WorldRef *world, const View *view, Picture *picture) {
    return referencePicture(gpu, world, view, paths, picture);
}

/* ---- The witness of the run ----------------------------------------------------------------- */

static bool verifies; /* the model follows the run and is compared with it */
static bool partial;  /* an edit did not find enough room */

static bool made(const Source *source) {
    if (verifies && source->isTerrain) {
        modelTerrain(source->terrainSize, source->seed, source->origin);
    } else if (verifies) {
        modelPut(&source->set);
    }
    return true;
}

/* Follows an edit, undo or redo. Compares the number of marked voxels. */
static bool follow(const WorldReport *report) {
    if (report->event == WORLD_UNDONE || report->event == WORLD_REDONE) {
        for (uint32_t i = 0; i < report->edits; ++i) {
            (report->event == WORLD_UNDONE ? modelUndo : modelRedo)();
        }
    } else if (!report->floodFull) {
        modelEdit(&report->edit);
    }
    const uint64_t count = modelMarked();
    return report->event != WORLD_MARKED || report->floodFull || count == report->voxels ||
           sayError("the GPU has marked %u voxels, the CPU %llu", report->voxels,
                    (unsigned long long)count);
}

static bool reported(const WorldReport *report) {
    partial = partial || report->poolFailed || report->tableFailed;
    return !verifies || follow(report);
}

static bool copied(const int32_t low[3], const int32_t high[3], bool marked) {
    if (verifies) {
        modelCopy(low, high, marked);
    }
    return true;
}

static bool checkModel(const WorldCount *count) {
    uint64_t sum;
    if (partial) {
        return sayError("an edit was partial: there is nothing to compare with");
    }
    const uint64_t solid = modelCount(&sum);
    if (solid != count->solid || sum != count->sum) {
        return sayError("the GPU has %llu voxels with checksum %016llx, the CPU %llu with %016llx",
                        (unsigned long long)count->solid, (unsigned long long)count->sum,
                        (unsigned long long)solid, (unsigned long long)sum);
    }
    (void)puts("as on the CPU");
    return true;
}

/* line: of the replay; NULL: the run ends. */
static bool checked(World *world, const ReplayLine *line) {
    WorldCount count;
    bool right = countWorld(world, &count);
    if (right) {
        (void)printf("checksum %016llx of %llu voxels\n", (unsigned long long)count.sum,
                     (unsigned long long)count.solid);
        right = !verifies || checkModel(&count);
    }
    if (right && line && line->hasSum && line->sum != count.sum) {
        right = sayError("line %u: the checksum is not %016llx", line->number,
                         (unsigned long long)line->sum);
    }
    if (!right || !line) {
        countClose(world->store.gpu);
    }
    return right;
}

static const PlayerWitness counter = {made, reported, copied, checked};

/* ---- Pictures ------------------------------------------------------------------------------- */

static bool readPaths(const char *text) {
    const char *end;
    return (optionNumber(text, &end, 1, REFERENCE_SAMPLES, &paths) && *end == '\0') ||
           sayError("--reference wants 1 to %d paths, not %s", REFERENCE_SAMPLES, text);
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

typedef struct Difference {
    double psnr;      /* peak signal-to-noise ratio of 8-bit channels in dB; infinite: equal */
    double luminance; /* mean of the first picture / mean of the other */
    int most;         /* largest difference of a channel */
} Difference;

/* Returns a pixel's luminance, with the gamma of toneMap in shaders/sky.glsl. */
static double luminance(const uint8_t *pixel) {
    return 0.2126 * pow(pixel[0] / 255.0, 2.2) + 0.7152 * pow(pixel[1] / 255.0, 2.2) +
           0.0722 * pow(pixel[2] / 255.0, 2.2);
}

/* Compares `pixels` pixels of red, green, blue and one ignored byte. */
static Difference compare(const uint8_t *picture, const uint8_t *other, size_t pixels) {
    Difference difference = {0};
    double square = 0;
    double light[2] = {0, 0};
    for (size_t i = 0; i < 4 * pixels; i += 4) {
        for (size_t channel = i; channel < i + 3; ++channel) {
            const int apart = abs(picture[channel] - other[channel]);
            difference.most = apart > difference.most ? apart : difference.most;
            square += apart * apart;
        }
        light[0] += luminance(picture + i);
        light[1] += luminance(other + i);
    }
    difference.psnr = 10 * log10(255.0 * 255.0 * 3 * (double)pixels / square);
    difference.luminance = light[0] / light[1];
    return difference;
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

/* Reads the options of this program and removes them from the arguments. */
static bool takeOptions(int *argc, char **argv, const char **compared,
                        const PlayerWitness **witness) {
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
        } else if (strcmp(argv[i], "--count") == 0) {
            *witness = &counter;
        } else if (strcmp(argv[i], "--verify") == 0) {
            *witness = &counter;
            verifies = true;
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
    const PlayerWitness *witness = NULL;
    sayProgram("murvoxels");
    if (!takeOptions(&argc, argv, &compared, &witness) ||
        settingsRead(argc, argv, &settings) != SETTINGS_RUN) {
        return EXIT_FAILURE;
    }
    uint8_t *other = compared ? pngRead(compared, settings.width, settings.height) : NULL;
    int status = other || !compared ? scriptRun(&settings, paths ? paint : NULL, witness)
                                    : EXIT_FAILURE;
    if (other && status == 0 && !compareWith(compared, other, &settings)) {
        status = EXIT_FAILURE;
    }
    free(other);
    return status;
}
