/* The canvas, what waits to be painted, the frames that do it, and the file that it is in.
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
    MurDatabase database; /* or NULL */
    const char *path;     /* of it, or where it is to be */
    GpuBuffer content;    /* for the next commit */
    bool logged;          /* part of what was saved is in path-wal */
} Painter;

/* Without a file. Of info, tiles, pool and budget may be 0: by the device. */
bool painterOpen(Painter *painter, const GpuOptions *options, CanvasInfo info);
void painterClose(Painter *painter);

/* Between them a frame records views; it has painted what its budget lets it. saves: it is a
 * checkpoint. */
bool painterBegin(Painter *painter, bool saves);
bool painterEnd(Painter *painter, VkSemaphore wait, VkSemaphore signal);

/* Paints all that waits. Then the device is done, and the host knows all that it has done. */
bool painterDrain(Painter *painter);
/* A view of all that was painted, read back into a new buffer. Waits. */
bool painterSee(Painter *painter, const CanvasView *view, GpuBuffer *picture);
/* The same, as a PNG. */
bool painterWrite(Painter *painter, const CanvasView *view, const char *path);

/* ---- In a file ------------------------------------------------------------------------------ */

/* It is a database: a tile is a page, what the canvas is besides is its blob. What was saved last
 * is what is opened, whatever happens in between. All return false after a line on stderr. */

/* Opens the painter with what is there, and reads it, or with a new painting; path may be NULL. It
 * has as many tiles as info says, or as it had if that is more. */
bool fileOpen(Painter *painter, const GpuOptions *options, const char *path, CanvasInfo info);
/* Paints all that waits, and saves; into a new file, if there is none. Afterwards the file alone
 * contains the painting. If another program that reads it prevents that, the painting is saved,
 * too, but painter->logged is set: path-wal belongs to the painting until fileFlush succeeds. */
bool fileSave(Painter *painter);
/* Moves what is in path-wal into the file. False, without a line on stderr: not yet. */
bool fileFlush(Painter *painter);

/* For painter.c: what the pager's file is. */
MurPageFile filePages(Painter *painter);

#endif
