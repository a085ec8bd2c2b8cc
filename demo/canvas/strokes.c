/* SPDX-License-Identifier: MIT */
#include "strokes.h"

#include "common/grow.h"
#include "common/say.h"

void strokesFree(Strokes *strokes) {
    free(strokes->dabs);
    free(strokes->jobs);
    *strokes = (Strokes){0};
}

/* ---- Dabs ----------------------------------------------------------------------------------- */

/* The tile of a place, or the nearest one. */
static uint32_t tileOf(int32_t place) {
    const int32_t most = CANVAS_PIXELS * CANVAS_FRACTION - 1;
    return (uint32_t)(place < 0      ? 0
                      : place < most ? place
                                     : most) /
           (CANVAS_TILE * CANVAS_FRACTION);
}

static bool addDab(Strokes *strokes, int32_t x, int32_t y) {
    const CanvasBrush *brush = &strokes->brush;
    const int32_t radius = (int32_t)brush->radius, end = CANVAS_PIXELS * CANVAS_FRACTION;
    if (x + radius < 0 || y + radius < 0 || x - radius >= end || y - radius >= end) {
        return true; /* it touches nothing */
    }
    const uint32_t left = tileOf(x - radius), top = tileOf(y - radius);
    const uint32_t width = tileOf(x + radius) - left + 1, height = tileOf(y + radius) - top + 1;
    const uint32_t soft = CANVAS_ONE - brush->hardness;
    /* an edge is a pixel wide at least, so that it has no steps */
    uint32_t gain = brush->radius / 2 > 256 ? brush->radius / 2 : 256;
    gain = soft ? canvas_least(gain, 256 * CANVAS_ONE / soft) : gain;
    if (!growItems(&strokes->dabs, strokes->dabCount, &strokes->dabRoom, sizeof *strokes->dabs)) {
        return sayError("no memory for strokes");
    }
    strokes->dabs[strokes->dabCount++] = (CanvasDab){.x = x,
                                                     .y = y,
                                                     .radius = brush->radius,
                                                     .inverse = (0x80000000u + brush->radius - 1) /
                                                                brush->radius,
                                                     .gain = canvas_least(gain, 0x1FFFFu),
                                                     .opacity = brush->opacity,
                                                     .corner = left | top << 16,
                                                     .size = width | height << 16};
    strokes->jobs[strokes->jobCount - 1].end = strokes->dabCount;
    return true;
}

static bool addJob(Strokes *strokes, StrokeKind kind) {
    if (!growItems(&strokes->jobs, strokes->jobCount, &strokes->jobRoom, sizeof *strokes->jobs)) {
        return sayError("no memory for strokes");
    }
    strokes->jobs[strokes->jobCount++] = (StrokeJob){
        .kind = kind, .brush = strokes->brush, .end = strokes->dabCount};
    return true;
}

bool strokesBegin(Strokes *strokes, const CanvasBrush *brush, CanvasPlace place) {
    strokes->brush = *brush;
    strokes->place = place;
    strokes->left = 0;
    strokes->drawing = addJob(strokes, STROKE_DABS);
    return strokes->drawing && strokesTo(strokes, place);
}

static int64_t squareRoot(int64_t value) {
    int64_t root = 0;
    for (int64_t bit = (int64_t)1 << 30; bit; bit >>= 1) {
        root |= (root + bit) * (root + bit) <= value ? bit : 0;
    }
    return root;
}

/* A dab every quarter of the radius, along the line from the last place. */
bool strokesTo(Strokes *strokes, CanvasPlace place) {
    const int32_t x = strokes->place.at[0], y = strokes->place.at[1];
    const int64_t wayX = (int64_t)place.at[0] - x, wayY = (int64_t)place.at[1] - y;
    const int64_t length = squareRoot(wayX * wayX + wayY * wayY), whole = length ? length : 1;
    const uint32_t quarter = strokes->brush.radius / 4;
    const int64_t spacing = quarter > CANVAS_FRACTION ? quarter : CANVAS_FRACTION;
    bool done = strokes->drawing;
    for (; done && strokes->left <= length; strokes->left += spacing) {
        done = addDab(strokes, (int32_t)(x + wayX * strokes->left / whole),
                      (int32_t)(y + wayY * strokes->left / whole));
    }
    strokes->left -= length;
    strokes->place = place;
    return done;
}

void strokesEnd(Strokes *strokes) {
    strokes->drawing = false;
}

bool strokesAsk(Strokes *strokes, StrokeKind kind) {
    strokesEnd(strokes);
    return addJob(strokes, kind);
}

bool strokesWait(const Strokes *strokes) {
    return strokes->nextDab < strokes->dabCount ||
           strokes->nextJob + (strokes->drawing ? 1 : 0) < strokes->jobCount;
}

