/* The canvas, the queue of strokes, the frames that paint them, and the file.
 * SPDX-License-Identifier: MIT */
#ifndef CANVAS_PAINTER_H
#define CANVAS_PAINTER_H

#include "common/store.h"
#include "strokes.h"

typedef struct Painter {
    Gpu gpu;
    GpuFrames inFlight;
    Canvas canvas;
    Strokes strokes;
    Store *store;      /* or NULL */
    GpuBuffer content; /* for the next commit */
    char path[1100];   /* of the file, also if it does not exist yet; empty: none */
    bool logged;       /* a part of the last save is in path-wal */
    bool stuck;        /* host memory is full of changes that could not be saved */
} Painter;

/* Returns whether another program writes the painting: this one only reads it. */
static inline bool painterReads(const Painter *painter) {
    return painter->store && painter->store->readOnly;
}

/* Opens a painter without a file, and the device if it is not open. tiles, pool and budget may be
 * 0: the device's defaults. */
bool painterOpen(Painter *painter, const GpuOptions *options, CanvasInfo info);
/* Closes the painting, after it waited for the device, which stays for the next painting. */
void painterLeave(Painter *painter);
void painterClose(Painter *painter);

/* Begin and end a frame, which may record views in between. Begin records strokes up to the budget.
 * saves: the frame is a checkpoint, and paints nothing. */
bool painterBegin(Painter *painter, bool saves);
bool painterEnd(Painter *painter, VkSemaphore wait, VkSemaphore signal);
/* Ends a frame, and waits for the device and its reports. Returns false if `recorded` is false. */
bool painterFinish(Painter *painter, bool recorded);
/* Paints all queued strokes, and waits for the device and its reports. */
bool painterDrain(Painter *painter);
/* Finds the tiles of level 0 that are painted: the first, and the one after the last, along each
 * axis. Returns false if there are none, or after a line on stderr. Waits. */
bool painterBounds(Painter *painter, uint32_t low[2], uint32_t high[2]);
/* Paints all queued strokes and reads a view back into a new buffer. Waits. */
bool painterSee(Painter *painter, const CanvasView *view, GpuBuffer *picture);
/* The same, as a PNG, with alpha if the view has it. */
bool painterWrite(Painter *painter, const CanvasView *view, const char *path);

/* ---- In a file ------------------------------------------------------------------------------ */

/* A file is a database: tiles are pages, the rest of the canvas is the blob. Opening always finds
 * the last complete save. All return false after a line on stderr. */

/* Opens the painter with the file's painting, or with a new one. path may be NULL. The painting has
 * info.tiles tiles, or the file's number if that is larger. If another program has the file open
 * for writing, the painter only reads it. A path that begins with "postgresql://" is a database on
 * a server. */
bool fileOpen(Painter *painter, const GpuOptions *options, const char *path, CanvasInfo info);
/* Saves all into a new file, which is the painter's file from then on. */
bool fileSaveAs(Painter *painter, const char *path);
/* Paints all queued strokes and saves, into a new file if there is none. Afterwards the file alone
 * contains the painting. If another program that reads the file prevents this, the painting is
 * saved, but painter->logged is set: path-wal belongs to the painting until fileFlush succeeds. */
bool fileSave(Painter *painter);
/* Saves the painting as it is, without queued strokes, into the existing file. */
bool fileCheckpoint(Painter *painter);
/* Returns a tile's texels after a flush, in host memory or read into buffer. NULL: failed. */
void *fileTile(Painter *painter, uint32_t tile, void *buffer);
/* Moves the content of path-wal into the file. Returns false, without a line on stderr, if another
 * program still prevents it. */
bool fileFlush(Painter *painter);

/* Closes the file or the connection, if there is one. Unsaved changes are lost. */
void fileClose(Painter *painter);
/* Returns the pager's file. For painter.c. */
MurPageFile filePages(Painter *painter);

#endif
