/* The canvas, what waits to be painted, and the frames that do it.
 *
 * SPDX-License-Identifier: MIT */
#ifndef CANVAS_PAINTER_H
#define CANVAS_PAINTER_H

#include "strokes.h"

#include <murmuration/database.h>

typedef struct Painter {
    Gpu gpu;
    GpuFrames inFlight;
    Canvas canvas;
    Strokes strokes;
    uint32_t fixed; /* pairs of a dab and a tile a frame; 0: what fits into milliseconds */
    double milliseconds;
    double rate; /* pairs a millisecond; 0: not known */
    uint32_t pairs[GPU_FRAMES];
    MurDatabase database; /* file.h; or NULL */
    uint32_t saved;       /* stroke */
} Painter;

/* Timestamps of a frame. */
enum { PAINTER_BEGUN, PAINTER_PAINTED, PAINTER_SEEN };

/* tiles: of the pool; 0: by the device's memory. */
bool painterOpen(Painter *painter, const GpuOptions *options, uint32_t tiles);
void painterClose(Painter *painter);

/* Between them a frame records views; it has painted what its budget lets it. */
bool painterBegin(Painter *painter);
bool painterEnd(Painter *painter, VkSemaphore wait, VkSemaphore signal);

/* Paints all that waits. */
bool painterDrain(Painter *painter);
/* Goes on until the host knows all that the device has done. */
bool painterRest(Painter *painter);
/* A view, read back: its buffer is the host's. Waits; after painterDrain. */
bool painterSee(Painter *painter, const CanvasView *view, GpuBuffer *picture);

#endif
