/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#define _DEFAULT_SOURCE /* getopt_long */
#include "settings.h"

#include "common/say.h"
#include "shaders/view_layout.h"

#include <ctype.h>
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_SIDE = 16384, MIN_TERRAIN = 64, MAX_TERRAIN = 4096 };

enum {
    OPTION_FIRST = 1000,
    HEADLESS,
    VOX,
    SIZE,
    SCREENSHOT,
    STATS,
    DEVICE,
    VALIDATION,
    CAMERA,
    TERRAIN_SIZE,
    SEED,
    MAX_BRICKS,
    TABLE_CAPACITY,
    TRACE,
    SAMPLES,
    MODE,
    FRAMES,
    HELP
};

static const struct option options[] = {
    {"headless", no_argument, NULL, HEADLESS},
    {"vox", required_argument, NULL, VOX},
    {"size", required_argument, NULL, SIZE},
    {"screenshot", required_argument, NULL, SCREENSHOT},
    {"stats", required_argument, NULL, STATS},
    {"device", required_argument, NULL, DEVICE},
    {"validation", no_argument, NULL, VALIDATION},
    {"camera", required_argument, NULL, CAMERA},
    {"terrain-size", required_argument, NULL, TERRAIN_SIZE},
    {"seed", required_argument, NULL, SEED},
    {"max-bricks", required_argument, NULL, MAX_BRICKS},
    {"table-capacity", required_argument, NULL, TABLE_CAPACITY},
    {"trace", required_argument, NULL, TRACE},
    {"samples", required_argument, NULL, SAMPLES},
    {"mode", required_argument, NULL, MODE},
    {"frames", required_argument, NULL, FRAMES},
    {"help", no_argument, NULL, HELP},
    {NULL, 0, NULL, 0},
};

static const char help[] =
    "Usage: murvoxels [OPTION]...\n"
    "Builds a voxel world in a GPU hash table, adds a sphere to it, digs one out of it, checks "
    "the\n"
    "counts against the CPU's and draws a picture by table lookups.\n"
    "\n"
    "  --vox FILE            a MagicaVoxel model; without it, a terrain is made on the GPU\n"
    "  --terrain-size N      voxels along the terrain's sides: 64 to 4096, a multiple of 8;\n"
    "                        default 512\n"
    "  --seed N              of the terrain; default 1\n"
    "  --size WxH            of the picture, in pixels; default 1280x720\n"
    "  --screenshot FILE     the picture, a PNG; default murvoxels.png\n"
    "  --stats FILE          a line of numbers a stage, as CSV\n"
    "  --camera Y,P,D        yaw and pitch in degrees, distance as a multiple of the one that\n"
    "                        shows everything\n"
    "  --samples N           N x N rays a pixel, and finer light if N is above 1; default 2\n"
    "  --mode MODE           shaded, normals, bricks, lookups, probes or table\n"
    "  --trace STAGE         compute (the default) or fragment: which shaders trace\n"
    "  --frames N            draws the picture N times and reports the median time; default 1\n"
    "  --device N            the N-th Vulkan device, from 0; default the first GPU, else a\n"
    "                        software device\n"
    "  --max-bricks N        room for bricks of 8x8x8 voxels; default enough for the world\n"
    "  --table-capacity N    keys that the brick table takes; default 1.5 times the bricks\n"
    "  --validation          with the Vulkan validation layers; any message is an error\n"
    "  --headless            draw a picture without a window, which is the only way so far\n"
    "  --help                this text\n"
    "\n"
    "Exit status: 0 if all went well and the counts agree, else 1, after one line on stderr.\n";

/* A whole number from low to high, and nothing behind it but the end. */
static bool readNumber(const char *text, const char **end, uint32_t low, uint32_t high,
                       uint32_t *number) {
    char *after;
    if (!isdigit((unsigned char)*text)) {
        return false;
    }
    unsigned long long value = strtoull(text, &after, 10);
    *end = after;
    if (value < low || value > high || after - text > 10) {
        return false;
    }
    *number = (uint32_t)value;
    return true;
}

static bool wholeNumber(const char *option, const char *text, uint32_t low, uint32_t high,
                        uint32_t *number) {
    const char *end;
    return (readNumber(text, &end, low, high, number) && *end == '\0') ||
           sayError("--%s wants a number from %u to %u, not \"%s\"", option, low, high, text);
}

static bool readSize(const char *text, Settings *settings) {
    const char *end;
    return (readNumber(text, &end, 1, MAX_SIDE, &settings->width) && *end == 'x' &&
            readNumber(end + 1, &end, 1, MAX_SIDE, &settings->height) && *end == '\0') ||
           sayError("--size wants WIDTHxHEIGHT, each 1 to %d, not \"%s\"", MAX_SIDE, text);
}

