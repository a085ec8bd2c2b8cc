/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#define _DEFAULT_SOURCE /* getopt_long */
#include "settings.h"

#include "common/say.h"
#include "model/output.h"
#include "window/input.h"
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
    VALIDATION,
    VERIFY,
    NO_PICTURE,
    HELP,
    SIZE,
    CAMERA,
    TERRAIN_SIZE,
    TRACE,
    MODE,
    DEVICE,
    UNDO_MIB,
    AUTOSAVE,
    TEXT_FIRST, /* options whose value is a text that is kept as it is */
    VOX = TEXT_FIRST,
    LOAD,
    REPLAY,
    SCREENSHOT,
    STATS,
    SAVE,
    EXPORT,
    NUMBER_FIRST, /* options whose value is a number */
    EMPTY = NUMBER_FIRST,
    SEED,
    SAMPLES,
    FRAMES,
    POOL_MIB,
    TABLE_SLOTS,
    TABLE_LEAST,
    FLOOD_BRICKS,
    CLIPBOARD_MIB
};

static const struct option options[] = {
    {"headless", no_argument, NULL, HEADLESS},
    {"validation", no_argument, NULL, VALIDATION},
    {"verify", no_argument, NULL, VERIFY},
    {"no-picture", no_argument, NULL, NO_PICTURE},
    {"help", no_argument, NULL, HELP},
    {"size", required_argument, NULL, SIZE},
    {"camera", required_argument, NULL, CAMERA},
    {"terrain-size", required_argument, NULL, TERRAIN_SIZE},
    {"trace", required_argument, NULL, TRACE},
    {"mode", required_argument, NULL, MODE},
    {"device", required_argument, NULL, DEVICE},
    {"undo-mib", required_argument, NULL, UNDO_MIB},
    {"autosave", required_argument, NULL, AUTOSAVE},
    {"vox", required_argument, NULL, VOX},
    {"load", required_argument, NULL, LOAD},
    {"replay", required_argument, NULL, REPLAY},
    {"screenshot", required_argument, NULL, SCREENSHOT},
    {"stats", required_argument, NULL, STATS},
    {"save", required_argument, NULL, SAVE},
    {"export", required_argument, NULL, EXPORT},
    {"empty", required_argument, NULL, EMPTY},
    {"seed", required_argument, NULL, SEED},
    {"samples", required_argument, NULL, SAMPLES},
    {"frames", required_argument, NULL, FRAMES},
    {"pool-mib", required_argument, NULL, POOL_MIB},
    {"table-slots", required_argument, NULL, TABLE_SLOTS},
    {"table-start", required_argument, NULL, TABLE_LEAST},
    {"flood-bricks", required_argument, NULL, FLOOD_BRICKS},
    {"clipboard-mib", required_argument, NULL, CLIPBOARD_MIB},
    {NULL, 0, NULL, 0},
};

