/* Replays that are compared with a painter on the CPU, and times.
 *   canvas_check [--validation] [--tiles N] [--budget N] [--file PAINTING] --bench | REPLAY...
 * Verbs besides those of murcanvas: "reference X Y SIDE" begins a dense image, "check" compares,
 * "reopen" closes the painting without saving and opens it again.
 *
 * SPDX-License-Identifier: MIT */
#include "bench.h"
#include "common/say.h"
#include "file.h"
#include "reference.h"
#include "replay.h"

#include <stdlib.h>
#include <string.h>

typedef struct Check {
    Painter painter;
    GpuOptions options;
    const char *file;
    uint32_t tiles;
    Reference reference;
} Check;

static bool onStroke(void *user, const CanvasBrush *brush, const CanvasDab *dabs, size_t count) {
    Check *check = user;
    return !check->reference.side || referenceStroke(&check->reference, brush, dabs, count);
}

static void onAsk(void *user, StrokeKind kind) {
    Check *check = user;
    (kind == STROKE_UNDO ? referenceUndo : referenceRedo)(&check->reference);
}

static bool onVerb(void *user, const char *name, const double *numbers, uint32_t count) {
    Check *check = user;
    if (strcmp(name, "reference") == 0 && count == 3) {
        return referenceOpen(&check->reference, (uint32_t)numbers[0], (uint32_t)numbers[1],
                             (uint32_t)numbers[2]);
    }
    if (strcmp(name, "reopen") == 0 && check->file) {
        painterClose(&check->painter);
        return fileOpen(&check->painter, &check->options, check->file, check->tiles);
    }
    return ((strcmp(name, "check") == 0 && check->reference.side) ||
            sayError("%s is nothing that this can do", name)) &&
           painterDrain(&check->painter) && referenceCheck(&check->reference, &check->painter);
}

int main(int argc, char **argv) {
    static Check check = {.options = {.application = "canvas_check", .device = -1}, .tiles = 512};
    Painter *painter = &check.painter;
    bool bench = false, done = true;
    sayProgram("canvas_check");
    for (; argc > 1 && argv[1][0] == '-'; --argc, ++argv) {
        check.options.validation |= strcmp(argv[1], "--validation") == 0;
        bench = bench || strcmp(argv[1], "--bench") == 0;
        uint32_t *number = strcmp(argv[1], "--tiles") == 0    ? &check.tiles
                           : strcmp(argv[1], "--budget") == 0 ? &painter->fixed
                                                              : NULL;
        if (argc > 2 && (number || strcmp(argv[1], "--file") == 0)) {
            *(number ? number : &(uint32_t){0}) = (uint32_t)atoi(argv[2]);
            check.file = number ? check.file : argv[2];
            --argc, ++argv;
        }
    }
    done = check.file ? fileOpen(painter, &check.options, check.file, check.tiles)
                      : painterOpen(painter, &check.options, bench ? 32768 : check.tiles);
    done = done && (!bench || benchRun(painter));
    for (int i = 1; done && i < argc; ++i) {
        const ReplayWatch watch = {&check, onStroke, onAsk, onVerb};
        ReplayView view;
        done = replayRun(painter, argv[i], &view, &watch);
    }
    done = done && (painter->gpu.messages == 0 || sayError("the validation layers complained"));
    referenceClose(&check.reference);
    painterClose(painter);
    return done ? EXIT_SUCCESS : EXIT_FAILURE;
}