static bool readCamera(const char *text, Settings *settings) {
    const char *at = text;
    bool fine = true;
    for (int i = 0; i < 3 && fine; ++i) {
        char *end;
        settings->camera[i] = strtof(at, &end);
        fine = end != at && isfinite(settings->camera[i]) && *end == (i < 2 ? ',' : '\0');
        at = end + 1;
    }
    settings->hasCamera = true;
    fine = fine && fabsf(settings->camera[0]) <= 360 && fabsf(settings->camera[1]) <= 89 &&
           settings->camera[2] >= 0.01f && settings->camera[2] <= 100;
    return fine ||
           sayError("--camera wants YAW,PITCH,DISTANCE (-360 to 360, -89 to 89, 0.01 to 100)"
                    ", not \"%s\"",
                    text);
}

static bool readTerrainSize(const char *text, Settings *settings) {
    return wholeNumber("terrain-size", text, MIN_TERRAIN, MAX_TERRAIN, &settings->terrainSize) &&
           (settings->terrainSize % 8 == 0 ||
            sayError("--terrain-size wants a multiple of 8, not \"%s\"", text));
}

static bool readMode(const char *text, Settings *settings) {
    static const char *const names[VIEW_MODES] = {"shaded",  "normals", "bricks",
                                                  "lookups", "probes",  "table"};
    for (uint32_t i = 0; i < VIEW_MODES; ++i) {
        if (strcmp(text, names[i]) == 0) {
            settings->mode = i;
            return true;
        }
    }
    return sayError("--mode wants shaded, normals, bricks, lookups, probes or table, not \"%s\"",
                    text);
}

static bool readOption(int option, const char *value, Settings *settings) {
    uint32_t device;
    switch (option) {
    case HEADLESS:
        return true;
    case VOX:
        settings->vox = value;
        return true;
    case SIZE:
        return readSize(value, settings);
    case SCREENSHOT:
        settings->screenshot = value;
        return true;
    case STATS:
        settings->stats = value;
        return true;
    case DEVICE:
        if (!wholeNumber("device", value, 0, 1000, &device)) {
            return false;
        }
        settings->device = (int)device;
        return true;
    case VALIDATION:
        settings->validation = true;
        return true;
    case CAMERA:
        return readCamera(value, settings);
    case TERRAIN_SIZE:
        return readTerrainSize(value, settings);
    case SEED:
        return wholeNumber("seed", value, 0, UINT32_MAX, &settings->seed);
    case MAX_BRICKS:
        return wholeNumber("max-bricks", value, 1, 0x400000, &settings->maxBricks);
    case TRACE:
        settings->fragment = strcmp(value, "fragment") == 0;
        return settings->fragment || strcmp(value, "compute") == 0 ||
               sayError("--trace wants compute or fragment, not \"%s\"", value);
    case SAMPLES:
        return wholeNumber("samples", value, 1, 8, &settings->samples);
    case FRAMES:
        return wholeNumber("frames", value, 1, 1000000, &settings->frames);
    case MODE:
        return readMode(value, settings);
    default:
        return wholeNumber("table-capacity", value, 1, 0x4000000, &settings->tableCapacity);
    }
}

SettingsResult settingsRead(int argc, char **argv, Settings *settings) {
    *settings = (Settings){
        .screenshot = "murvoxels.png",
        .width = 1280,
        .height = 720,
        .device = -1,
        .terrainSize = 512,
        .seed = 1,
        .samples = 2,
        .frames = 1,
    };
    opterr = 0; /* getopt's own lines start with argv[0] */
    for (;;) {
        const char *argument = argv[optind < argc ? optind : 0];
        int option = getopt_long(argc, argv, ":", options, NULL);
        if (option == -1) {
            break;
        }
        if (option == HELP) {
            (void)fputs(help, stdout);
            return SETTINGS_DONE;
        }
        if (option == ':' || option == '?') {
            (void)sayError(option == ':' ? "%s wants a value; see --help"
                                         : "unknown option \"%s\"; see --help",
                           argument);
            return SETTINGS_WRONG;
        }
        if (!readOption(option, optarg, settings)) {
            return SETTINGS_WRONG;
        }
    }
    if (optind < argc) {
        (void)sayError("unexpected argument \"%s\"; see --help", argv[optind]);
        return SETTINGS_WRONG;
    }
    if (settings->stats && strcmp(settings->stats, settings->screenshot) == 0) {
        (void)sayError("--screenshot and --stats name the same file");
        return SETTINGS_WRONG;
    }
    return SETTINGS_RUN;
}
