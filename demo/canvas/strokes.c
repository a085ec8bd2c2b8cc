/* SPDX-License-Identifier: MIT */
#include "strokes.h"

#include "common/array.h"
#include "common/message.h"

#include <math.h>

enum { MOST_SQUARES = 256 };

void strokesFree(Strokes *strokes) {
    free(strokes->items);
    *strokes = (Strokes){0};
}

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

static bool addDab(Strokes *strokes, int32_t x, int32_t y) {
    const CanvasBrush *brush = &strokes->brush;
    const int32_t radius = (int32_t)brush->radius, end = CANVAS_PIXELS * CANVAS_FRACTION;
    if (x + radius < 0 || y + radius < 0 || x - radius >= end || y - radius >= end) {
        return true; /* it touches nothing */
    }
    const uint32_t soft = CANVAS_ONE - brush->hardness;
    /* an edge is a pixel wide at least, so that it has no steps */
    uint32_t gain = brush->radius / 2 > 256 ? brush->radius / 2 : 256;
    gain = soft ? canvas_least(gain, 256 * CANVAS_ONE / soft) : gain;
    const CanvasDab dab = {
        .x = x,
        .y = y,
        .radius = brush->radius,
        .inverse = (0x80000000u + brush->radius - 1) / brush->radius,
        .gain = canvas_least(gain, 0x1FFFFu),
        .opacity = brush->opacity,
        .box = {tileOf(x - radius), tileOf(y - radius), tileOf(x + radius), tileOf(y + radius)}};
    strokes->begun = strokes->begun || add(strokes, STROKE_BEGIN, dab);
    return strokes->begun && add(strokes, STROKE_DAB, dab);
}

bool strokesBegin(Strokes *strokes, const CanvasBrush *brush, CanvasPlace place) {
    strokes->brush = *brush;
    strokes->place = place;
    strokes->left = 0;
    strokes->begun = false;
    return strokesTo(strokes, place);
}

/* A dab every quarter of the radius, along the line from the last place. IEEE 754 says what a
 * square root is to the last bit: it is equal everywhere. */
bool strokesTo(Strokes *strokes, CanvasPlace place) {
    const int32_t x = strokes->place.at[0], y = strokes->place.at[1];
    const int64_t wayX = (int64_t)place.at[0] - x, wayY = (int64_t)place.at[1] - y;
    const int64_t length = (int64_t)sqrt((double)(wayX * wayX + wayY * wayY)),
                  whole = length ? length : 1;
    const uint32_t quarter = strokes->brush.radius / 4;
    const int64_t spacing = quarter > CANVAS_FRACTION ? quarter : CANVAS_FRACTION;
    bool done = true;
    for (; done && strokes->left <= length; strokes->left += spacing) {
        done = addDab(strokes, (int32_t)(x + wayX * strokes->left / whole),
                      (int32_t)(y + wayY * strokes->left / whole));
    }
    strokes->left -= length;
    strokes->place = place;
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

/* What the group paints in its square. */
static CanvasBatch batchOf(Strokes *strokes) {
    const uint32_t shift = strokes->shift, side = 1u << shift;
    const uint32_t columns = (strokes->box.x1 >> shift) - (strokes->box.x0 >> shift) + 1;
    const uint32_t x = ((strokes->box.x0 >> shift) + strokes->square % columns) << shift;
    const uint32_t y = ((strokes->box.y0 >> shift) + strokes->square / columns) << shift;
    CanvasBatch batch = {.dabs = strokes->batch,
                         .box = meet(strokes->box, (CanvasBox){x, y, x + side - 1, y + side - 1})};
    for (size_t i = strokes->first; i < strokes->next; ++i) {
        const CanvasDab *dab = &strokes->items[i].dab;
        const uint32_t tiles = tilesOf(meet(dab->box, batch.box), 0);
        strokes->batch[batch.count] = *dab;
        batch.count += tiles > 0;
        batch.most = tiles > batch.most ? tiles : batch.most;
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
    const CanvasDone done = batch.count ? canvasPaint(canvas, &batch) : CANVAS_DONE;
    if (done == CANVAS_DONE) {
        *pairs -= canvas_least(*pairs, batch.most * batch.count);
        if (++strokes->square == tilesOf(strokes->box, strokes->shift)) {
            strokes->first = strokes->next;
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
