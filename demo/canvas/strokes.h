/* Strokes become dabs, which wait in a queue until a frame has time for them. Order is kept: an
 * undo waits until all earlier dabs are painted. The cover of a pixel by a stroke is the largest
 * cover by one of its dabs or, with a flow below CANVAS_ONE, follows from the sum of their paint.
 * A frame therefore paints touched tiles over their state before the stroke, with all dabs of the
 * stroke there.
 * SPDX-License-Identifier: MIT */
#ifndef CANVAS_STROKES_H
#define CANVAS_STROKES_H

#include "canvas.h"

typedef enum StrokeKind { STROKE_BEGIN, STROKE_DAB, STROKE_UNDO, STROKE_REDO } StrokeKind;

typedef struct StrokeItem {
    StrokeKind kind;
    CanvasBrush brush; /* of STROKE_BEGIN */
    CanvasDab dab;
} StrokeItem;

typedef struct Strokes {
    uint32_t budget; /* of a frame, in pairs of a dab and a tile */
    StrokeItem *items;
    size_t count, room;
    /* The next dabs to paint, and the tiles that they may touch, in squares of 2^shift tiles per
     * side. Squares before square are done. */
    size_t first, next;
    CanvasBox box;
    uint32_t shift, square;
    CanvasDab batch[CANVAS_DABS];   /* the dabs that may touch the square */
    CanvasDab painted[CANVAS_DABS]; /* painted dabs of the same stroke */
    uint32_t paintedCount;
    /* If canvas->cached: the last frame paints the square; a frame has painted all of it, or only a
     * part, because tiles were missing. */
    bool sent, whole, torn;
    /* The stroke that is being drawn, its last place, and the end of its curve. */
    uint32_t begun; /* dabs that it has */
    CanvasBrush brush;
    CanvasPlace place, curve;
    int64_t way;   /* with flow: from the last dab to the end of the curve */
    uint64_t lost; /* dabs that the canvas had no room for */
} Strokes;

bool strokesBegin(Strokes *strokes, const CanvasBrush *brush, CanvasPlace place);
/* Continues the stroke by a straight line. */
bool strokesTo(Strokes *strokes, CanvasPlace place);
/* Continues the stroke by a smooth curve. The curve ends between the last two places; strokesTo
 * draws the rest. */
bool strokesCurve(Strokes *strokes, CanvasPlace place);
bool strokesAsk(Strokes *strokes, StrokeKind kind); /* undo or redo: the stroke has ended */
/* Ends the last stroke: drops its dabs that no frame has begun to paint. */
void strokesStop(Strokes *strokes);
/* Stops the last stroke and undoes its painted part. */
bool strokesTakeBack(Strokes *strokes);

bool strokesWait(const Strokes *strokes); /* is the queue not empty? */
/* Records as much of the queue as fits into a frame. */
void strokesRecord(Strokes *strokes, Canvas *canvas);

#endif
