/* SPDX-License-Identifier: MIT */
#include "strokes.h"

#include "common/array.h"
#include "common/message.h"

#include <math.h>

enum { MOST_SQUARES = 256 };

/* ---- Dabs ----------------------------------------------------------------------------------- */

/* The tile of a place, or the nearest one. */
static uint32_t tileOf(int32_t place) {
    const uint32_t tile = CANVAS_TILE * CANVAS_FRACTION;
    return place < 0 ? 0 : canvas_least((uint32_t)place / tile, CANVAS_SIDE - 1);
}

static bool add(Strokes *strokes, StrokeKind kind, CanvasDab dab) {
    if (!growItems(&strokes->items, strokes->count, &strokes->room, sizeof *strokes->items)) {
        return sayError("no memory for strokes");
    }
    strokes->items[strokes->count++] = (StrokeItem){kind, strokes->brush, dab};
    return true;
}

/* The unit of a brush's dabs: half the length plus the radius is at most 2^16 units. */
static uint32_t shiftOf(const CanvasBrush *brush) {
    uint32_t shift = 0;
    while (2 * brush->radius >> shift > 1u << 16) {
        ++shift;
    }
    return shift;
}

/* IEEE 754 defines square roots and quotients to the last bit: equal on every machine. */
static double lengthOf(CanvasPlace a, CanvasPlace b) {
    const int64_t x = (int64_t)b.at[0] - a.at[0], y = (int64_t)b.at[1] - a.at[1];
    return sqrt((double)(x * x + y * y));
}

/* Adds the dab from a to b, which is not too long for the brush. */
static bool addDab(Strokes *strokes, CanvasPlace a, CanvasPlace b) {
    const CanvasBrush *brush = &strokes->brush;
    const uint32_t soft = CANVAS_ONE - brush->hardness;
    const double length = lengthOf(a, b), whole = length > 0 ? length : 1;
    const int32_t end = CANVAS_PIXELS * CANVAS_FRACTION, radius = (int32_t)brush->radius;
    int32_t low[2], high[2], towards[2];
    for (int i = 0; i < 2; ++i) {
        low[i] = (a.at[i] < b.at[i] ? a : b).at[i] - radius;
        high[i] = (a.at[i] < b.at[i] ? b : a).at[i] + radius;
        towards[i] = (int32_t)floor(((double)b.at[i] - a.at[i]) * CANVAS_UNIT / whole + 0.5);
        if (high[i] < 0 || low[i] >= end) {
            return true; /* it touches nothing */
        }
    }
    /* an edge is a pixel wide at least, so that it has no steps */
    uint32_t gain = brush->radius / 2 > 256 ? brush->radius / 2 : 256;
    gain = soft ? canvas_least(gain, 256 * CANVAS_ONE / soft) : gain;
    CanvasDab dab = {.x = (int32_t)((a.at[0] + (int64_t)b.at[0]) >> 1),
                     .y = (int32_t)((a.at[1] + (int64_t)b.at[1]) >> 1),
                     .towardsX = length > 0 ? towards[0] : CANVAS_UNIT,
                     .towardsY = towards[1],
                     .shift = shiftOf(brush),
                     .gain = canvas_least(gain, 0x1FFFFu),
                     .opacity = brush->opacity,
                     .flow = brush->flow % CANVAS_ONE,
                     .box = {tileOf(low[0]), tileOf(low[1]), tileOf(high[0]), tileOf(high[1])}};
    dab.radius = brush->radius >> dab.shift;
    dab.inverse = (0x80000000u + dab.radius - 1) / dab.radius;
    dab.reach = (uint32_t)(length / 2) >> dab.shift;
    if (strokes->begun == CANVAS_DABS) {
        strokes->begun = 0; /* it goes on as another stroke */
    }
    return (strokes->begun || add(strokes, STROKE_BEGIN, dab)) && ++strokes->begun &&
           add(strokes, STROKE_DAB, dab);
}

bool strokesBegin(Strokes *strokes, const CanvasBrush *brush, CanvasPlace place) {
    strokes->brush = *brush;
    strokes->place = strokes->curve = place;
    strokes->begun = 0;
    strokes->way = INT64_MAX / 2;
    return strokesTo(strokes, place);
}

/* Returns the place at a fraction of the way. */
static CanvasPlace between(CanvasPlace a, CanvasPlace b, int64_t part, int64_t parts) {
    for (int i = 0; i < 2; ++i) {
        a.at[i] += (int32_t)(((int64_t)b.at[i] - a.at[i]) * part / parts);
    }
    return a;
}

