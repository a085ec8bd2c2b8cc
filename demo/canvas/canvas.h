/* A painting on the GPU: tiles in a pool, found by a table; strokes, undo, views.
 *
 * Functions record into gpu->cmd, and none waits unless its comment says so. canvasBegin and
 * canvasRest read the reports of earlier frames.
 * SPDX-License-Identifier: MIT */
#ifndef CANVAS_CANVAS_H
#define CANVAS_CANVAS_H

#include "common/gpu_frames.h"
#include "shaders/canvas_layout.h"

#include <murmuration/pager.h>

/* A place of the painting, across and down, in fractions of a pixel. */
typedef struct CanvasPlace {
    int32_t at[2];
} CanvasPlace;

/* The brush of a stroke. */
typedef struct CanvasBrush {
    uint32_t color[2]; /* a texel; 0: an eraser */
    uint32_t layer;
    uint32_t radius;   /* in fractions of a pixel */
    uint32_t hardness; /* 0 ... CANVAS_ONE: only the edge of a pixel is soft */
    uint32_t opacity;  /* 1 ... CANVAS_ONE, of the stroke */
    uint32_t flow;     /* 1 ... CANVAS_ONE, the paint of a dab; below, dabs add up */
} CanvasBrush;

/* The state's words from CANVAS_FREE on, at the end of a frame. */
typedef struct CanvasReport {
    uint32_t free, used, logged, keys, failed, oldest; /* failed, if cached: of this frame */
} CanvasReport;

enum { CANVAS_LEAST_POOL = 256, CANVAS_KERNELS = 6, CANVAS_VERSION = 6 };

/* A painting in a file, except its tiles: this, and the memory up to CANVAS_PART_FREE's end. */
typedef struct CanvasContent {
    uint32_t version, tiles;
    uint32_t logSize; /* of the log, and most keys of the table */
    /* Strokes painted so far; those above applied are undone, those up to dropped stay for ever. */
    uint32_t strokes, applied, dropped;
    /* The view of the last save: the middle, in fractions of a pixel; pixels of the painting per
     * pixel, as quarters of a power of two. Since version 6. */
    int32_t look[2], zoom;
    uint32_t looked; /* 0: there is none */
} CanvasContent;

typedef struct Canvas {
    Gpu *gpu;
    MurTable table;
    MurPager pager;
    GpuKernel kernels[CANVAS_KERNELS];
    GpuBuffer memory;
    uint64_t at[CANVAS_PARTS + 1]; /* offsets of parts in memory, in bytes, and the end */
    GpuBuffer told;                /* reports of frames */
    CanvasContent now;
    uint32_t pool;
    bool cached; /* host memory is a cache of the file: tiles may be missing for some frames */
    uint32_t batch, stroke; /* the last one's number */
    CanvasBrush brush;      /* of the stroke */
    uint32_t droppable;     /* the stroke may drop older strokes up to this one */
    bool asks, agreed;      /* asks: only a stroke that the user agreed to may drop any */
    CanvasReport report;
    uint32_t taken, takenBefore; /* tiles at most, by the two frames after the report */
    uint64_t frame;              /* the last begun, from 1 on */
    uint64_t droppedIn;          /* frame */
    bool broken;                 /* a command could not be recorded */
} Canvas;

typedef struct CanvasInfo {
    uint32_t tiles;  /* of a painting at most */
    uint32_t pool;   /* tiles that the GPU has room for */
    uint32_t host;   /* tiles that host memory has room for, twice the pool or more; 0: all */
    uint32_t budget; /* painter.c: pairs of a dab and a tile a frame */
    MurPageFile file;
    const void *content; /* NULL: a new one, for which the file is not read */
    uint64_t size;       /* bytes of content */
} CanvasInfo;

/* Waits. False after a line on stderr. */
bool canvasOpen(Gpu *gpu, const CanvasInfo *info, Canvas *canvas);
void canvasClose(Canvas *canvas);

/* Begin and end a frame. Begin reads the report of an earlier frame. saves: the frame's tiles are a
 * checkpoint of the pager. */
void canvasBegin(Canvas *canvas, bool saves);
void canvasEnd(Canvas *canvas);
/* When the device has finished all frames: the report is of the last one. */
void canvasRest(Canvas *canvas);
/* Returns the number of tiles in use, also by undo, as of the report. */
uint32_t canvasTiles(const Canvas *canvas);
/* Copies the table into a buffer: the number of entries, a key per tile, a value per tile. */
bool canvasCmdEntries(Canvas *canvas, const GpuBuffer *entries);
/* Into a new buffer, once the frame is done. */
bool canvasSave(Canvas *canvas, GpuBuffer *content);

typedef enum CanvasDone {
    CANVAS_DONE,
    CANVAS_LATER, /* nothing was recorded: try in the next frame */
    CANVAS_FULL   /* nothing was recorded, and no frame will change that */
} CanvasDone;

/* Dabs of a stroke to paint together in a box: the new ones, and the painted ones of the same
 * stroke. */
typedef struct CanvasBatch {
    const CanvasDab *dabs;
    uint32_t count, fresh; /* fresh: the first ones, which are not painted yet */
    CanvasBox box;         /* in a square of canvasShift */
    uint32_t most;         /* tiles in it that a new dab may touch */
    uint32_t need;         /* tiles of all levels that the box has */
} CanvasBatch;

/* Returns the logarithm of the side of the largest square of at most N tiles that may be painted
 * at once. */
uint32_t canvasShift(const Canvas *canvas, uint32_t tiles);
/* Begins a stroke. Undone strokes can no longer be redone. */
void canvasBeginStroke(Canvas *canvas, const CanvasBrush *brush);
CanvasDone canvasPaint(Canvas *canvas, const CanvasBatch *batch);
/* Undoes or redoes a stroke, if there is one. */
void canvasUndo(Canvas *canvas, bool redo);

/* The picture of a view, four bytes a pixel. */
void canvasCmdView(Canvas *canvas, const CanvasView *view, const GpuBuffer *picture);
/* Has the pool room for all that it may show? Views without are not drawn. */
bool canvasHasRoom(const Canvas *canvas, const CanvasView *view);

/* Of a place in pixels; the nearest that is no farther from the painting than it is wide. */
CanvasPlace canvasPlace(double x, double y);
/* A view of width * height pixels around a place; step: pixels of the painting from pixel to pixel.
 * canvas, or NULL: if it has no room for the level that is right, a coarser one. */
CanvasView canvasView(const Canvas *canvas, CanvasPlace middle, double step, uint32_t width,
                      uint32_t height);

#endif
