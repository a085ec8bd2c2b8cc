/* SPDX-License-Identifier: MIT */
#include "bench.h"

#include "common/clocks.h"
#include "common/say.h"
#include "common/seconds.h"
#include "reference.h"

#include <stdio.h>

enum {
    TIMES = 5,
    MANY = 4096,
    SIDE = 4096,
    START = CANVAS_PIXELS / 2,
    WANTED = 10000,
    FRAMES = 60,
    VIEWED = 2 /* timestamp */
};

typedef struct Bench {
    Painter *painter;
    Clocks clocks;
    Reference reference;
    GpuBuffer target;
    double times[TIMES];
} Bench;

static const CanvasBrush brush = {.color = {0x10007000, 0x80002000},
                                  .radius = 256 * CANVAS_FRACTION,
                                  .hardness = CANVAS_ONE / 2,
                                  .opacity = CANVAS_ONE / 4};

static CanvasPlace placeOf(uint32_t item, uint32_t seed) {
    return canvasPlace(START + 260 + mur_hash(2 * item, seed) % (SIDE - 520),
                       START + 260 + mur_hash(2 * item + 1, seed) % (SIDE - 520));
}

/* How long the device takes to paint all that waits; with a view, to show that: two frames later
 * it is known. */
static bool timed(Bench *bench, const CanvasView *view, double *milliseconds) {
    Painter *painter = bench->painter;
    const uint32_t fixed = painter->strokes.budget, from = view ? VIEWED : GPU_FRAME_BEGIN;
    bool done = clocksBefore(&bench->clocks, 1); /* they fall while the host compares */
    painter->strokes.budget = CANVAS_PAIRS;
    *milliseconds = 0;
    for (uint32_t frames = 0, rest = 0; done && rest <= GPU_FRAMES; ++frames) {
        done = painterBegin(painter, false);
        if (frames >= GPU_FRAMES) {
            const double time = gpuFrameMilliseconds(&painter->gpu, &painter->inFlight, from,
                                                     GPU_FRAME_END);
            *milliseconds += time > 0 ? time : 0; /* not all frames show something */
        }
        if (view && frames == 0) {
            gpuTimestamp(&painter->gpu, VIEWED);
            canvasCmdView(&painter->canvas, view, &bench->target);
        }
        rest += strokesWait(&painter->strokes) ? 0 : 1;
        done = done && painterEnd(painter, VK_NULL_HANDLE, VK_NULL_HANDLE);
    }
    painter->strokes.budget = fixed;
    return done;
}

/* Dabs of radius 256 at random places, as a stroke; undone, but for the last time. */
static bool benchDabs(Bench *bench, uint32_t count) {
    Strokes *strokes = &bench->painter->strokes;
    bool done = true;
    for (uint32_t i = 0; done && i < TIMES; ++i) {
        double none;
        const uint32_t seed = count + i;
        done = strokesBegin(strokes, &brush, placeOf(0, seed));
        for (uint32_t j = 1; done && j < count; ++j) {
            strokes->left = 0; /* one dab, wherever it is */
            strokes->place = placeOf(j, seed);
            done = strokesTo(strokes, strokes->place);
        }
        done = done && (i + 1 < TIMES ||
                        referenceStroke(&bench->reference, strokes->items, strokes->count - 1));
        done = done && timed(bench, NULL, &bench->times[i]) &&
               (i + 1 == TIMES || (strokesAsk(strokes, STROKE_UNDO) && timed(bench, NULL, &none)));
    }
    done = done && referenceCheck(&bench->reference, bench->painter);
    if (done) {
        const double time = secondsMedian(bench->times, TIMES);
        const double pixels = 3.14159265 * 256 * 256 * count;
        printf("%u dabs of radius 256: %.3f ms, %.1f Gpixel-dabs a second\n", count, time,
               1e-6 * pixels / time);
    }
    return done;
}

static uint64_t sumOf(const GpuBuffer *picture) {
    uint64_t sum = 0;
    for (size_t i = 0; i < picture->size / 4; ++i) {
        sum = sum * 31 + ((const uint32_t *)picture->mapped)[i];
    }
    return sum;
}

static bool see(Bench *bench, const CanvasView *view, uint64_t *sum) {
    GpuBuffer picture = {0};
    const bool done = painterSee(bench->painter, view, &picture);
    *sum = done ? sumOf(&picture) : 0;
    gpuDestroyBuffer(&bench->painter->gpu, &picture);
    return done;
}

