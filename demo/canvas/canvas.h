/* A painting on the GPU: tiles in a pool, found by a table; strokes, undo, views.
 *
 * Functions record into gpu->cmd, and none waits, unless it is said. What they need to know of
 * frames that came before they learn from canvasAwait.
 *
 * SPDX-License-Identifier: MIT */
#ifndef CANVAS_CANVAS_H
#define CANVAS_CANVAS_H

#include "common/gpu_frames.h"
#include "shaders/canvas_layout.h"

enum { CANVAS_STROKES = 4096 }; /* more than can be undone; a power of two */

/* What a stroke is painted with. */
typedef struct CanvasBrush {
    uint32_t color[2]; /* a texel; 0: an eraser */
    uint32_t layer;
    uint32_t radius;   /* in fractions of a pixel */
    uint32_t hardness; /* 0 ... CANVAS_ONE: one without an edge but for that against steps */
    uint32_t opacity;  /* 1 ... CANVAS_ONE, of a dab */
} CanvasBrush;

/* What the GPU has told at the end of a frame. */
typedef struct CanvasReport {
    uint32_t free, logged, keys, failed;
} CanvasReport;

typedef struct CanvasStroke {
    uint32_t number;     /* 1, 2, ... */
    uint64_t frame;      /* that painted it last */
    uint32_t first, end; /* in the log, once that frame is done */
} CanvasStroke;

enum { CANVAS_KERNELS = 5 };

typedef struct Canvas {
    Gpu *gpu;
    MurTable table;
    GpuKernel kernels[CANVAS_KERNELS], views[2];
    GpuBuffer parts[CANVAS_PARTS], addresses;
    GpuBuffer staging; /* dabs of frames */
    GpuBuffer told;    /* Told */
    uint32_t tiles, logSize, keys;
    uint32_t batch; /* the last one's number */
    uint32_t stroke;
    uint32_t staged; /* dabs of this frame */
    CanvasReport report;
    uint32_t taken[GPU_FRAMES]; /* tiles at most, by frames that the report does not have */
    CanvasStroke strokes[CANVAS_STROKES];
    uint32_t strokeCount, applied; /* strokes above are undone */
    uint32_t oldest;               /* entry of the log that somebody still has */
    uint64_t frame, known;         /* frames begun; frames that are done */
    uint64_t dropped;              /* frame in which the oldest stroke was given up */
} Canvas;

/* What a painting is, but for its tiles; all zero: nothing is painted. */
typedef struct CanvasContent {
    const uint32_t *counts; /* of each stroke's entries in the log */
    uint32_t strokes, applied;
    const uint32_t *pairs; /* of the table: keys and tiles */
    uint32_t pairCount;
    const uint32_t *log; /* keys and tiles */
    uint32_t logCount;
    const bool *used; /* tiles that are not free */
} CanvasContent;

bool canvasOpen(Gpu *gpu, uint32_t tiles, Canvas *canvas);
/* Into a canvas that is as it was opened, whose pool has the tiles. Waits. */
bool canvasLoad(Canvas *canvas, const CanvasContent *content);
void canvasClose(Canvas *canvas);

/* A frame: what those before have told; what is recorded between is this one's. */
void canvasBegin(Canvas *canvas, uint64_t frame);
void canvasEnd(Canvas *canvas);

typedef enum CanvasDone {
    CANVAS_DONE,
    CANVAS_LATER, /* nothing was recorded: try in the next frame */
    CANVAS_FULL   /* nothing was recorded, and no frame will change that */
} CanvasDone;

/* Begins a stroke: what was undone is gone. */
CanvasDone canvasBeginStroke(Canvas *canvas);
/* A batch of the stroke: at most CANVAS_DABS dabs, in their order; skip: pairs of the first one
 * with a tile that are done; pairs: of all dabs from there on. need: tiles it takes at most. */
CanvasDone canvasPaint(Canvas *canvas, const CanvasBrush *brush, const CanvasDab *dabs,
                       uint32_t count, uint32_t skip, uint32_t pairs, uint32_t need);
/* CANVAS_DONE also if there is nothing to undo or redo. */
CanvasDone canvasUndo(Canvas *canvas);
CanvasDone canvasRedo(Canvas *canvas);

/* The picture of a view, four bytes a pixel, or eight of CANVAS_RAW ones. */
void canvasCmdView(Canvas *canvas, const CanvasView *view, const GpuBuffer *picture);

/* A view of so many pixels whose middle is a place, in fractions of a pixel; step: pixels of the
 * painting from pixel to pixel, 16 bits of fraction. */
CanvasView canvasView(int64_t x, int64_t y, uint64_t step, uint32_t width, uint32_t height);

#endif