static const char help[] =
    "Usage: murvoxels [OPTION]...\n"
    "Edits a world of voxels in a GPU hash table, in a window.\n"
    "\n"
    "The world, one of these; without any, a terrain is made on the GPU:\n"
    "  --vox FILE            a MagicaVoxel model\n"
    "  --load FILE           a saved world\n"
    "  --empty N             nothing; N: what a picture shows of it, 64 to 8192\n"
    "  --terrain-size N      voxels along the terrain's sides: 64 to 4096, a multiple of 8;\n"
    "                        default 512\n"
    "  --seed N              of the terrain; default 1\n"
    "\n"
    "Without a window, by any of these; then no display is needed:\n"
    "  --headless            makes the world, writes the picture, ends\n"
    "  --replay FILE         does what the file says: edits, cameras (README.md has the format)\n"
    "  --verify              compares all with a model on the CPU; a difference is an error\n"
    "  --stats FILE          numbers of each frame and each edit, as CSV; raises the device's\n"
    "                        clocks before, and says if they did not stay up\n"
    "  --export FILE         writes the world as a .vox file in the end\n"
    "\n"
    "  --save FILE           saves the world: in the end without a window, by Ctrl+S in it, as a\n"
    "                        .vox file if it ends so; there the default is the file that was\n"
    "                        opened, else murvoxels.world\n"
    "  --autosave SECONDS    between copies of unsaved work in FILE.autosave, which the next "
    "start\n"
    "                        asks about; 0: none; default 60\n"
    "\n"
    "The picture, or the window:\n"
    "  --size WxH            in pixels; default 1280x720\n"
    "  --screenshot FILE     where it goes, a PNG; default murvoxels.png; from the window:\n"
    "                        murvoxels-1.png and so on\n"
    "  --no-picture          none is drawn\n"
    "  --camera Y,P,D        yaw and pitch in degrees, distance as a multiple of the one that\n"
    "                        shows everything\n"
    "  --samples N           N x N rays a pixel, and finer light if N is above 1; default 2\n"
    "  --mode MODE           shaded, flat, normals, bricks, lookups, probes or table\n"
    "  --trace STAGE         compute (the default) or fragment: which shaders trace\n"
    "  --frames N            draws the picture N times and reports the median time, clocks as\n"
    "                        above; default 1\n"
    "\n"
    "Room:\n"
    "  --pool-mib N          for bricks of 8x8x8 voxels, besides those that undo keeps; default "
    "256,\n"
    "                        or what the source needs\n"
    "  --table-slots N       bricks that the table grows to; default 2097152, of a model\n"
    "                        524288, or what is needed\n"
    "  --table-start N       bricks that it has room for at first; default 262144, of a model "
    "16384\n"
    "  --undo-mib N          for what edits replaced; 0: no undo; default 256, of a model 64\n"
    "  --flood-bricks N      bricks that one flood can reach; default 131072, of a model 32768\n"
    "  --clipboard-mib N     for a copied box, a byte a voxel; default 64, of a model 16\n"
    "\n"
    "  --device N            the N-th Vulkan device, from 0; default the first GPU, else a\n"
    "                        software device\n"
    "  --validation          with the Vulkan validation layers; any message is an error\n"
    "  --help                this text\n"
    "\n"
    "Exit status: 0 if all went well; 1 after a failure, and one line on stderr; 2 if it went on "
    "to\n"
    "the end, but not all could be done (an edit had too little room, there was nothing to undo),\n"
    "with a line for each.\n"
    "\n"
    "In the window:\n";

static void printHelp(void) {
    (void)fputs(help, stdout);
    for (uint32_t i = 0; inputHelp(i); ++i) {
        const int keys = (int)strcspn(inputHelp(i), "\t");
        (void)printf("  %-21.*s %s\n", keys, inputHelp(i), inputHelp(i) + keys + 1);
    }
}

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
    return wholeNumber("terrain-size", text, MIN_TERRAIN, MAX_TERRAIN,
                       &settings->source.terrainSize) &&
           (settings->source.terrainSize % 8 == 0 ||
            sayError("--terrain-size wants a multiple of 8, not \"%s\"", text));
}

static bool readMode(const char *text, Settings *settings) {
    static const char *const names[VIEW_MODES] = {VIEW_MODE_NAMES};
    for (uint32_t i = 0; i < VIEW_MODES; ++i) {
        if (strcmp(text, names[i]) == 0) {
            settings->mode = i;
            return true;
        }
    }
    return sayError(
        "--mode wants shaded, flat, normals, bricks, lookups, probes or table, not \"%s\"", text);
}

static bool readTrace(const char *text, Settings *settings) {
    settings->fragment = strcmp(text, "fragment") == 0;
    return settings->fragment || strcmp(text, "compute") == 0 ||
           sayError("--trace wants compute or fragment, not \"%s\"", text);
}

static bool keepText(int option, const char *value, Settings *settings) {
    const char **const texts[] = {
        [VOX - TEXT_FIRST] = &settings->source.vox,
        [LOAD - TEXT_FIRST] = &settings->source.load,
        [REPLAY - TEXT_FIRST] = &settings->replay,
        [SCREENSHOT - TEXT_FIRST] = &settings->screenshot,
        [STATS - TEXT_FIRST] = &settings->stats,
        [SAVE - TEXT_FIRST] = &settings->save,
        [EXPORT - TEXT_FIRST] = &settings->exported,
    };
    *texts[option - TEXT_FIRST] = value;
    return true;
}

