/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#define _DEFAULT_SOURCE /* getopt_long */
#include "settings.h"

#include "common/say.h"
#include "model/output.h"
#include "view/reference.h"
#include "window/widgets.h"

#include <ctype.h>
#include <getopt.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_SIDE = 16384 };

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

static bool readSize(const char *text, Settings *settings) {
    const char *end;
    return readNumber(text, &end, 1, MAX_SIDE, &settings->width) && *end == 'x' &&
           readNumber(end + 1, &end, 1, MAX_SIDE, &settings->height) && *end == '\0';
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
    return fine && fabsf(settings->camera[0]) <= 360 && fabsf(settings->camera[1]) <= 89 &&
           settings->camera[2] >= 0.01f && settings->camera[2] <= 100;
}

static bool readReference(const char *text, Settings *settings) {
    const char *end;
    if (!readNumber(text, &end, 1, REFERENCE_SAMPLES, &settings->paths)) {
        return false;
    }
    return *end == '\0' ||
           (*end == ',' && readNumber(end + 1, &end, 0, REFERENCE_SEEDS - 1, &settings->seed) &&
            *end == '\0');
}

static const char *const modes[] = {VIEW_MODE_NAMES, NULL};

typedef enum Kind {
    IS_FLAG,   /* a bool becomes true */
    IS_TEXT,   /* kept as it is; without a value, NULL */
    IS_OUTPUT, /* the same: a file that is written, which no other may be */
    IS_NUMBER, /* 32 bits, from low to high */
    IS_CHOICE, /* of names, by number */
    IS_SPECIAL /* by a function; wanted says what it takes */
} Kind;

/* All about an option; without a name, words between options. */
typedef struct Option {
    const char *name, *value; /* value: its name in the help; NULL: it has none */
    Kind kind;
    size_t at; /* in Settings */
    const char *help;
    uint32_t low, high;
    const char *const *names;
    bool (*read)(const char *text, Settings *settings);
    const char *wanted;
} Option;

#define AT(n, v, k, field, h) \
    .name = (n), .value = (v), .kind = (k), .at = offsetof(Settings, field), .help = (h)
#define HEADING(h) \
    { .help = (h) }
#define FLAG(n, field, h) \
    { AT(n, NULL, IS_FLAG, field, h) }
#define TEXT(n, v, field, h) \
    { AT(n, v, IS_TEXT, field, h) }
#define OUTPUT(n, v, field, h) \
    { AT(n, v, IS_OUTPUT, field, h) }
#define NUMBER(n, v, field, l, m, h) \
    { AT(n, v, IS_NUMBER, field, h), .low = (l), .high = (m) }
#define CHOICE(n, v, field, list, h) \
    { AT(n, v, IS_CHOICE, field, h), .names = (list) }
#define SPECIAL(n, v, function, takes, h) \
    { AT(n, v, IS_SPECIAL, help, h), .read = (function), .wanted = (takes) }

