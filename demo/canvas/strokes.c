/* SPDX-License-Identifier: MIT */
#include "strokes.h"

#include "common/say.h"

#include <stdlib.h>
#include <string.h>

void strokesFree(Strokes *strokes) {
    free(strokes->dabs);
    free(strokes->jobs);
    *strokes = (Strokes){0};
}

static bool grow(void **items, size_t size, size_t count, size_t *room) {
    if (count < *room) {
        return true;
    }
    void *more = realloc(*items, 2 * (count + 64) * size);
    if (!more) {
        return sayError("no memory for strokes");
    }
    *items = more;
    *room = 2 * (count + 64);
    return true;
}

static int32_t clampTo(int64_t value, int32_t low, int32_t high) {
    return (int32_t)(value < low ? low : value > high ? high : value);
}

/* Tiles from x0 to x1 and y0 to y1 that a dab may touch. */
typedef struct Box {
    uint32_t x0, y0, x1, y1;
} Box;

static Box dabBox(const CanvasDab *dab) {
    const uint32_t pairs = CANVAS_SIDE - 1, row = dab->opacity >> 16;
    const uint32_t x = dab->corner & pairs, y = dab->corner >> CANVAS_SIDE_BITS & pairs;
    return (Box){x, y, x + row - 1, y + (dab->corner >> 26) - 1};
}

static uint32_t boxTiles(const Box *box, uint32_t level) {
    const uint32_t width = (box->x1 >> level) - (box->x0 >> level) + 1;
    return width * ((box->y1 >> level) - (box->y0 >> level) + 1);
}

/* False: it touches nothing. */
static bool makeDab(const CanvasBrush *brush, int32_t x, int32_t y, CanvasDab *dab) {
    const int32_t tile = CANVAS_TILE * CANVAS_FRACTION, radius = (int32_t)brush->radius;
    const int32_t end = CANVAS_PIXELS * CANVAS_FRACTION - 1;
    if (x + radius < 0 || y + radius < 0 || x - radius > end || y - radius > end) {
        return false;
    }
    const uint32_t x0 = (uint32_t)(clampTo(x - radius, 0, end) / tile);
    const uint32_t y0 = (uint32_t)(clampTo(y - radius, 0, end) / tile);
    const uint32_t width = (uint32_t)(clampTo(x + radius, 0, end) / tile) - x0 + 1;
    const uint32_t height = (uint32_t)(clampTo(y + radius, 0, end) / tile) - y0 + 1;
    const uint32_t soft = CANVAS_ONE - brush->hardness;
    /* an edge is a pixel wide at least, so that it has no steps */
    uint32_t gain = brush->radius / 2 > 256 ? brush->radius / 2 : 256;
    gain = soft && 256 * CANVAS_ONE / soft < gain ? 256 * CANVAS_ONE / soft : gain;
    *dab = (CanvasDab){.x = x,
                       .y = y,
                       .radius = brush->radius,
                       .inverse = (0x80000000u + brush->radius - 1) / brush->radius,
                       .gain = gain < 0x1FFFFu ? gain : 0x1FFFFu,
                       .opacity = brush->opacity | width << 16,
                       .corner = x0 | y0 << CANVAS_SIDE_BITS | height << 26};
    return true;
}

static bool addDab(Strokes *strokes, int32_t x, int32_t y) {
    CanvasDab dab;
    if (!makeDab(&strokes->brush, x, y, &dab)) {
        return true;
    }
    if (!grow((void **)&strokes->dabs, sizeof dab, strokes->dabCount, &strokes->dabRoom)) {
        return false;
    }
    strokes->dabs[strokes->dabCount++] = dab;
    strokes->jobs[strokes->jobCount - 1].end = strokes->dabCount;
    return true;
}

static bool addJob(Strokes *strokes, StrokeKind kind) {
    if (!grow((void **)&strokes->jobs, sizeof *strokes->jobs, strokes->jobCount,
              &strokes->jobRoom)) {
        return false;
    }
    strokes->jobs[strokes->jobCount++] = (StrokeJob){
        .kind = kind, .brush = strokes->brush, .end = strokes->dabCount};
    return true;
}

bool strokesBegin(Strokes *strokes, const CanvasBrush *brush, int32_t x, int32_t y) {
    strokes->brush = *brush;
    strokes->x = x;
    strokes->y = y;
    strokes->left = 0;
    strokes->drawing = addJob(strokes, STROKE_DABS);
    return strokes->drawing && strokesTo(strokes, x, y);
}

static int64_t squareRoot(int64_t value) {
    int64_t root = 0;
    for (int64_t bit = (int64_t)1 << 30; bit; bit >>= 1) {
        root |= (root + bit) * (root + bit) <= value ? bit : 0;
    }
    return root;
}

