/* Replays that are compared with a painter on the CPU, and times.
 *   canvas_check [--validation] [--tiles N] [--budget N] --bench | FILE...
 * Two verbs more than murcanvas has: "reference X Y SIDE" begins a dense image, "check" compares.
 *
 * SPDX-License-Identifier: MIT */
#include "bench.h"
#include "common/say.h"
#include "reference.h"
#include "replay.h"

#include <stdlib.h>
#include <string.h>

typedef struct Check {
    Painter painter;
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
    return ((strcmp(name, "check") == 0 && check->reference.side) ||
            sayError("%s is nothing that this can do", name)) &&
           painterDrain(&check->painter) && referenceCheck(&check->reference, &check->painter);
}

int main(int argc, char **argv) {
    static Check check;
    GpuOptions options = {.application = "canvas_check", .device = -1};
    Painter *painter = &check.painter;
    uint32_t tiles = 1024;
    bool bench = false, done = true;
    sayProgram("canvas_check");
    for (; argc > 1 && argv[1][0] == '-'; --argc, ++argv) {
        options.validation = options.validation || strcmp(argv[1], "--validation") == 0;
        bench = bench || strcmp(argv[1], "--bench") == 0;
        uint32_t *number = strcmp(argv[1], "--tiles") == 0    ? &tiles
                           : strcmp(argv[1], "--budget") == 0 ? &painter->fixed
                                                              : NULL;
        if (number && argc > 2) {
            *number = (uint32_t)atoi(argv[2]);
            --argc, ++argv;
        }
    }
    done = painterOpen(painter, &options, bench ? 32768 : tiles) && (!bench || benchRun(painter));
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