/* A stroke of so many tiles, which is undone and redone. */
static bool benchUndo(Bench *bench) {
    Painter *painter = bench->painter;
    CanvasBrush wide = brush;
    const double first = 300000, last = first + 13300;
    const CanvasView view = canvasView(NULL, canvasPlace(first, first), 32, 1024, 1024);
    uint64_t before, painted, undone, redone;
    wide.radius = CANVAS_MAX_RADIUS * CANVAS_FRACTION;
    wide.hardness = CANVAS_ONE;
    bool done = see(bench, &view, &before) && painterDrain(painter);
    const uint32_t logged = painter->canvas.report.logged;
    done = done && strokesBegin(&painter->strokes, &wide, canvasPlace(first, first));
    for (uint32_t i = 0; done && i < 4; ++i) { /* rows */
        const double y = first + i * 4000;
        done = strokesTo(&painter->strokes, canvasPlace(i % 2 ? last : first, y)) &&
               strokesTo(&painter->strokes, canvasPlace(i % 2 ? first : last, y));
    }
    done = done && painterDrain(painter) && see(bench, &view, &painted);
    double undo = 0, redo = 0;
    done = done && timed(bench, NULL, &undo); /* so that the report is of now */
    const uint32_t tiles = painter->canvas.report.logged - logged;
    done = done && strokesAsk(&painter->strokes, STROKE_UNDO) && timed(bench, NULL, &undo) &&
           see(bench, &view, &undone) && strokesAsk(&painter->strokes, STROKE_REDO) &&
           timed(bench, NULL, &redo) && see(bench, &view, &redone);
    if (done && (before != undone || painted != redone || painted == before || tiles < WANTED)) {
        return sayError("undo of %u tiles: not what there was", tiles);
    }
    printf("undo of %u tiles: %.3f ms; redo: %.3f ms\n", tiles, undo, redo);
    return done;
}

/* What has been painted, at several zooms. */
static bool benchViews(Bench *bench) {
    static const double steps[] = {0.2, 1, 1.45, 12, 250};
    bool done = gpuCreateBuffer(&bench->painter->gpu, 4ull * 3840 * 2160, GPU_DEVICE, "view",
                                &bench->target);
    for (uint32_t i = 0; done && i < sizeof steps / sizeof *steps; ++i) {
        const double middle = START + SIDE / 2;
        const CanvasView view = canvasView(NULL, canvasPlace(middle, middle), steps[i], 3840, 2160);
        for (uint32_t j = 0; done && j < TIMES; ++j) {
            done = timed(bench, &view, &bench->times[j]);
        }
        printf("view of 3840 x 2160, %g pixels of the painting wide each: %.3f ms\n", steps[i],
               secondsMedian(bench->times, TIMES));
    }
    return done;
}

/* What a window does while somebody paints in it. */
static bool benchFrames(Bench *bench) {
    Painter *painter = bench->painter;
    CanvasBrush small = brush;
    const double middle = START + SIDE / 2;
    const CanvasPlace first = canvasPlace(middle, middle);
    const CanvasView view = canvasView(&painter->canvas, first, 1, 1280, 720);
    small.radius = 32 * CANVAS_FRACTION;
    bool done = strokesBegin(&painter->strokes, &small, first);
    const double start = secondsNow();
    for (uint32_t i = 0; done && i < FRAMES; ++i) { /* a zigzag */
        const uint32_t x = i % 16 < 8 ? i % 8 : 8 - i % 8, y = i % 12;
        done = strokesTo(&painter->strokes, canvasPlace(middle + x * 64, middle + y * 24)) &&
               painterBegin(painter, false);
        if (done) {
            canvasCmdView(&painter->canvas, &view, &bench->target);
            done = painterEnd(painter, VK_NULL_HANDLE, VK_NULL_HANDLE);
        }
    }
    done = done && painterDrain(painter);
    printf("1280 x 720 while a radius of 32 paints: %.1f frames a second\n",
           FRAMES / (secondsNow() - start));
    return done;
}

bool benchRun(Painter *painter) {
    Bench bench = {.painter = painter};
    bool done = clocksOpen(&painter->gpu, false, &bench.clocks) &&
                referenceOpen(&bench.reference, START, START, SIDE) && benchDabs(&bench, 64) &&
                benchDabs(&bench, clocksWatched(&painter->gpu) ? MANY : MANY / 32) &&
                benchViews(&bench) && benchUndo(&bench) && benchFrames(&bench);
    clocksPrint(&bench.clocks);
    referenceClose(&bench.reference);
    gpuDestroyBuffer(&painter->gpu, &bench.target);
    clocksClose(&bench.clocks);
    return done;
}
