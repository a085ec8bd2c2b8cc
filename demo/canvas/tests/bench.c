/* canvas_bench [--validation]: times dabs, undo and views by the device's clock. tests/check.c
 * checks the results of the same calls.
 * SPDX-License-Identifier: MIT */
#include "common/clocks.h"
#include "common/message.h"
#include "common/clock.h"
#include "painter.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TIMES = 5, MANY = 4096, SIDE = 4096, START = CANVAS_PIXELS / 2, VIEWED = 2 /* timestamp */ };

typedef struct Bench {
    Painter painter;
    Clocks clocks;
    GpuBuffer target;
} Bench;

static const CanvasBrush brush = {.color = {0x10007000, 0x80002000},
                                  .radius = 256 * CANVAS_FRACTION,
                                  .hardness = CANVAS_ONE / 2,
                                  .opacity = CANVAS_ONE / 4,
                                  .flow = CANVAS_ONE};

static CanvasPlace placeOf(uint32_t item, uint32_t seed) {
    return canvasPlace(START + 260 + mur_hash(2 * item, seed) % (SIDE - 520),
                       START + 260 + mur_hash(2 * item + 1, seed) % (SIDE - 520));
}

/* Paints all waiting strokes. Reports the device's time for that or, with a view, only for the
 * view. The time of a frame is known GPU_FRAMES frames later. */
static bool timed(Bench *bench, const CanvasView *view, double *milliseconds) {
    Painter *painter = &bench->painter;
    const uint32_t fixed = painter->strokes.budget, from = view ? VIEWED : GPU_FRAME_BEGIN;
    bool done = clocksBefore(&bench->clocks, 1); /* the clocks fall while the host works */
    painter->strokes.budget = CANVAS_PAIRS;
    *milliseconds = 0;
    for (uint32_t frames = 0, rest = 0; done && rest <= GPU_FRAMES; ++frames) {
        done = painterBegin(painter, false);
        if (frames >= GPU_FRAMES) {
            const double time = gpuFrameMilliseconds(&painter->gpu, &painter->inFlight, from,
                                                     GPU_FRAME_END);
            *milliseconds += time > 0 ? time : 0; /* only the first frame has a view */
        }
        if (view && frames == 0) {
            gpuTimestamp(&painter->gpu, VIEWED);
            canvasCmdView(&painter->canvas, view, &bench->target);
        }
        rest += !strokesWait(&painter->strokes);
        done = done && painterEnd(painter, VK_NULL_HANDLE, VK_NULL_HANDLE);
    }
    painter->strokes.budget = fixed;
    return done;
}

/* Paints COUNT dabs of radius 256 at random places as one stroke, and undoes it. */
static bool benchDabs(Bench *bench, uint32_t count) {
    Strokes *strokes = &bench->painter.strokes;
    double times[TIMES], undo;
    bool done = true;
    for (uint32_t i = 0; done && i < TIMES; ++i) {
        done = strokesBegin(strokes, &brush, placeOf(0, count + i));
        for (uint32_t j = 1; done && j < count; ++j) {
            strokes->curve = placeOf(j, count + i); /* one dab at this place, none on the way */
            done = strokesTo(strokes, strokes->curve);
        }
        done = done && timed(bench, NULL, &times[i]) && strokesAsk(strokes, STROKE_UNDO) &&
               timed(bench, NULL, &undo);
    }
    if (done) {
        const double time = secondsMedian(times, TIMES);
        printf("%u dabs of radius 256: %.3f ms, %.1f Gpixel-dabs a second\n", count, time,
               1e-6 * 3.14159265 * 256 * 256 * count / time);
    }
    return done;
}

/* A stroke of more than 20,000 tiles, undone and redone. */
static bool benchUndo(Bench *bench) {
    Painter *painter = &bench->painter;
    CanvasBrush wide = brush;
    const double first = 300000, last = first + 13300;
    const uint32_t logged = painter->canvas.report.logged;
    double paint, undo, redo;
    wide.radius = CANVAS_MAX_RADIUS * CANVAS_FRACTION;
    wide.hardness = CANVAS_ONE;
    bool done = strokesBegin(&painter->strokes, &wide, canvasPlace(first, first));
    for (uint32_t i = 0; done && i < 4; ++i) { /* rows */
        const double y = first + i * 4000;
        done = strokesTo(&painter->strokes, canvasPlace(i % 2 ? last : first, y)) &&
               strokesTo(&painter->strokes, canvasPlace(i % 2 ? first : last, y));
    }
    done = done && timed(bench, NULL, &paint);
    const uint32_t tiles = painter->canvas.report.logged - logged;
    done = done && strokesAsk(&painter->strokes, STROKE_UNDO) && timed(bench, NULL, &undo) &&
           strokesAsk(&painter->strokes, STROKE_REDO) && timed(bench, NULL, &redo);
    if (done) {
        printf("undo of %u tiles: %.3f ms; redo: %.3f ms\n", tiles, undo, redo);
    }
    return done;
}

static bool benchViews(Bench *bench) {
    static const double steps[] = {0.2, 1, 1.45, 12, 250};
    const CanvasPlace middle = canvasPlace(START + SIDE / 2, START + SIDE / 2);
    bool done = gpuCreateBuffer(&bench->painter.gpu, 4ull * 3840 * 2160, GPU_DEVICE, "view",
                                &bench->target) &&
                strokesAsk(&bench->painter.strokes, STROKE_REDO);
    for (uint32_t i = 0; done && i < sizeof steps / sizeof *steps; ++i) {
        const CanvasView view = canvasView(NULL, middle, steps[i], 3840, 2160);
        double times[TIMES];
        for (uint32_t j = 0; done && j < TIMES; ++j) {
            done = timed(bench, &view, &times[j]);
        }
        printf("view of 3840 x 2160, %g pixels of the painting wide each: %.3f ms\n", steps[i],
               secondsMedian(times, TIMES));
    }
    return done;
}

int main(int argc, char **argv) {
    static Bench bench;
    Gpu *gpu = &bench.painter.gpu;
    const GpuOptions options = {.application = "canvas_bench",
                                .device = -1,
                                .validation = argc > 1 && strcmp(argv[1], "--validation") == 0};
    sayProgram("canvas_bench");
    bool done = painterOpen(&bench.painter, &options, (CanvasInfo){.tiles = 32768}) &&
                clocksOpen(gpu, false, &bench.clocks) && benchDabs(&bench, 64) &&
                benchDabs(&bench, clocksWatched(gpu) ? MANY : MANY / 32) && benchViews(&bench) &&
                benchUndo(&bench);
    clocksPrint(&bench.clocks);
    done = done && (gpu->messages == 0 || sayError("the validation layers complained"));
    gpuDestroyBuffer(gpu, &bench.target);
    clocksClose(&bench.clocks);
    painterClose(&bench.painter);
    return done ? EXIT_SUCCESS : EXIT_FAILURE;
}