/* Draws a line from the end of the curve with round dabs, a quarter of the radius apart. */
static bool flowTo(Strokes *strokes, CanvasPlace place) {
    const int64_t apart = strokes->brush.radius / 4 + 1;
    const CanvasPlace from = strokes->curve;
    const int64_t length = (int64_t)lengthOf(from, place);
    bool done = true;
    int64_t at = strokes->way < apart ? apart - strokes->way : 0;
    for (; done && at <= length; at += apart) {
        const CanvasPlace next = between(from, place, at, length ? length : 1);
        done = addDab(strokes, next, next);
    }
    strokes->way = length - (at - apart);
    strokes->curve = place;
    return done;
}

/* Draws lines from the end of the curve. */
static bool drawTo(Strokes *strokes, CanvasPlace place) {
    if (strokes->brush.flow < CANVAS_ONE) {
        return flowTo(strokes, place);
    }
    const CanvasBrush *brush = &strokes->brush;
    const int64_t longest = 2 * (((int64_t)65500 << shiftOf(brush)) - brush->radius);
    const CanvasPlace from = strokes->curve;
    const int64_t parts = (int64_t)lengthOf(from, place) / longest + 1;
    bool done = true;
    for (int64_t i = 1; done && i <= parts; ++i) {
        const CanvasPlace next = between(from, place, i, parts);
        done = addDab(strokes, strokes->curve, next);
        strokes->curve = next;
    }
    return done;
}

bool strokesTo(Strokes *strokes, CanvasPlace place) {
    strokes->place = place;
    return drawTo(strokes, place);
}

/* A parabola from the middle of a line to the middle of the next line; their common place is the
 * control point. Source: quadratic B-splines. */
bool strokesCurve(Strokes *strokes, CanvasPlace place) {
    const CanvasPlace from = strokes->curve, over = strokes->place;
    const CanvasPlace to = between(over, place, 1, 2);
    /* how far it is from being straight */
    const double bend = lengthOf(from, over) + lengthOf(over, to) - lengthOf(from, to);
    int64_t parts = 1;
    bool done = true;
    while (parts < 16 && bend > (double)(CANVAS_FRACTION / 4 * parts * parts)) {
        ++parts;
    }
    strokes->place = place;
    for (int64_t i = 1; done && i <= parts; ++i) {
        done = drawTo(
            strokes, between(between(from, over, i, parts), between(over, to, i, parts), i, parts));
    }
    return done;
}

bool strokesAsk(Strokes *strokes, StrokeKind kind) {
    return add(strokes, kind, (CanvasDab){0});
}

void strokesStop(Strokes *strokes) {
    while (strokes->count > strokes->next &&
           strokes->items[strokes->count - 1].kind == STROKE_DAB) {
        --strokes->count;
    }
}

bool strokesTakeBack(Strokes *strokes) {
    strokesStop(strokes);
    if (strokes->count > strokes->next && strokes->items[strokes->count - 1].kind == STROKE_BEGIN) {
        --strokes->count; /* nothing of it is painted */
        return true;
    }
    return strokesAsk(strokes, STROKE_UNDO);
}

bool strokesWait(const Strokes *strokes) {
    return strokes->first < strokes->count;
}

/* ---- Batches -------------------------------------------------------------------------------- */

static uint32_t tilesOf(CanvasBox box, uint32_t level) {
    const uint32_t width = (box.x1 >> level) - (box.x0 >> level) + 1;
    return box.x0 > box.x1 || box.y0 > box.y1 ? 0
                                              : width * ((box.y1 >> level) - (box.y0 >> level) + 1);
}

static CanvasBox join(CanvasBox a, CanvasBox b) {
    return (CanvasBox){canvas_least(a.x0, b.x0), canvas_least(a.y0, b.y0),
                       a.x1 > b.x1 ? a.x1 : b.x1, a.y1 > b.y1 ? a.y1 : b.y1};
}

static CanvasBox meet(CanvasBox a, CanvasBox b) {
    return (CanvasBox){a.x0 > b.x0 ? a.x0 : b.x0, a.y0 > b.y0 ? a.y0 : b.y0,
                       canvas_least(a.x1, b.x1), canvas_least(a.y1, b.y1)};
}

/* The next dabs, as many as may be painted in a frame, which are painted square by square: what a
 * square of tiles needs has room in the pool, and order matters within a tile alone. */
