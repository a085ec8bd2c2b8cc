/* murcanvas: a painting of a million by a million pixels. README.md says more.
 * SPDX-License-Identifier: MIT */
#include "common/options.h"
#include "common/message.h"
#include "window.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Options {
    GpuOptions gpu;
    const char *replay, *screenshot, *database;
    uint32_t width, height;
    CanvasInfo canvas;
    ReplayView view; /* step 0: none */
} Options;

static bool readView(const char *text, void *into) {
    ReplayView *view = &((Options *)into)->view;
    char rest;
    return sscanf(text, "%lf,%lf,%lf%c", &view->x, &view->y, &view->step, &rest) == 3 &&
           view->step > 0 && view->step <= CANVAS_PIXELS;
}

#define OPTION_INTO Options
static const Option options[] = {
    OPTION_HEADING("Usage: murcanvas [FILE] [OPTION]...\n"
                   "Opens a window to paint in: what is in the file, if one is named."),
    OPTION_TEXT("database", "URI", database,
                "instead of FILE: postgresql://..., the painting on a server"),
    OPTION_TEXT("replay", "FILE", replay, "first paints what the file says"),
    OPTION_TEXT("screenshot", "FILE", screenshot, "without a window: what is seen then, as a PNG"),
    OPTION_SIZE("size", width, "of that or of the window, in pixels; default 1280x720"),
    OPTION_SPECIAL("view", "X,Y,STEP", readView, "X,Y,STEP, the last above 0, to 1048576", view,
                   "the middle of what is seen, in pixels of the painting, and how\n"
                   "many of them a pixel is wide"),
    OPTION_NUMBER("tiles", "N", canvas.tiles, CANVAS_LEAST_POOL, 1 << 20,
                  "of 128 KiB, that a painting has at most"),
    OPTION_NUMBER("pool", "N", canvas.pool, CANVAS_LEAST_POOL, 1 << 20, "that the GPU holds"),
    OPTION_NUMBER("host-memory", "MIB", canvas.host, 64, 1 << 17,
                  "of host memory for tiles, as a cache of the file: more changes\n"
                  "than it has room for are saved"),
    OPTION_NUMBER("budget", "N", canvas.budget, 1, CANVAS_PAIRS,
                  "of a frame, in pairs of a dab and a tile"),
    OPTION_NUMBER("device", "N", gpu.device, 0, 1000, "the N-th Vulkan device, from 0"),
    OPTION_FLAG("validation", gpu.validation, "with the Vulkan validation layers"),
    OPTION_HELP("this text"),
};
enum { OPTIONS = sizeof options / sizeof *options };

static bool run(Painter *painter, Window *window, const Options *settings) {
    const bool named = settings->view.step > 0 || settings->replay;
    Replay replay = replayBegin(painter, (ReplayView){CANVAS_PIXELS / 2, CANVAS_PIXELS / 2, 1});
    if (settings->replay && !replayRun(&replay, settings->replay)) {
        return false;
    }
    const ReplayView at = settings->view.step > 0 ? settings->view : replay.view;
    if (window) {
        return windowRun(window, painter, &settings->canvas, named ? &at : NULL);
    }
    const CanvasView view = canvasView(NULL, canvasPlace(at.x, at.y), at.step, settings->width,
                                       settings->height);
    return painterWrite(painter, &view, settings->screenshot) &&
           printf("picture: %s\n", settings->screenshot) > 0;
}

int main(int argc, char **argv) {
    static Painter painter; /* too large for a stack */
    Options settings = {
        .gpu = {.application = "murcanvas", .device = -1}, .width = 1280, .height = 720};
    Window *window = NULL;
    int status;
    sayProgram("murcanvas");
    char **words = optionsRead(options, OPTIONS, argc, argv, 1, &settings, &status);
    if (!words) {
        return status;
    }
    settings.canvas.host *= (1 << 20) >> CANVAS_TILE_SHIFT;
    const char *path = settings.database ? settings.database : words[0];
    bool done = !settings.database || strncmp(path, "postgresql://", 13) == 0 ||
                sayError("--database wants a URI that begins with postgresql://");
    done = done && (!settings.database || !words[0] ||
                    sayError("--database and a file exclude each other"));
    if (done && !settings.screenshot) {
        window = windowOpen(settings.width, settings.height, &settings.gpu);
        done = window != NULL;
    }
    done = done && fileOpen(&painter, &settings.gpu, path, settings.canvas) &&
           run(&painter, window, &settings) &&
           (painter.gpu.messages == 0 || sayError("the validation layers complained"));
    if (window) {
        windowClose(window, &painter);
    } else {
        painterClose(&painter);
    }
    return done ? EXIT_SUCCESS : EXIT_FAILURE;
}