/* ---- Batches -------------------------------------------------------------------------------- */

/* Tiles from x0 to x1 and y0 to y1. */
typedef struct Box {
    uint32_t x0, y0, x1, y1;
} Box;

static uint32_t boxTiles(const Box *box, uint32_t level) {
    const uint32_t width = (box->x1 >> level) - (box->x0 >> level) + 1;
    return width * ((box->y1 >> level) - (box->y0 >> level) + 1);
}

/* That a dab may touch. */
static uint32_t tilesOf(const CanvasDab *dab) {
    return (dab->size & 0xFFFFu) * (dab->size >> 16);
}

/* The box of a dab's tiles and another box. */
static Box boxWith(const Box *box, const CanvasDab *dab) {
    const uint32_t x = dab->corner & 0xFFFFu, y = dab->corner >> 16;
    const uint32_t endX = x + (dab->size & 0xFFFFu) - 1, endY = y + (dab->size >> 16) - 1;
    return (Box){canvas_least(box->x0, x), canvas_least(box->y0, y),
                 box->x1 > endX ? box->x1 : endX, box->y1 > endY ? box->y1 : endY};
}

/* Tiles of all levels that so many pairs of a dab and a tile take at most. */
static uint32_t needOf(const Box *box, uint32_t pairs) {
    const uint32_t touched = canvas_least(pairs, boxTiles(box, 0));
    uint32_t need = 0;
    for (uint32_t level = 0; level < CANVAS_LEVELS; ++level) {
        need += canvas_least(touched, boxTiles(box, level));
    }
    return need;
}

/* The next dabs, as far as pairs and tiles go. A dab that does not fit at once is a batch by
 * itself, as often as it takes. */
static CanvasBatch gather(const Strokes *strokes, size_t end, uint32_t pairs, uint32_t tiles) {
    CanvasBatch batch = {
        .dabs = strokes->dabs + strokes->nextDab, .first = strokes->skip, .end = UINT32_MAX};
    Box box = {UINT32_MAX, UINT32_MAX, 0, 0};
    const size_t most = end - strokes->nextDab;
    while (batch.count < most && batch.count < CANVAS_DABS && batch.end == UINT32_MAX) {
        const CanvasDab *dab = &batch.dabs[batch.count];
        const Box both = boxWith(&box, dab);
        uint32_t own = tilesOf(dab) - batch.first;
        while (batch.pairs + own > pairs || needOf(&both, batch.pairs + own) > tiles) {
            if (batch.count > 0) {
                return batch;
            }
            own /= 2;
            batch.end = batch.first + own;
        }
        if (batch.first) {
            batch.end = batch.first + own;
        }
        box = both;
        batch.pairs += own;
        batch.most = batch.most > own ? batch.most : own;
        batch.need = needOf(&box, batch.pairs);
        ++batch.count;
    }
    return batch;
}

static CanvasDone recordDabs(Strokes *strokes, Canvas *canvas, StrokeJob *job, uint32_t *pairs) {
    CanvasDone done = CANVAS_DONE;
    while (done == CANVAS_DONE && *pairs && strokes->nextDab < job->end) {
        if (!job->begun) {
            canvasBeginStroke(canvas);
            job->begun = true;
        }
        const CanvasBatch batch = gather(strokes, job->end, *pairs, canvasMost(canvas));
        done = canvasPaint(canvas, &job->brush, &batch);
        if (done == CANVAS_DONE) {
            const bool part = batch.end < tilesOf(batch.dabs);
            *pairs -= batch.pairs;
            strokes->nextDab += part ? 0 : batch.count;
            strokes->skip = part ? batch.end : 0;
        } else if (done == CANVAS_FULL) {
            strokes->lost += job->end - strokes->nextDab;
            strokes->nextDab = job->end;
            strokes->skip = 0;
            return CANVAS_DONE;
        }
    }
    return done == CANVAS_DONE && strokes->nextDab < job->end ? CANVAS_LATER : done;
}

void strokesRecord(Strokes *strokes, Canvas *canvas, uint32_t pairs) {
    CanvasDone done = CANVAS_DONE;
    while (done == CANVAS_DONE && strokes->nextJob < strokes->jobCount) {
        StrokeJob *job = &strokes->jobs[strokes->nextJob];
        if (job->kind == STROKE_DABS) {
            done = recordDabs(strokes, canvas, job, &pairs);
        } else {
            canvasUndo(canvas, job->kind == STROKE_REDO);
        }
        if (strokes->drawing && strokes->nextJob + 1 == strokes->jobCount) {
            break;
        }
        strokes->nextJob += done == CANVAS_DONE ? 1 : 0;
    }
    if (strokes->nextJob == strokes->jobCount) { /* all is done */
        strokes->nextJob = strokes->jobCount = strokes->nextDab = strokes->dabCount = 0;
    }
}