static void group(Strokes *strokes, const Canvas *canvas) {
    CanvasBox box = {UINT32_MAX, UINT32_MAX, 0, 0};
    uint32_t sum = 0;
    strokes->square = 0;
    strokes->shift = canvasShift(canvas, strokes->budget);
    for (strokes->next = strokes->first; strokes->next < strokes->count; ++strokes->next) {
        const StrokeItem *item = &strokes->items[strokes->next];
        const CanvasBox own = item->dab.box, both = join(box, own);
        const size_t count = strokes->next - strokes->first;
        sum += tilesOf(own, 0);
        if (item->kind != STROKE_DAB || (count && (sum > strokes->budget || count == CANVAS_DABS ||
                                                   tilesOf(both, strokes->shift) > MOST_SQUARES))) {
            break;
        }
        box = both;
    }
    strokes->box = box;
}

/* Adds a dab to the batch, if it may touch the square; returns how many tiles. */
static uint32_t addToBatch(Strokes *strokes, CanvasBatch *batch, const CanvasDab *dab) {
    const uint32_t tiles = tilesOf(meet(dab->box, batch->box), 0);
    strokes->batch[batch->count] = *dab;
    batch->count += tiles > 0;
    return tiles;
}

/* The group's dabs in its square, and the painted ones of the same stroke. */
static CanvasBatch batchOf(Strokes *strokes) {
    const uint32_t shift = strokes->shift, side = 1u << shift;
    const uint32_t columns = (strokes->box.x1 >> shift) - (strokes->box.x0 >> shift) + 1;
    const uint32_t x = ((strokes->box.x0 >> shift) + strokes->square % columns) << shift;
    const uint32_t y = ((strokes->box.y0 >> shift) + strokes->square / columns) << shift;
    CanvasBatch batch = {.dabs = strokes->batch,
                         .box = meet(strokes->box, (CanvasBox){x, y, x + side - 1, y + side - 1})};
    for (size_t i = strokes->first; i < strokes->next; ++i) {
        const uint32_t tiles = addToBatch(strokes, &batch, &strokes->items[i].dab);
        batch.most = tiles > batch.most ? tiles : batch.most;
    }
    batch.fresh = batch.count;
    for (uint32_t i = 0; batch.fresh && i < strokes->paintedCount; ++i) {
        (void)addToBatch(strokes, &batch, &strokes->painted[i]);
    }
    for (uint32_t level = 0; level < CANVAS_LEVELS; ++level) {
        batch.need += tilesOf(batch.box, level);
    }
    return batch;
}

/* The next square of dabs. */
static CanvasDone recordSquare(Strokes *strokes, Canvas *canvas, uint32_t *pairs) {
    if (strokes->next == strokes->first) {
        group(strokes, canvas);
    }
    const CanvasBatch batch = batchOf(strokes);
    const bool paints = batch.count && !strokes->whole;
    const CanvasDone done = paints ? canvasPaint(canvas, &batch) : CANVAS_DONE;
    strokes->sent = paints && done == CANVAS_DONE && canvas->cached;
    if (strokes->sent) {
        return CANVAS_LATER; /* the next frame shows whether all tiles were there */
    }
    strokes->torn = strokes->torn && paints;
    strokes->whole = false;
    if (done == CANVAS_DONE) {
        *pairs -= canvas_least(*pairs, batch.most * (batch.fresh + batch.count / 8));
        if (++strokes->square == tilesOf(strokes->box, strokes->shift)) {
            for (; strokes->first < strokes->next; ++strokes->first) {
                strokes->painted[strokes->paintedCount++] = strokes->items[strokes->first].dab;
            }
        }
    }
    return done;
}

void strokesRecord(Strokes *strokes, Canvas *canvas) {
    uint32_t pairs = strokes->budget;
    CanvasDone done = CANVAS_DONE;
    while (done != CANVAS_LATER && strokes->first < strokes->count) {
        const StrokeItem *item = &strokes->items[strokes->first];
        if (item->kind == STROKE_DAB && done == CANVAS_DONE) {
            done = pairs ? recordSquare(strokes, canvas, &pairs) : CANVAS_LATER;
            continue;
        }
        if (item->kind == STROKE_DAB) { /* the rest of the stroke has no room, either */
            ++strokes->lost;
        } else if (item->kind == STROKE_BEGIN) {
            strokes->paintedCount = 0;
            canvasBeginStroke(canvas, &item->brush);
        } else {
            canvasUndo(canvas, item->kind == STROKE_REDO);
        }
        done = item->kind == STROKE_DAB ? CANVAS_FULL : CANVAS_DONE;
        strokes->next = ++strokes->first;
    }
    if (strokes->first == strokes->count) { /* all is done */
        strokes->first = strokes->next = strokes->count = 0;
    }
}