static const Option options[] = {
    HEADING("Usage: murvoxels [OPTION]...\n"
            "Edits a world of voxels in a GPU hash table, in a window.\n"
            "\n"
            "The world, one of these; without any, a terrain is made on the GPU:"),
    TEXT("vox", "FILE", source.vox, "a MagicaVoxel model"),
    TEXT("load", "FILE", source.load, "a saved world"),
    NUMBER("empty", "N", source.emptySize, 1, EMPTY_MOST, "nothing; N: what a picture shows of it"),
    NUMBER("terrain-size", "N", source.terrainSize, TERRAIN_LEAST, TERRAIN_MOST,
           "voxels along the terrain's sides, a multiple of 8; default 512, of a\n"
           "window on a GPU 2048"),
    NUMBER("seed", "N", source.seed, 0, UINT32_MAX, "of the terrain; default 1"),

    HEADING("\nWithout a window, by any of these; then no display is needed:"),
    FLAG("headless", headless, "makes the world, writes the picture, ends"),
    TEXT("replay", "FILE", replay,
         "does what the file says: edits, cameras (README.md has the format)"),
    FLAG("verify", verify, "compares all with a model on the CPU; a difference is an error"),
    OUTPUT("stats", "FILE", stats,
           "numbers of each frame and each edit, as CSV; raises the device's\n"
           "clocks before, and says if they did not stay up"),
    OUTPUT("export", "FILE", exported,
           "writes the world in the end, as a mesh (glTF) where FILE ends in\n"
           ".glb, else as a .vox file"),

    HEADING(""),
    OUTPUT("save", "FILE", save,
           "saves the world: in the end without a window, by Ctrl+S in it, as a\n"
           ".vox file if it ends so; there the default is the file that was\n"
           "opened, else murvoxels.world"),
    NUMBER("autosave", "SECONDS", autosave, 0, 86400,
           "between copies of unsaved work in FILE.autosave, which the next start\n"
           "asks about; 0: none; default 60"),

    HEADING("\nThe picture, or the window:"),
    SPECIAL("size", "WxH", readSize, "WIDTHxHEIGHT, each 1 to 16384",
            "in pixels; default 1280x720"),
    OUTPUT("screenshot", "FILE", screenshot,
           "where it goes, a PNG; default murvoxels.png; from the window, NAME.png\n"
           "(NAME-2.png and so on), NAME being the file's there"),
    TEXT("no-picture", NULL, screenshot, "none is drawn"),
    SPECIAL("camera", "Y,P,D", readCamera,
            "YAW,PITCH,DISTANCE (-360 to 360, -89 to 89, 0.01 to 100)",
            "yaw and pitch in degrees, distance as a multiple of the one that\n"
            "shows everything"),
    NUMBER("samples", "N", samples, 1, 100000,
           "frames of the same picture, of which the mean is kept: the more, the\n"
           "finer; default 64, on a software device 4. A window rests after so\n"
           "many; default 600, on a software device 64"),
    CHOICE("mode", "MODE", mode, modes, "what it shows"),
    SPECIAL("reference", "N[,SEED]", readReference,
            "N[,SEED]: 1 to 65536 paths, a seed below 65536",
            "traces N paths a pixel instead, without the cache of light: slow, and\n"
            "right but for noise; another seed, other noise"),
    TEXT("compare", "FILE", other, "says how far the picture is from a PNG of the same size"),
    FLAG("times", times, "reports how long a frame of the picture takes, clocks as above"),

    HEADING("\nRoom:"),
    NUMBER("pool-mib", "N", room.poolMib, 1, 1 << 19,
           "for bricks of 8x8x8 voxels, besides those that undo keeps; default 256,\n"
           "or what the source needs"),
    NUMBER("table-slots", "N", room.tableSlots, 1, 1 << 30,
           "bricks that the table grows to; default 2097152, of a model\n"
           "524288, or what is needed"),
    NUMBER("table-start", "N", room.tableStart, 1, 1 << 30,
           "bricks that it has room for at first; default 262144, of a model\n"
           "16384"),
    NUMBER("undo-mib", "N", room.undoMib, 0, 1 << 19,
           "for what edits replaced; 0: no undo; default 256, of a model\n"
           "64"),
    NUMBER("flood-bricks", "N", room.floodBricks, 1, 1 << 21,
           "bricks that one flood can reach; default 131072, of a model\n"
           "32768"),
    NUMBER("clipboard-mib", "N", room.clipboardMib, 1, 4095,
           "for a copied box, a byte a voxel; default 64, of a model 16"),

    HEADING(""),
    NUMBER("device", "N", device, 0, 1000,
           "the N-th Vulkan device, from 0; default the first GPU, else a\n"
           "software device"),
    FLAG("validation", validation, "with the Vulkan validation layers; any message is an error"),
    FLAG("help", help, "this text"),
    HEADING("\n"
            "Exit status: 0 if all went well; 1 after a failure, and one line on stderr; 2 if it "
            "went on to\n"
            "the end, but not all could be done (an edit had too little room, there was nothing "
            "to undo),\n"
            "with a line for each.\n"
            "\n"
            "In the window:"),
};

enum { OPTIONS = sizeof options / sizeof *options, WORDS = 128 };

/* What an option takes, in words. */
static void describe(const Option *option, char words[WORDS]) {
    int used = 0;
    words[0] = '\0';
    if (option->kind == IS_NUMBER) {
        (void)snprintf(words, WORDS, "%u to %u", option->low, option->high);
    }
    for (int i = 0; option->kind == IS_CHOICE && option->names[i]; ++i) {
        used += snprintf(words + used, (size_t)(WORDS - used), "%s%s",
                         i == 0                 ? ""
                         : option->names[i + 1] ? ", "
                                                : " or ",
                         option->names[i]);
    }
}

static void printHelp(void) {
    for (const Option *option = options; option < options + OPTIONS; ++option) {
        char words[WORDS];
        char name[32];
        if (!option->name) {
            (void)printf("%s\n", option->help);
            continue;
        }
        (void)snprintf(name, sizeof name, "--%s %s", option->name,
                       option->value ? option->value : "");
        describe(option, words);
        const char *line = option->help;
        for (int length = 0; *line; line += length + (line[length] == '\n'), name[0] = '\0') {
            length = (int)strcspn(line, "\n");
            const bool last = line[length] == '\0' && words[0];
            (void)printf("  %-21s %.*s%s%s\n", name, length, line, last ? "; " : "",
                         last ? words : "");
        }
    }
    const Widget *widget;
    for (uint32_t i = 0; (widget = widgetAt(i)); ++i) {
        (void)printf("  %-21s %s\n", widget->keys, widget->help);
    }
}

