/* SPDX-License-Identifier: MIT */
#include "reference.h"

#include "common/say.h"

#include <stdlib.h>
#include <string.h>

typedef uint16_t Texel[4];

bool referenceOpen(Reference *reference, uint32_t x, uint32_t y, uint32_t side) {
    *reference = (Reference){.x = x, .y = y, .side = side};
    if (side < CANVAS_TILE || side > CANVAS_PIXELS || side & (side - 1) || x % side || y % side ||
        x >= CANVAS_PIXELS || y >= CANVAS_PIXELS) {
        return sayError("a reference is a square at multiples of its side, a power of two");
    }
    bool made = true;
    while (side >> reference->levelCount && reference->levelCount < CANVAS_LEVELS) {
        const size_t row = side >> reference->levelCount;
        for (uint32_t layer = 0; layer < CANVAS_LAYERS; ++layer) {
            Texel *texels = calloc(row * row, sizeof *texels);
            reference->levels[layer][reference->levelCount] = texels;
            made = made && texels;
        }
        ++reference->levelCount;
    }
    return made || sayError("no memory for a reference of %u pixels a side", side);
}

static void dropFrom(Reference *reference, uint32_t first) {
    while (reference->count > first) {
        free(reference->strokes[--reference->count].dabs);
    }
}

void referenceClose(Reference *reference) {
    for (uint32_t i = 0; i < CANVAS_LAYERS * CANVAS_LEVELS; ++i) {
        free(reference->levels[i / CANVAS_LEVELS][i % CANVAS_LEVELS]);
    }
    dropFrom(reference, 0);
    free(reference->strokes);
    *reference = (Reference){0};
}

bool referenceStroke(Reference *reference, const CanvasBrush *brush, const CanvasDab *dabs,
                     size_t count) {
    if (count == 0) {
        return true; /* beside the canvas: nothing that could be undone */
    }
    dropFrom(reference, reference->applied);
    if (reference->painted > reference->count) {
        reference->painted = UINT32_MAX; /* what is painted has what is gone */
    }
    if (reference->count == reference->room) {
        reference->room = 2 * reference->room + 64;
        ReferenceStroke *more = realloc(reference->strokes,
                                        reference->room * sizeof *reference->strokes);
        if (!more) {
            return sayError("no memory for strokes");
        }
        reference->strokes = more;
    }
    CanvasDab *copy = malloc(count * sizeof *dabs);
    if (!copy) {
        return sayError("no memory for strokes");
    }
    memcpy(copy, dabs, count * sizeof *dabs);
    reference->strokes[reference->count++] = (ReferenceStroke){*brush, copy, count};
    reference->applied = reference->count;
    return true;
}

void referenceUndo(Reference *reference) {
    reference->applied -= reference->applied > 0;
}

void referenceRedo(Reference *reference) {
    reference->applied += reference->applied < reference->count;
}

/* ---- Painting ------------------------------------------------------------------------------- */

static void paintPixel(Texel texel, const uint32_t color[2], uint32_t cover) {
    for (uint32_t i = 0; i < 4; ++i) {
        const uint32_t own = color[i / 2] >> 16 * (i % 2) & 0xFFFFu;
        texel[i] = (uint16_t)((own * cover + texel[i] * (CANVAS_ONE - cover) + CANVAS_HALF) >>
                              CANVAS_ONE_BITS);
    }
}

static int64_t clampTo(int64_t value, int64_t low, int64_t high) {
    return value < low ? low : value > high ? high : value;
}

