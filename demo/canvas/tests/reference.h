/* Paints strokes on the CPU into a dense image, with which the GPU's canvas is compared.
 * SPDX-License-Identifier: MIT */
#ifndef CANVAS_REFERENCE_H
#define CANVAS_REFERENCE_H

#include "painter.h"

enum { REFERENCE_STROKES = 8192 };

typedef struct ReferenceStroke {
    CanvasBrush brush;
    CanvasDab *dabs;
    size_t count;
} ReferenceStroke;

typedef struct Reference {
    uint32_t x, y, side; /* the square of the canvas in which strokes paint */
    uint16_t (*levels[CANVAS_LAYERS][CANVAS_LEVELS])[4];
    uint32_t *gathered; /* per pixel of the square: see canvas_gather */
    ReferenceStroke strokes[REFERENCE_STROKES];
    uint32_t count, applied, painted; /* applied: strokes that are not undone */
} Reference;

/* side: a power of two from CANVAS_TILE on, of which x and y are multiples. */
bool referenceOpen(Reference *reference, uint32_t x, uint32_t y, uint32_t side);
void referenceClose(Reference *reference);

/* Adds a stroke: items[0] begins it, and `count` dabs follow. */
bool referenceStroke(Reference *reference, const StrokeItem *items, size_t count);

/* Paints all strokes that are not undone. Compares each texel of each level and layer, which the
 * pager writes to host memory. Also compares some views, which make tiles resident again. */
bool referenceCheck(Reference *reference, Painter *painter);

#endif