static bool choose(const char *const *names, const char *text, uint32_t *choice) {
    for (*choice = 0; names[*choice]; ++*choice) {
        if (strcmp(text, names[*choice]) == 0) {
            return true;
        }
    }
    return false;
}

/* value: NULL for options without one. */
static bool readOption(const Option *option, const char *value, Settings *settings) {
    char words[WORDS];
    const char *end = "";
    void *at = (char *)settings + option->at;
    uint32_t *number = at;
    bool good = true;
    switch (option->kind) {
    case IS_FLAG:
        *(bool *)at = true;
        break;
    case IS_TEXT:
    case IS_OUTPUT:
        *(const char **)at = value;
        break;
    case IS_NUMBER:
        good = readNumber(value, &end, option->low, option->high, number) && *end == '\0';
        break;
    case IS_CHOICE:
        good = choose(option->names, value, number);
        break;
    default:
        good = option->read(value, settings);
    }
    describe(option, words);
    return good || sayError("--%s wants %s%s, not \"%s\"", option->name,
                            option->kind == IS_NUMBER ? "a number from " : "",
                            option->wanted ? option->wanted : words, value);
}

/* No two outputs are the same file. */
static bool checkOutputs(const Settings *settings) {
    const Option *outputs[OPTIONS];
    const char *paths[OPTIONS];
    size_t count = 0;
    for (size_t i = 0; i < OPTIONS; ++i) {
        const char *path = options[i].kind == IS_OUTPUT && options[i].name
                               ? *(const char *const *)((const char *)settings + options[i].at)
                               : NULL;
        for (size_t j = 0; j < count && path; ++j) {
            if (outputSame(paths[j], path)) {
                return sayError("--%s and --%s name the same file", outputs[j]->name,
                                options[i].name);
            }
        }
        if (path) {
            outputs[count] = &options[i];
            paths[count++] = path;
        }
    }
    return true;
}

static bool checkTogether(const Settings *settings) {
    const SourceOptions *source = &settings->source;
    const WorldRoom *room = &settings->room;
    if (source->terrainSize % 8) {
        return sayError("--terrain-size wants a multiple of 8, not \"%u\"", source->terrainSize);
    }
    if ((source->vox != NULL) + (source->load != NULL) + (source->emptySize != 0) > 1) {
        return sayError("--vox, --load and --empty exclude each other");
    }
    if (settings->other && !settings->screenshot) {
        return sayError("--compare wants a picture");
    }
    return checkOutputs(settings) && (!room->tableSlots || room->tableStart <= room->tableSlots ||
                                      sayError("--table-start is more than --table-slots"));
}

SettingsResult settingsRead(int argc, char **argv, Settings *settings) {
    struct option known[OPTIONS + 1] = {{0}};
    size_t count = 0;
    for (int i = 0; i < OPTIONS; ++i) {
        if (options[i].name) {
            known[count++] = (struct option){
                options[i].name, options[i].value ? required_argument : no_argument, NULL, 256 + i};
        }
    }
    *settings = (Settings){
        .screenshot = "murvoxels.png",
        .width = 1280,
        .height = 720,
        .device = -1,
        .source = {.seed = 1},
        .room = {.undoMib = ROOM_FITS},
        .autosave = 60,
    };
    opterr = 0; /* getopt's own lines start with argv[0] */
    for (;;) {
        const char *argument = argv[optind < argc ? optind : 0];
        int option = getopt_long(argc, argv, ":", known, NULL);
        if (option == -1) {
            break;
        }
        if (option == ':' || option == '?') {
            (void)sayError(option == ':' ? "%s wants a value; see --help"
                                         : "unknown option \"%s\"; see --help",
                           argument);
            return SETTINGS_WRONG;
        }
        if (!readOption(&options[option - 256], optarg, settings)) {
            return SETTINGS_WRONG;
        }
        if (settings->help) {
            printHelp();
            return SETTINGS_DONE;
        }
    }
    if (optind < argc) {
        (void)sayError("unexpected argument \"%s\"; see --help", argv[optind]);
        return SETTINGS_WRONG;
    }
    return checkTogether(settings) ? SETTINGS_RUN : SETTINGS_WRONG;
}
