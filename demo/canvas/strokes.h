/* Strokes become dabs, and wait in a queue until a frame has time for them. Nothing overtakes: an
 * undo waits until all before it is painted.
 *
 * SPDX-License-Identifier: MIT */
#ifndef CANVAS_STROKES_H
#define CANVAS_STROKES_H

#include "canvas.h"

typedef enum StrokeKind { STROKE_BEGIN, STROKE_DAB, STROKE_UNDO, STROKE_REDO } StrokeKind;

typedef struct StrokeItem {
    StrokeKind kind;
    CanvasBrush brush; /* of what begins */
    CanvasDab dab;
} StrokeItem;

typedef struct Strokes {
    uint32_t budget; /* of a frame, in pairs of a dab and a tile */
    StrokeItem *items;
    size_t count, room;
    /* Dabs that are painted next, from the first on: the tiles that they may touch, in squares of
     * 2^shift tiles a side, of which those before square are done. */
    size_t first, next;
    CanvasBox box;
    uint32_t shift, square;
    CanvasDab batch[CANVAS_DABS]; /* of these dabs, those that may touch the square */
    /* The stroke that is being drawn: where it is, and how far the next dab is. */
    bool begun; /* it has a dab */
    CanvasBrush brush;
    CanvasPlace place;
    int64_t left;
    uint64_t lost; /* dabs that the canvas had no room for */
} Strokes;

void strokesFree(Strokes *strokes);

bool strokesBegin(Strokes *strokes, const CanvasBrush *brush, CanvasPlace place);
bool strokesTo(Strokes *strokes, CanvasPlace place);
bool strokesAsk(Strokes *strokes, StrokeKind kind); /* undo or redo: the stroke has ended */
/* Ends the last stroke: drops its dabs that no frame has begun to paint. */
void strokesStop(Strokes *strokes);
/* Stops the last stroke and undoes its painted part. */
bool strokesTakeBack(Strokes *strokes);

bool strokesWait(const Strokes *strokes); /* is anything left to do? */
/* Records what fits into a frame. */
void strokesRecord(Strokes *strokes, Canvas *canvas);

#endif
