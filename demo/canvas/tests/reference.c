/* SPDX-License-Identifier: MIT */
#include "reference.h"

#include "common/message.h"

#include <stdlib.h>
#include <string.h>

typedef uint16_t Texel[4];

/* Returns the number of texels in a row or column of a level. */
static uint32_t rowOf(const Reference *reference, uint32_t level) {
    const uint32_t row = reference->side >> level;
    return row ? row : 1;
}

bool referenceOpen(Reference *reference, uint32_t x, uint32_t y, uint32_t side) {
    *reference = (Reference){.x = x, .y = y, .side = side};
    if (side < CANVAS_TILE || side > CANVAS_PIXELS || side & (side - 1) || x % side || y % side ||
        x >= CANVAS_PIXELS || y >= CANVAS_PIXELS) {
        return sayError("a reference is a square at multiples of its side, a power of two");
    }
    reference->gathered = malloc((size_t)side * side * sizeof *reference->gathered);
    bool made = reference->gathered != NULL;
    for (uint32_t i = 0; i < CANVAS_LAYERS * CANVAS_LEVELS; ++i) {
        const size_t row = rowOf(reference, i % CANVAS_LEVELS);
        Texel *texels = calloc(row * row, sizeof *texels);
        reference->levels[i / CANVAS_LEVELS][i % CANVAS_LEVELS] = texels;
        made = made && texels;
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
    free(reference->gathered);
    *reference = (Reference){0};
}

bool referenceStroke(Reference *reference, const StrokeItem *items, size_t count) {
    CanvasDab *copy = malloc(count * sizeof *copy);
    dropFrom(reference, reference->applied);
    if (reference->painted > reference->count) {
        reference->painted = UINT32_MAX; /* the image has dropped strokes */
    }
    if (!copy || reference->count == REFERENCE_STROKES) {
        free(copy);
        return sayError("no room for strokes");
    }
    for (size_t i = 0; i < count; ++i) {
        copy[i] = items[i + 1].dab;
    }
    reference->strokes[reference->count++] = (ReferenceStroke){items->brush, copy, count};
    reference->applied = reference->count;
    return true;
}

/* ---- Painting strokes ----------------------------------------------------------------------- */

static void paintPixel(Texel texel, const uint32_t color[2], uint32_t cover) {
    for (uint32_t i = 0; i < 4; ++i) {
        const uint32_t own = color[i / 2] >> 16 * (i % 2) & 0xFFFFu;
        texel[i] = (uint16_t)((own * cover + texel[i] * (CANVAS_ONE - cover) + CANVAS_HALF) >>
                              CANVAS_ONE_BITS);
    }
}

/* A range of pixels of the image: rows and columns from low to high. */
typedef struct Box {
    int64_t low[2], high[2];
} Box;

/* The pixels that a dab may cover. low exceeds high if it covers none. */
static Box boxOf(const Reference *reference, const CanvasDab *dab) {
    const int64_t reach = ((int64_t)(dab->reach + dab->radius) << dab->shift) / CANVAS_FRACTION + 2;
    const int64_t middle[2] = {dab->x / (int)CANVAS_FRACTION - (int64_t)reference->x,
                               dab->y / (int)CANVAS_FRACTION - (int64_t)reference->y};
    Box box;
    for (uint32_t i = 0; i < 2; ++i) {
        const int64_t end = reference->side - 1;
        box.low[i] = middle[i] > reach ? middle[i] - reach : 0;
        box.high[i] = middle[i] + reach < end ? middle[i] + reach : end;
    }
    return box;
}

static Box strokeBox(const Reference *reference, const ReferenceStroke *stroke) {
    Box all = {{reference->side, reference->side}, {-1, -1}};
    for (size_t i = 0; i < stroke->count; ++i) {
        const Box box = boxOf(reference, &stroke->dabs[i]);
        for (uint32_t j = 0; j < 2; ++j) {
            all.low[j] = box.low[j] < all.low[j] ? box.low[j] : all.low[j];
            all.high[j] = box.high[j] > all.high[j] ? box.high[j] : all.high[j];
        }
    }
    return all;
}

/* Adds this dab to the values that pixels near it have gathered. */
static void meetDab(const Reference *reference, const CanvasDab *dab) {
    const Box box = boxOf(reference, dab);
    for (int64_t row = box.low[1]; row <= box.high[1]; ++row) {
        const int down = canvas_way(dab->y, (uint32_t)(row + reference->y), 1);
        for (int64_t at = box.low[0]; at <= box.high[0]; ++at) {
            const int across = canvas_way(dab->x, (uint32_t)(at + reference->x), 1);
            uint32_t *here = &reference->gathered[row * reference->side + at];
            *here = canvas_gather(*dab, *here, canvas_squares(*dab, across, down));
        }
    }
}

static void paintStroke(Reference *reference, const ReferenceStroke *stroke) {
    Texel *texels = reference->levels[stroke->brush.layer][0];
    const Box box = strokeBox(reference, stroke);
    for (int64_t row = box.low[1]; row <= box.high[1]; ++row) {
        for (int64_t at = box.low[0]; at <= box.high[0]; ++at) {
            reference->gathered[row * reference->side + at] = canvas_nothing(stroke->dabs[0]);
        }
    }
    for (size_t i = 0; i < stroke->count; ++i) {
        meetDab(reference, &stroke->dabs[i]);
    }
    for (int64_t row = box.low[1]; row <= box.high[1]; ++row) {
        for (int64_t at = box.low[0]; at <= box.high[0]; ++at) {
            const int64_t pixel = row * reference->side + at;
            const uint32_t cover = canvas_cover(stroke->dabs[0], reference->gathered[pixel]);
            if (cover) {
                paintPixel(texels[pixel], stroke->brush.color, cover);
            }
        }
    }
}

/* Computes a mip level: each texel is the mean of four texels of the level below. If that level is
 * a single texel, the other three count as 0. */
static void paintLevel(Texel *below, size_t belowRow, Texel *level, size_t row) {
    for (size_t at = 0; at < row * row; ++at) {
        for (uint32_t c = 0; c < 4; ++c) {
            uint32_t sum = 2;
            for (size_t i = 0; i < (belowRow > 1 ? 4 : 1); ++i) {
                const size_t x = 2 * (at % row) + i % 2, y = 2 * (at / row) + i / 2;
                sum += below[y * belowRow + x][c];
            }
            level[at][c] = (uint16_t)(sum >> 2);
        }
    }
}

/* Paints all strokes that are not undone. */
static void paintStrokes(Reference *reference) {
    if (reference->painted > reference->applied) {
        for (uint32_t layer = 0; layer < CANVAS_LAYERS; ++layer) {
            memset(reference->levels[layer][0], 0,
                   (size_t)reference->side * reference->side * sizeof(Texel));
        }
        reference->painted = 0;
    }
    for (; reference->painted < reference->applied; ++reference->painted) {
        paintStroke(reference, &reference->strokes[reference->painted]);
    }
    for (uint32_t i = CANVAS_LAYERS; i < CANVAS_LAYERS * CANVAS_LEVELS; ++i) {
        const uint32_t layer = i % CANVAS_LAYERS, level = i / CANVAS_LAYERS;
        paintLevel(reference->levels[layer][level - 1], rowOf(reference, level - 1),
                   reference->levels[layer][level], rowOf(reference, level));
    }
}

/* ---- Pixels of views ------------------------------------------------------------------------ */

static const uint16_t *texelAt(const Reference *reference, uint32_t layer, uint32_t level,
                               int64_t x, int64_t y) {
    static const Texel none;
    const int64_t row = rowOf(reference, level);
    x -= reference->x >> level;
    y -= reference->y >> level;
    return x < 0 || y < 0 || x >= row || y >= row ? none
                                                  : reference->levels[layer][level][y * row + x];
}

/* Returns the expected pixel of a view. */
static uint32_t viewPixel(const Reference *reference, const CanvasView *view, uint32_t pixelX,
                          uint32_t pixelY) {
    const uint64_t atX = view->fraction[0] + (uint64_t)view->step * pixelX;
    const uint64_t atY = view->fraction[1] + (uint64_t)view->step * pixelY;
    const uint32_t right = view->soft ? atX >> 8 & 255 : 0, down = view->soft ? atY >> 8 & 255 : 0;
    const int64_t x = view->first[0] + (int64_t)(atX >> 16),
                  y = view->first[1] + (int64_t)(atY >> 16);
    const int64_t end = CANVAS_PIXELS >> view->level;
    const int64_t nearX = x + (right >= 128), nearY = y + (down >= 128);
    const bool paper = nearX >= 0 && nearY >= 0 && nearX < end && nearY < end;
    uint32_t color[4], word = 0xFF000000u;
    for (uint32_t c = 0; c < 4; ++c) {
        color[c] = paper ? CANVAS_ONE : CANVAS_ONE / 4;
    }
    for (uint32_t layer = 0; layer < CANVAS_LAYERS; ++layer) {
        uint32_t over[4];
        for (uint32_t c = 0; c < 4; ++c) {
            uint64_t sum = 0;
            for (uint32_t i = 0; i < 4; ++i) { /* weights of four texels */
                sum += (uint64_t)texelAt(reference, layer, view->level, x + i % 2, y + i / 2)[c] *
                       (i % 2 ? right : 256 - right) * (i / 2 ? down : 256 - down);
            }
            over[c] = (uint32_t)((sum + (view->soft ? 32768 : 0)) >> 16);
        }
        for (uint32_t c = 0; c < 4; ++c) {
            color[c] = over[c] +
                       ((color[c] * (CANVAS_ONE - over[3]) + CANVAS_HALF) >> CANVAS_ONE_BITS);
        }
    }
    for (uint32_t c = 0; c < 3; ++c) {
        word |= ((color[c] * 255 + CANVAS_HALF) >> CANVAS_ONE_BITS) << 8 * c;
    }
    return word;
}

/* ---- Checks of tiles ------------------------------------------------------------------------ */

/* Compares the page of a tile, which the pager has written to host memory, with the reference. */
static bool checkTile(const Reference *reference, Painter *painter, uint32_t key, uint32_t tile) {
    static Texel buffer[CANVAS_TILE * CANVAS_TILE];
    const uint32_t layer = key >> 30, level = key >> 26 & 15;
    const Texel *seen = fileTile(painter, tile, buffer);
    uint32_t some = 0;
    for (uint32_t i = 0; seen && i < CANVAS_TILE * CANVAS_TILE; ++i) {
        const int64_t x = (key & (CANVAS_SIDE - 1)) * CANVAS_TILE + i % CANVAS_TILE;
        const int64_t y = (key >> CANVAS_SIDE_BITS & (CANVAS_SIDE - 1)) * CANVAS_TILE +
                          i / CANVAS_TILE;
        const uint16_t *wanted = texelAt(reference, layer, level, x, y);
        some |= wanted[3];
        if (memcmp(seen[i], wanted, sizeof *seen) != 0) {
            return sayError("layer %u, level %u, texel %d, %d: %u %u %u %u, not %u %u %u %u", layer,
                            level, (int)x, (int)y, seen[i][0], seen[i][1], seen[i][2], seen[i][3],
                            wanted[0], wanted[1], wanted[2], wanted[3]);
        }
    }
    return some || sayError("layer %u, level %u: a tile without anything to see", layer, level);
}

/* Checks that each texel of a level is empty or has a tile in the table. */
static bool checkAbsent(const Reference *reference, uint32_t layer, uint32_t level,
                        const uint32_t *keys, uint32_t count) {
    const uint32_t row = rowOf(reference, level);
    for (uint32_t i = 0; i < row * row; ++i) {
        const uint32_t x = (reference->x >> level) + i % row;
        const uint32_t y = (reference->y >> level) + i / row;
        const uint32_t key = canvas_key(layer, level, x / CANVAS_TILE, y / CANVAS_TILE);
        bool there = reference->levels[layer][level][i][3] == 0;
        for (uint32_t j = 0; !there && j < count; ++j) {
            there = keys[j] == key;
        }
        if (!there) {
            return sayError("layer %u, level %u, texel %u, %u has no tile", layer, level, x, y);
        }
    }
    return true;
}

/* The entries of the table: keys and tiles. */
typedef struct Entries {
    uint32_t *keys, *tiles, count;
} Entries;

/* Checks that each tile is in exactly one place: the table, the log, or the list of free tiles. */
static bool checkRoom(Painter *painter, const CanvasContent *content, const Entries *entries) {
    const uint32_t *state = (const uint32_t *)(content + 1);
    const uint32_t *log = state + painter->canvas.at[CANVAS_PART_LOG] / 4;
    const uint32_t *list = state + painter->canvas.at[CANVAS_PART_FREE] / 4;
    const uint32_t logged = state[CANVAS_LOGGED] - state[CANVAS_OLDEST];
    uint32_t *found = calloc(content->tiles, sizeof *found);
    bool done = found || sayError("no memory for tiles");
    for (uint32_t i = 0; done && i < entries->count; ++i) {
        ++found[entries->tiles[i]];
    }
    for (uint32_t i = 0; done && i < logged; ++i) {
        ++found[log[2 * ((state[CANVAS_OLDEST] + i) & (content->logSize - 1)) + 1]];
    }
    for (uint32_t i = 0; done && i < state[CANVAS_FREE]; ++i) {
        ++found[list[i]];
    }
    for (uint32_t i = 1; done && i < content->tiles; ++i) {
        found[i] += i > state[CANVAS_USED];
        done = found[i] == 1 || sayError("tile %u is in %u places", i, found[i]);
    }
    free(found);
    return done;
}

/* Records copies of the content and of the table's entries, and a flush that evicts all tiles. */
static bool cmdEntries(Painter *painter, GpuBuffer *content, const GpuBuffer *entries) {
    Gpu *gpu = &painter->gpu;
    const bool done = canvasSave(&painter->canvas, content) &&
                      canvasCmdEntries(&painter->canvas, entries);
    gpuFullBarrier(gpu);
    return done &&
           gpuCheck(murCmdFlushPager(gpu->cmd, painter->canvas.pager, MUR_FLUSH_EVICT), "paging");
}

/* Evicts all tiles from the pool and checks their pages in host memory. */
static bool checkTiles(const Reference *reference, Painter *painter) {
    Gpu *gpu = &painter->gpu;
    const uint32_t most = painter->canvas.now.tiles;
    GpuBuffer content = {0}, buffer = {0};
    bool done = gpuCreateBuffer(gpu, 4 + 8ull * most, GPU_HOST, "entries", &buffer) &&
                painterDrain(painter) && painterBegin(painter, false) &&
                cmdEntries(painter, &content, &buffer) &&
                painterEnd(painter, VK_NULL_HANDLE, VK_NULL_HANDLE) && painterDrain(painter);
    Entries entries = {0};
    if (done) {
        uint32_t *words = buffer.mapped;
        entries = (Entries){words + 1, words + 1 + most, words[0]};
    }
    done = done && (entries.count < most || sayError("there are too many entries")) &&
           checkRoom(painter, content.mapped, &entries);
    for (uint32_t i = 0; done && i < entries.count; ++i) {
        done = checkTile(reference, painter, entries.keys[i], entries.tiles[i]);
    }
    for (uint32_t i = 0; done && i < CANVAS_LAYERS * CANVAS_LEVELS; ++i) {
        done = checkAbsent(reference, i / CANVAS_LEVELS, i % CANVAS_LEVELS, entries.keys,
                           entries.count);
    }
    gpuDestroyBuffer(gpu, &content);
    gpuDestroyBuffer(gpu, &buffer);
    return done;
}

static bool checkView(const Reference *reference, Painter *painter, const CanvasView *view) {
    GpuBuffer picture = {0};
    bool done = painterSee(painter, view, &picture);
    const uint32_t *seen = picture.mapped;
    for (uint32_t i = 0; done && i < view->size[0] * view->size[1]; ++i) {
        const uint32_t x = i % view->size[0], y = i / view->size[0];
        const uint32_t wanted = viewPixel(reference, view, x, y);
        done = seen[i] == wanted ||
               sayError("view of level %u, step %u: pixel %u, %u is %08x, not %08x", view->level,
                        view->step, x, y, seen[i], wanted);
    }
    gpuDestroyBuffer(&painter->gpu, &picture);
    return done;
}

bool referenceCheck(Reference *reference, Painter *painter) {
    /* Per view: step in 16ths of a pixel, middle in 16ths of the square. If its tiles exceed a
     * small pool, the canvas shows a coarser level. MUR_TEST_FULL: four times as many pixels. */
    static const uint32_t views[][3] = {{16, 8, 8}, {1, 8, 8},   {11, 4, 9},  {23, 8, 8},
                                        {37, 8, 2}, {100, 7, 7}, {300, 9, 8}, {16, 0, 16}};
    const char *full = getenv("MUR_TEST_FULL");
    const uint32_t larger = full && strcmp(full, "0") != 0 ? 1 : 0;
    paintStrokes(reference);
    bool done = checkTiles(reference, painter);
    for (uint32_t i = 0; done && i < sizeof views / sizeof *views; ++i) {
        const double unit = reference->side / 16.0;
        const CanvasPlace middle = canvasPlace(reference->x + views[i][1] * unit + 0.3,
                                               reference->y + views[i][2] * unit + 0.4);
        const CanvasView view = canvasView(&painter->canvas, middle, views[i][0] / 16.0,
                                           107u << (larger + (i % 4 == 3)),
                                           67u << (larger + (i % 4 == 3)));
        done = checkView(reference, painter, &view);
    }
    return done;
}