static void paintDab(Reference *reference, const CanvasBrush *brush, const CanvasDab *dab) {
    const int64_t r = dab->radius / CANVAS_FRACTION + 2, end = reference->side - 1;
    const int64_t x = dab->x / (int)CANVAS_FRACTION - (int64_t)reference->x;
    const int64_t y = dab->y / (int)CANVAS_FRACTION - (int64_t)reference->y;
    if (x + r < 0 || y + r < 0 || x - r > end || y - r > end) {
        return;
    }
    for (int64_t row = clampTo(y - r, 0, end); row <= clampTo(y + r, 0, end); ++row) {
        Texel *texels = reference->levels[brush->layer][0] + row * reference->side;
        const uint32_t far = canvas_square(*dab,
                                           canvas_way(dab->y, (uint32_t)(row + reference->y), 1));
        for (int64_t at = clampTo(x - r, 0, end); at <= clampTo(x + r, 0, end); ++at) {
            const int32_t way = canvas_way(dab->x, (uint32_t)(at + reference->x), 1);
            const uint32_t cover = canvas_cover(*dab, far + canvas_square(*dab, way));
            if (cover) {
                paintPixel(texels[at], brush->color, cover);
            }
        }
    }
}

static void paintAll(Reference *reference) {
    if (reference->painted > reference->applied) {
        for (uint32_t layer = 0; layer < CANVAS_LAYERS; ++layer) {
            memset(reference->levels[layer][0], 0,
                   (size_t)reference->side * reference->side * sizeof(Texel));
        }
        reference->painted = 0;
    }
    for (; reference->painted < reference->applied; ++reference->painted) {
        const ReferenceStroke *stroke = &reference->strokes[reference->painted];
        for (size_t i = 0; i < stroke->count; ++i) {
            paintDab(reference, &stroke->brush, &stroke->dabs[i]);
        }
    }
    for (uint32_t i = CANVAS_LAYERS; i < CANVAS_LAYERS * reference->levelCount; ++i) {
        const uint32_t layer = i % CANVAS_LAYERS, level = i / CANVAS_LAYERS;
        const size_t row = reference->side >> level;
        const Texel *below = (const Texel *)reference->levels[layer][level - 1];
        for (size_t at = 0; at < row * row; ++at) {
            const Texel *four = below + 4 * (at / row) * row + 2 * (at % row);
            for (uint32_t c = 0; c < 4; ++c) {
                reference->levels[layer][level][at][c] = (uint16_t)((four[0][c] + four[1][c] +
                                                                     four[2 * row][c] +
                                                                     four[2 * row + 1][c] + 2) >>
                                                                    2);
            }
        }
    }
}

/* ---- Views ---------------------------------------------------------------------------------- */

static const uint16_t *texelAt(const Reference *reference, uint32_t layer, uint32_t level,
                               int64_t x, int64_t y) {
    static const Texel none;
    const int64_t row = reference->side >> level;
    x -= reference->x >> level;
    y -= reference->y >> level;
    return x < 0 || y < 0 || x >= row || y >= row ? none
                                                  : reference->levels[layer][level][y * row + x];
}

/* A view's pixel, by the whole formula at once. */
static uint32_t viewPixel(const Reference *reference, const CanvasView *view, uint32_t pixelX,
                          uint32_t pixelY) {
    const uint64_t atX = view->fractionX + (uint64_t)view->step * pixelX;
    const uint64_t atY = view->fractionY + (uint64_t)view->step * pixelY;
    const uint32_t right = view->soft ? atX >> 8 & 255 : 0, down = view->soft ? atY >> 8 & 255 : 0;
    const int64_t x = view->left + (int64_t)(atX >> 16), y = view->top + (int64_t)(atY >> 16);
    const int64_t end = CANVAS_PIXELS >> view->level;
    const int64_t nearX = x + (right >= 128), nearY = y + (down >= 128);
    const bool paper = nearX >= 0 && nearY >= 0 && nearX < end && nearY < end;
    uint32_t color[4], word = 0xFF000000u;
    for (uint32_t c = 0; c < 4; ++c) {
        color[c] = paper ? CANVAS_ONE : CANVAS_ONE / 4;
    }
    for (uint32_t layer = 0; layer < CANVAS_LAYERS; ++layer) {
        uint32_t over[4];
        for (uint32_t c = 0; c < 4 && view->layers >> layer & 1; ++c) {
            const uint64_t sum = (uint64_t)texelAt(reference, layer, view->level, x, y)[c] *
                                     (256 - right) * (256 - down) +
                                 (uint64_t)texelAt(reference, layer, view->level, x + 1, y)[c] *
                                     right * (256 - down) +
                                 (uint64_t)texelAt(reference, layer, view->level, x, y + 1)[c] *
                                     (256 - right) * down +
                                 (uint64_t)texelAt(reference, layer, view->level, x + 1, y + 1)[c] *
                                     right * down;
            over[c] = (uint32_t)((sum + (view->soft ? 32768 : 0)) >> 16);
        }
        for (uint32_t c = 0; c < 4 && view->layers >> layer & 1; ++c) {
            color[c] = over[c] +
                       ((color[c] * (CANVAS_ONE - over[3]) + CANVAS_HALF) >> CANVAS_ONE_BITS);
        }
    }
    for (uint32_t c = 0; c < 3; ++c) {
        word |= ((color[c] * 255 + CANVAS_HALF) >> CANVAS_ONE_BITS) << 8 * c;
    }
    return word;
}

