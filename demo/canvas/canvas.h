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

#include <murmuration/pager.h>

/* What a stroke is painted with. */
typedef struct CanvasBrush {
    uint32_t color[2]; /* a texel; 0: an eraser */
    uint32_t layer;
    uint32_t radius;   /* in fractions of a pixel */
    uint32_t hardness; /* 0 ... CANVAS_ONE: one without an edge but for that against steps */
    uint32_t opacity;  /* 1 ... CANVAS_ONE, of a dab */
} CanvasBrush;

/* What the GPU has told at the end of a frame. oldest: entry of the log that is still needed. */
typedef struct CanvasReport {
    uint32_t free, logged, keys, failed, oldest;
} CanvasReport;

enum { CANVAS_KERNELS = 8 };

typedef struct Canvas {
    Gpu *gpu;
    MurTable table;
    MurPager pager;
    GpuKernel kernels[CANVAS_KERNELS];
    GpuBuffer parts[CANVAS_PARTS], addresses;
    GpuBuffer staging; /* dabs of frames */
    GpuBuffer told;    /* reports of frames */
    uint32_t tiles, pool, logSize, keys;
    bool *used;             /* tiles that the file has; or NULL */
    uint32_t batch, stroke; /* the last one's number */
    uint32_t staged;        /* dabs of this frame */
    CanvasReport report;
    uint32_t taken[GPU_FRAMES]; /* tiles at most, by frames that the report does not have */
    /* Strokes painted so far; those above applied are undone, those up to dropped stay for ever. */
    uint32_t strokes, applied, dropped;
    uint64_t frame, known; /* the last begun, from 1 on; the one that the report is of */
    uint64_t droppedIn;    /* frame */
    bool comes;            /* not all tiles have come from the file yet */
    bool broken;           /* a command could not be recorded */
} Canvas;

/* What a painting is, but for its tiles: this, the words of CANVAS_PART_STATE, the table's keys,
 * their tiles, the log. */
typedef struct CanvasContent {
    uint32_t version;
    uint32_t strokes, applied, dropped;
    uint32_t keys, logSize;
} CanvasContent;

typedef struct CanvasInfo {
    uint32_t tiles; /* of a painting at most */
    uint32_t pool;  /* tiles that the GPU has room for */
    MurPageFile file;
    const CanvasContent *content; /* NULL: a new one, for which the file is not read */
    uint64_t contentSize;         /* bytes */
} CanvasInfo;

/* Waits. False after a line on stderr. */
bool canvasOpen(Gpu *gpu, const CanvasInfo *info, Canvas *canvas);
void canvasClose(Canvas *canvas);

/* A frame: what those before have told; what is recorded between is this one's. saves: its tiles
 * are a checkpoint of the pager. */
void canvasBegin(Canvas *canvas, bool saves);
void canvasEnd(Canvas *canvas);
/* When the device has finished all frames: the report is of the last one. */
void canvasRest(Canvas *canvas);
/* Into a new buffer, once the frame is done; in a frame after canvasRest. */
bool canvasSave(Canvas *canvas, GpuBuffer *content);

typedef enum CanvasDone {
    CANVAS_DONE,
    CANVAS_LATER, /* nothing was recorded: try in the next frame */
    CANVAS_FULL   /* nothing was recorded, and no frame will change that */
} CanvasDone;

/* Begins a stroke: what was undone is gone. */
void canvasBeginStroke(Canvas *canvas);
/* Tiles that a batch may take. */
uint32_t canvasMost(const Canvas *canvas);
/* A batch of the stroke: at most CANVAS_DABS dabs, in their order; skip: pairs of the first one
 * with a tile that are done; pairs: of all dabs from there on. need: tiles it takes at most. */
CanvasDone canvasPaint(Canvas *canvas, const CanvasBrush *brush, const CanvasDab *dabs,
                       uint32_t count, uint32_t skip, uint32_t pairs, uint32_t need);
/* If there is anything. */
void canvasUndo(Canvas *canvas);
void canvasRedo(Canvas *canvas);

/* The picture of a view, four bytes a pixel, or eight of CANVAS_RAW ones: of a square of so many
 * pixels, or what lies in the view of it. */
void canvasCmdView(Canvas *canvas, const CanvasView *view, uint32_t side, const GpuBuffer *picture);
/* Has the pool room for all that such a square may show? */
bool canvasHasRoom(const Canvas *canvas, const CanvasView *view, uint32_t side);

/* A view of so many pixels whose middle is a place, in fractions of a pixel; step: pixels of the
 * painting from pixel to pixel, 16 bits of fraction. canvas, or NULL: if it has no room for the
 * level that is right, a coarser one. */
CanvasView canvasView(const Canvas *canvas, int64_t x, int64_t y, uint64_t step, uint32_t width,
                      uint32_t height);

#endif