static bool keepNumber(int option, const char *value, Settings *settings) {
    const struct {
        const char *name;
        uint32_t low, high;
        uint32_t *number;
    } numbers[] = {
        [EMPTY - NUMBER_FIRST] = {"empty", 64, 8192, &settings->source.emptySize},
        [SEED - NUMBER_FIRST] = {"seed", 0, UINT32_MAX, &settings->source.seed},
        [SAMPLES - NUMBER_FIRST] = {"samples", 1, 8, &settings->samples},
        [FRAMES - NUMBER_FIRST] = {"frames", 1, 1000000, &settings->frames},
        [POOL_MIB - NUMBER_FIRST] = {"pool-mib", 1, 1 << 19, &settings->room.poolMib},
        [TABLE_SLOTS - NUMBER_FIRST] = {"table-slots", 1, 1 << 30, &settings->room.tableSlots},
        [TABLE_LEAST - NUMBER_FIRST] = {"table-start", 1, 1 << 30, &settings->room.tableStart},
        [FLOOD_BRICKS - NUMBER_FIRST] = {"flood-bricks", 1, 1 << 21, &settings->room.floodBricks},
        [CLIPBOARD_MIB - NUMBER_FIRST] = {"clipboard-mib", 1, 4095, &settings->room.clipboardMib},
    };
    const int i = option - NUMBER_FIRST;
    return wholeNumber(numbers[i].name, value, numbers[i].low, numbers[i].high, numbers[i].number);
}

static bool readOption(int option, const char *value, Settings *settings) {
    uint32_t device;
    if (option >= TEXT_FIRST) {
        return option >= NUMBER_FIRST ? keepNumber(option, value, settings)
                                      : keepText(option, value, settings);
    }
    switch (option) {
    case HEADLESS:
        settings->headless = true;
        return true;
    case VALIDATION:
        settings->validation = true;
        return true;
    case VERIFY:
        settings->verify = true;
        return true;
    case NO_PICTURE:
        settings->screenshot = NULL;
        return true;
    case SIZE:
        return readSize(value, settings);
    case CAMERA:
        return readCamera(value, settings);
    case TERRAIN_SIZE:
        return readTerrainSize(value, settings);
    case TRACE:
        return readTrace(value, settings);
    case MODE:
        return readMode(value, settings);
    case AUTOSAVE: {
        uint32_t seconds = 0;
        const bool read = wholeNumber("autosave", value, 0, 86400, &seconds);
        settings->autosave = seconds;
        return read;
    }
    case UNDO_MIB:
        return wholeNumber("undo-mib", value, 0, 1 << 19, &settings->room.undoMib);
    default:
        if (!wholeNumber("device", value, 0, 1000, &device)) {
            return false;
        }
        settings->device = (int)device;
        return true;
    }
}

/* No two outputs are the same file, and there is one world. */
static bool checkTogether(const Settings *settings) {
    const struct {
        const char *option, *path;
    } outputs[] = {
        {"screenshot", settings->screenshot},
        {"stats", settings->stats},
        {"save", settings->save},
        {"export", settings->exported},
    };
    for (size_t i = 0; i < 4; ++i) {
        for (size_t j = i + 1; j < 4; ++j) {
            const char *one = outputs[i].path;
            const char *other = outputs[j].path;
            if (one && other && outputSame(one, other)) {
                return sayError("--%s and --%s name the same file", outputs[i].option,
                                outputs[j].option);
            }
        }
    }
    int worlds = (settings->source.vox != NULL) + (settings->source.load != NULL) +
                 (settings->source.emptySize != 0);
    if (worlds > 1) {
        return sayError("--vox, --load and --empty exclude each other");
    }
    const WorldRoom *room = &settings->room;
    return !room->tableSlots || room->tableStart <= room->tableSlots ||
           sayError("--table-start is more than --table-slots");
}

SettingsResult settingsRead(int argc, char **argv, Settings *settings) {
    *settings = (Settings){
        .screenshot = "murvoxels.png",
        .width = 1280,
        .height = 720,
        .device = -1,
        .source = {.terrainSize = 512, .seed = 1},
        .room = {.undoMib = ROOM_FITS},
        .samples = 2,
        .autosave = 60,
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
            printHelp();
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
    return checkTogether(settings) ? SETTINGS_RUN : SETTINGS_WRONG;
}