/* A dab every quarter of the radius, along the line from the last place. */
bool strokesTo(Strokes *strokes, int32_t x, int32_t y) {
    const int64_t wayX = (int64_t)x - strokes->x, wayY = (int64_t)y - strokes->y;
    const int64_t length = squareRoot(wayX * wayX + wayY * wayY);
    const uint32_t quarter = strokes->brush.radius / 4;
    const int64_t spacing = quarter > CANVAS_FRACTION ? quarter : CANVAS_FRACTION;
    bool done = strokes->drawing;
    for (; done && strokes->left <= length; strokes->left += spacing) {
        const int64_t at = length ? strokes->left : 0, whole = length ? length : 1;
        done = addDab(strokes, (int32_t)(strokes->x + wayX * at / whole),
                      (int32_t)(strokes->y + wayY * at / whole));
    }
    strokes->left -= length;
    strokes->x = x;
    strokes->y = y;
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

typedef struct Batch {
    uint32_t dabs, pairs, need;
    uint32_t rest; /* pairs of the last dab that are painted then, if that is not all */
} Batch;

/* Tiles of all levels that so many pairs take at most. */
static uint32_t needOf(const Box *box, uint32_t pairs) {
    const uint32_t touched = canvas_least(pairs, boxTiles(box, 0));
    uint32_t need = 0;
    for (uint32_t level = 0; level < CANVAS_LEVELS; ++level) {
        need += canvas_least(touched, boxTiles(box, level));
    }
    return need;
}

/* The next dabs, as far as pairs and the tiles that they take go; of the first one a part. */
static Batch gather(Strokes *strokes, size_t end, uint32_t pairs, uint32_t tiles) {
    Batch batch = {0};
    Box box = {CANVAS_SIDE, CANVAS_SIDE, 0, 0};
    for (size_t i = strokes->nextDab; i < end && batch.dabs < CANVAS_DABS && !batch.rest; ++i) {
        const Box own = dabBox(&strokes->dabs[i]);
        const Box both = {own.x0 < box.x0 ? own.x0 : box.x0, own.y0 < box.y0 ? own.y0 : box.y0,
                          own.x1 > box.x1 ? own.x1 : box.x1, own.y1 > box.y1 ? own.y1 : box.y1};
        const uint32_t done = batch.dabs ? 0 : strokes->skip, left = boxTiles(&own, 0) - done;
        uint32_t count = canvas_least(left, pairs - batch.pairs);
        while (count && needOf(&both, batch.pairs + count) > tiles) {
            count = batch.dabs ? 0 : count / 2;
        }
        if (count == 0) {
            break;
        }
        box = both;
        strokes->dabs[i].first = batch.pairs;
        batch.pairs += count;
        batch.rest = count < left ? done + count : 0;
        batch.need = needOf(&box, batch.pairs);
        ++batch.dabs;
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
        const Batch batch = gather(strokes, job->end, *pairs, canvasMost(canvas));
        done = canvasPaint(canvas, &job->brush, strokes->dabs + strokes->nextDab, batch.dabs,
                           strokes->skip, batch.pairs, batch.need);
        if (done == CANVAS_DONE) {
            *pairs -= batch.pairs;
            strokes->nextDab += batch.dabs - (batch.rest ? 1 : 0);
            strokes->skip = batch.rest;
        } else if (done == CANVAS_FULL) {
            strokes->lost += job->end - strokes->nextDab;
            strokes->nextDab = job->end;
            strokes->skip = 0;
            return CANVAS_DONE;
        }
    }
    return done == CANVAS_DONE && strokes->nextDab < job->end ? CANVAS_LATER : done;
}

uint32_t strokesRecord(Strokes *strokes, Canvas *canvas, uint32_t pairs) {
    const uint32_t most = pairs < CANVAS_PAIRS ? pairs : CANVAS_PAIRS;
    uint32_t left = most;
    CanvasDone done = CANVAS_DONE;
    while (done == CANVAS_DONE && strokes->nextJob < strokes->jobCount) {
        StrokeJob *job = &strokes->jobs[strokes->nextJob];
        if (job->kind == STROKE_DABS) {
            done = recordDabs(strokes, canvas, job, &left);
        } else {
            (job->kind == STROKE_UNDO ? canvasUndo : canvasRedo)(canvas);
        }
        const bool drawing = strokes->drawing && strokes->nextJob + 1 == strokes->jobCount;
        if (done != CANVAS_DONE || drawing) {
            break;
        }
        ++strokes->nextJob;
    }
    if (strokes->nextJob == strokes->jobCount) { /* all is done */
        strokes->nextJob = strokes->jobCount = strokes->nextDab = strokes->dabCount = 0;
    }
    return most - left;
}
