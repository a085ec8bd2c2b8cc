/* murcanvas: a painting of a million by a million pixels. README.md says more.
 *
 * SPDX-License-Identifier: MIT */
#include "common/png_file.h"
#include "common/say.h"
#include "file.h"
#include "window.h"

#include <stdlib.h>
#include <string.h>

typedef struct Options {
    GpuOptions gpu;
    const char *file, *replay, *screenshot;
    uint32_t width, height, budget;
    CanvasInfo canvas;
    bool viewed;
    ReplayView view;
} Options;

static const char help[] =
    "Usage: murcanvas [FILE] [--replay FILE] [--screenshot FILE.png] [--size WxH] [--view "
    "X,Y,STEP]\n"
    "                 [--tiles N] [--pool N] [--budget N] [--device N] [--validation]\n"
    "Opens a window to paint in, what is in the file, if one is named; --screenshot: without one, "
    "and writes what is seen.\n"
    "--replay: first paints what a file says. --view: the middle of what is seen, in pixels of "
    "the\n"
    "painting, and how many of them a pixel is wide. --tiles: of 128 KiB, that a painting has at "
    "most;\n"
    "--pool: of those, that the GPU holds. --budget: of a frame, in pairs of a dab and a tile.\n"
    "--device: index in the loader's list. --validation: Vulkan's layers, too.\n";

static bool number(const char *text, uint32_t low, uint32_t high, uint32_t *into) {
    char *end = NULL;
    const unsigned long value = text ? strtoul(text, &end, 10) : 0;
    *into = (uint32_t)value;
    return end && end != text && !*end && value >= low && value <= high;
}

static bool readOption(char ***argv, Options *options) {
    const char *name = **argv, *value = (*argv)[1];
    char rest;
    uint32_t device;
    if (strcmp(name, "--validation") == 0) {
        options->gpu.validation = true;
        return true;
    }
    if (name[0] != '-' && !options->file) {
        options->file = name;
        return true;
    }
    *argv += value ? 1 : 0;
    if (strcmp(name, "--replay") == 0 && value) {
        options->replay = value;
    } else if (strcmp(name, "--screenshot") == 0 && value) {
        options->screenshot = value;
    } else if (strcmp(name, "--size") == 0 && value &&
               sscanf(value, "%ux%u%c", &options->width, &options->height, &rest) == 2 &&
               options->width - 1 < 16384 && options->height - 1 < 16384) {
        return true;
    } else if (strcmp(name, "--view") == 0 && value &&
               sscanf(value, "%lf,%lf,%lf%c", &options->view.x, &options->view.y,
                      &options->view.step, &rest) == 3 &&
               options->view.step > 0) {
        options->viewed = true;
    } else if (strcmp(name, "--tiles") == 0 && number(value, 1, 1u << 20, &options->canvas.tiles)) {
        return true;
    } else if (strcmp(name, "--pool") == 0 && number(value, 1, 1u << 20, &options->canvas.pool)) {
        return true;
    } else if (strcmp(name, "--budget") == 0 && number(value, 1, CANVAS_PAIRS, &options->budget)) {
        return true;
    } else if (strcmp(name, "--device") == 0 && number(value, 0, 255, &device)) {
        options->gpu.device = (int)device;
    } else {
        return sayError("%s %s: see --help", name, value ? value : "without a value");
    }
    return true;
}

static bool writePicture(Painter *painter, const Options *options, const ReplayView *at) {
    const CanvasView view = canvasView(
        NULL, (int64_t)(at->x * CANVAS_FRACTION), (int64_t)(at->y * CANVAS_FRACTION),
        (uint64_t)(at->step * 65536), options->width, options->height);
    GpuBuffer picture = {0};
    bool done = painterSee(painter, &view, &picture);
    FILE *file = done ? fopen(options->screenshot, "wb") : NULL;
    if (done) {
        done = file && pngWrite(file, picture.mapped, view.width, view.height);
        done = file && fclose(file) == 0 && done;
        done = done || sayError("%s cannot be written", options->screenshot);
    }
    gpuDestroyBuffer(&painter->gpu, &picture);
    return done;
}

static bool run(Painter *painter, Window *window, const Options *options) {
    const double middle = CANVAS_PIXELS / 2;
    ReplayView view = {middle, middle, 1};
    if (options->replay && !replayRun(painter, options->replay, &view, NULL)) {
        return false;
    }
    view = options->viewed ? options->view : view;
    return (!options->screenshot || writePicture(painter, options, &view)) &&
           (!window || windowRun(window, painter, &view));
}

int main(int argc, char **argv) {
    Options options = {
        .gpu = {.application = "murcanvas", .device = -1}, .width = 1280, .height = 720};
    static Painter painter; /* too large for a stack */
    bool done = argc > 0;
    sayProgram("murcanvas");
    while (done && *++argv) {
        if (strcmp(*argv, "--help") == 0) {
            return fputs(help, stdout) < 0;
        }
        done = readOption(&argv, &options);
    }
    painter.fixed = options.budget;
    const bool opens = done && !options.screenshot;
    Window *window = opens ? windowOpen(options.width, options.height, &options.gpu) : NULL;
    done = done && (window || !opens) &&
           (options.file ? fileOpen(&painter, &options.gpu, options.file, options.canvas)
                         : painterOpen(&painter, &options.gpu, options.canvas)) &&
           run(&painter, window, &options);
    done = done && (painter.gpu.messages == 0 || sayError("the validation layers complained"));
    if (window) {
        windowClose(window, &painter);
    } else {
        painterClose(&painter);
    }
    return done ? EXIT_SUCCESS : EXIT_FAILURE;
}
