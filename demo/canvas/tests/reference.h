/* The same painting by the CPU, over a dense image: what the GPU's is compared with.
 *
 * SPDX-License-Identifier: MIT */
#ifndef CANVAS_REFERENCE_H
#define CANVAS_REFERENCE_H

#include "painter.h"

typedef struct ReferenceStroke {
    CanvasBrush brush;
    CanvasDab *dabs;
    size_t count;
} ReferenceStroke;

typedef struct Reference {
    uint32_t x, y, side; /* a square of the painting; nothing is painted beside it */
    uint16_t (*levels[CANVAS_LAYERS][CANVAS_LEVELS])[4];
    ReferenceStroke *strokes;
    uint32_t count, applied, room, painted;
} Reference;

/* side: a power of two from CANVAS_TILE on, of which x and y are multiples. */
bool referenceOpen(Reference *reference, uint32_t x, uint32_t y, uint32_t side);
void referenceClose(Reference *reference);

/* What begins, and so many dabs behind it. */
bool referenceStroke(Reference *reference, const StrokeItem *items, size_t count);
void referenceUndo(Reference *reference);
void referenceRedo(Reference *reference);

/* Paints all strokes that count and compares every texel of every level and layer, as the pager has
 * them in host memory, and some views, for which they come back. */
bool referenceCheck(Reference *reference, Painter *painter);

#endif
