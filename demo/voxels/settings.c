/* SPDX-License-Identifier: MIT */
#include "settings.h"

#include "common/options.h"
#include "common/message.h"
#include "model/output.h"
#include "shaders/view_layout.h"
#include "common/widgets.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define OPTION_INTO Settings

static bool readCamera(const char *text, void *into) {
    Settings *settings = into;
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

static const char *const modes[] = {VIEW_MODE_NAMES, NULL};

static const Option options[] = {
    OPTION_HEADING("Usage: murvoxels [OPTION]...\n"
                   "Edits a world of voxels in a GPU hash table, in a window.\n"
                   "\n"
                   "The world, one of these; without any, a terrain is made on the GPU:"),
    OPTION_TEXT("vox", "FILE", source.vox, "a MagicaVoxel model"),
    OPTION_TEXT("load", "FILE", source.load, "a saved world"),
    OPTION_NUMBER("empty", "N", source.emptySize, 1, EMPTY_MOST,
                  "nothing; N: what a picture shows of it"),
    OPTION_NUMBER("terrain-size", "N", source.terrainSize, TERRAIN_LEAST, TERRAIN_MOST,
                  "voxels along the terrain's sides, a multiple of 8; default 512, of a\n"
                  "window on a GPU 2048"),
    OPTION_NUMBER("seed", "N", source.seed, 0, UINT32_MAX, "of the terrain; default 1"),

    OPTION_HEADING("\nWithout a window, by any of these; then no display is needed:"),
    OPTION_FLAG("headless", headless, "makes the world, writes the picture, ends"),
    OPTION_TEXT("replay", "FILE", replay,
                "does what the file says: edits, cameras (README.md has the format)"),
    OPTION_OUTPUT("stats", "FILE", stats,
                  "numbers of each frame and each edit, as CSV; raises the device's\n"
                  "clocks before, and says if they did not stay up"),
    OPTION_OUTPUT("export", "FILE", exported,
                  "writes the world in the end, as a mesh (glTF) where FILE ends in\n"
                  ".glb, else as a .vox file"),

    OPTION_HEADING(""),
    OPTION_OUTPUT("save", "FILE", save,
                  "saves the world, as a .vox file if FILE ends in .vox: in the end\n"
                  "without a window, by Ctrl+S in a window. In a window the default is\n"
                  "the file that was opened, else murvoxels.world"),
    OPTION_NUMBER("autosave", "SECONDS", autosave, 0, 86400,
                  "between copies of unsaved work in FILE.autosave, which the next start\n"
                  "asks about; 0: none; default 60"),

    OPTION_HEADING("\nThe picture, or the window:"),
    OPTION_SIZE("size", width, "in pixels; default 1280x720"),
    OPTION_OUTPUT("screenshot", "FILE", screenshot,
                  "where it goes, a PNG; default murvoxels.png; from the window, NAME.png\n"
                  "(NAME-2.png and so on), NAME being the file's there"),
    OPTION_TEXT("no-picture", NULL, screenshot, "none is drawn"),
    OPTION_SPECIAL("camera", "Y,P,D", readCamera,
                   "YAW,PITCH,DISTANCE (-360 to 360, -89 to 89, 0.01 to 100)", camera,
                   "yaw and pitch in degrees, distance as a multiple of the one that\n"
                   "shows everything"),
    OPTION_NUMBER("samples", "N", samples, 1, 100000,
                  "frames of the same picture, of which the mean is kept: the more, the\n"
                  "finer; default 64, on a software device 4. A window rests after so\n"
                  "many; default 600, on a software device 64"),
    OPTION_CHOICE("mode", "MODE", mode, modes, "what it shows"),
    OPTION_FLAG("times", times, "reports how long a frame of the picture takes, clocks as above"),

    OPTION_HEADING("\nRoom:"),
    OPTION_NUMBER("pool-mib", "N", room.poolMib, 1, 1 << 19,
                  "for bricks of 8x8x8 voxels, besides those that undo keeps; default 256,\n"
                  "or what the source needs"),
    OPTION_NUMBER("table-slots", "N", room.tableSlots, 1, 1 << 30,
                  "bricks that the table grows to; default 2097152, of a model\n"
                  "524288, or what is needed"),
    OPTION_NUMBER("table-start", "N", room.tableStart, 1, 1 << 30,
                  "bricks that it has room for first; default 262144, of a model 16384"),
    OPTION_NUMBER("undo-mib", "N", room.undoMib, 0, 1 << 19,
                  "for what edits replaced; 0: no undo; default 256, of a model 64"),
    OPTION_NUMBER("flood-bricks", "N", room.floodBricks, 1, 1 << 21,
                  "bricks that one flood can reach; default 131072, of a model 32768"),
    OPTION_NUMBER("clipboard-mib", "N", room.clipboardMib, 1, 4095,
                  "for a copied box, a byte a voxel; default 64, of a model 16"),

    OPTION_HEADING(""),
    OPTION_NUMBER("device", "N", device, 0, 1000,
                  "the N-th Vulkan device, from 0; default a GPU, else a software device"),
    OPTION_FLAG("validation", validation,
                "with the Vulkan validation layers; any message is an error"),
    OPTION_HELP("this text"),
    OPTION_HEADING(
        "\n"
        "Exit status: 0 if all went well; 1 after a failure, and one line on stderr; 2 if it "
        "went on to\n"
        "the end, but not all could be done (an edit had too little room, there was nothing "
        "to undo),\n"
        "with a line for each.\n"
        "\n"
        "In the window:"),
};

enum { OPTIONS = sizeof options / sizeof *options };

static void printKeys(void) {
    const Widget *widget;
    for (uint32_t i = 0; (widget = widgetAt(i)); ++i) {
        (void)printf("  %-21s %s\n", widget->keys, widget->help);
    }
}

/* No two outputs are the same file. */
static bool checkOutputs(const Settings *settings) {
    const Option *outputs[OPTIONS];
    const char *paths[OPTIONS];
    size_t count = 0;
    for (size_t i = 0; i < OPTIONS; ++i) {
        const char *path = options[i].kind == OPTION_IS_OUTPUT && options[i].name
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
    return checkOutputs(settings) && (!room->tableSlots || room->tableStart <= room->tableSlots ||
                                      sayError("--table-start is more than --table-slots"));
}

SettingsResult settingsRead(int argc, char **argv, Settings *settings) {
    int status;
    *settings = (Settings){
        .screenshot = "murvoxels.png",
        .width = 1280,
        .height = 720,
        .device = -1,
        .source = {.seed = 1},
        .room = {.undoMib = ROOM_FITS},
        .autosave = 60,
    };
    if (!optionsRead(options, OPTIONS, argc, argv, 0, settings, &status)) {
        if (status == EXIT_SUCCESS) {
            printKeys();
        }
        return status == EXIT_SUCCESS ? SETTINGS_DONE : SETTINGS_WRONG;
    }
    return checkTogether(settings) ? SETTINGS_RUN : SETTINGS_WRONG;
}