static bool checkTexels(const Reference *reference, Painter *painter, GpuBuffer *picture,
                        uint32_t layer, uint32_t level) {
    const uint32_t row = reference->side >> level;
    const CanvasView view = {.left = (int32_t)(reference->x >> level),
                             .top = (int32_t)(reference->y >> level),
                             .step = 65536,
                             .level = level,
                             .width = row,
                             .height = row,
                             .layers = 1u << layer,
                             .flags = CANVAS_RAW};
    if (!painterSee(painter, &view, picture)) {
        return false;
    }
    const Texel *seen = picture->mapped, *texels = (const Texel *)reference->levels[layer][level];
    for (size_t i = 0; i < (size_t)row * row; ++i) {
        if (memcmp(seen[i], texels[i], sizeof *texels) != 0) {
            return sayError("layer %u, level %u, texel %zu, %zu: %u %u %u %u, not %u %u %u %u",
                            layer, level, i % row, i / row, seen[i][0], seen[i][1], seen[i][2],
                            seen[i][3], texels[i][0], texels[i][1], texels[i][2], texels[i][3]);
        }
    }
    return true;
}

static bool checkView(const Reference *reference, Painter *painter, GpuBuffer *picture,
                      const CanvasView *view) {
    if (!painterSee(painter, view, picture)) {
        return false;
    }
    const uint32_t *seen = picture->mapped;
    for (uint32_t i = 0; i < view->width * view->height; ++i) {
        const uint32_t x = i % view->width, y = i / view->width;
        const uint32_t wanted = viewPixel(reference, view, x, y);
        if (seen[i] != wanted) {
            return sayError("view of level %u, step %u: pixel %u, %u is %08x, not %08x",
                            view->level, view->step, x, y, seen[i], wanted);
        }
    }
    return true;
}

bool referenceCheck(Reference *reference, Painter *painter) {
    /* in 16ths of a pixel, by places of the square in 16ths of it; the last shows more than that,
     * and one so much that a small pool has no room for its level */
    static const uint32_t views[][3] = {{16, 8, 8}, {1, 8, 8},   {11, 4, 9},  {23, 8, 8},
                                        {37, 8, 2}, {100, 7, 7}, {300, 9, 8}, {16, 0, 16}};
    GpuBuffer picture = {0};
    bool done = true;
    paintAll(reference);
    for (uint32_t i = 0; done && i < CANVAS_LAYERS * reference->levelCount; ++i) {
        done = checkTexels(reference, painter, &picture, i % CANVAS_LAYERS, i / CANVAS_LAYERS);
    }
    for (uint32_t i = 0; done && i < sizeof views / sizeof *views; ++i) {
        const int64_t unit = (int64_t)reference->side * CANVAS_FRACTION / 16;
        CanvasView view = canvasView(
            &painter->canvas, (int64_t)reference->x * CANVAS_FRACTION + views[i][1] * unit + 77,
            (int64_t)reference->y * CANVAS_FRACTION + views[i][2] * unit + 99,
            (uint64_t)views[i][0] * 4096, i == 3 ? 426 : 213, i == 3 ? 266 : 133);
        view.layers = i % 3 == 2 ? 2 : 15;
        done = checkView(reference, painter, &picture, &view);
    }
    gpuDestroyBuffer(&painter->gpu, &picture);
    return done;
}
