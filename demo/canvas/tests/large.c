/* A painting that is larger than host memory, against a reference of each of its pixels.
 *   canvas_large [--validation] [--tiles N] [--pool N] [--host N] [--cells N]
 *                [--full OPERATION] FILE COUNT
 * Continues the painting in FILE, which may have been saved and killed at any time, up to COUNT
 * operations: strokes in random cells, undo, redo, views. At OPERATION the disk is full. Compares
 * all tiles with the reference, before it continues and in the end.
 * SPDX-License-Identifier: MIT */
#define _XOPEN_SOURCE 700
#include "common/message.h"
#include "reference.h"
#include "replay.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

/* A cell has SIDE * SIDE tiles, which one batch paints in the smallest pool. */
enum { SIDE = 2, CELL = SIDE * CANVAS_TILE, TILE_TEXELS = CANVAS_TILE * CANVAS_TILE };
typedef uint16_t Texel[4];

typedef struct Large {
    Painter painter;
    GpuOptions options;
    CanvasInfo info;
    uint32_t cells, full; /* cells: along each axis */
    uint32_t *strokes;    /* the operations of the strokes that are not undone for ever */
    uint32_t count, applied, done;
    uint32_t *keys, entries; /* of the table, sorted: a key and a tile each */
} Large;

static uint32_t draw(uint32_t operation, uint32_t what) {
    return mur_hash(16 * operation + what, 77);
}

static uint32_t cellOf(const Large *large, uint32_t operation) {
    return draw(operation, 0) % (large->cells * large->cells);
}

/* Adds the operation's stroke to a queue. */
static bool addStroke(const Large *large, Strokes *strokes, uint32_t operation) {
    const uint32_t cell = cellOf(large, operation);
    const double x = (double)CELL * (cell % large->cells), y = (double)CELL * (cell / large->cells);
    CanvasBrush brush = {.layer = draw(operation, 1) & 1,
                         .radius = (20 + draw(operation, 2) % 80) * CANVAS_FRACTION,
                         .hardness = draw(operation, 3) % CANVAS_ONE,
                         .opacity = 1 + draw(operation, 4) % CANVAS_ONE};
    if (draw(operation, 5) % 8) {
        replayColor(draw(operation, 6) >> 8, brush.color);
    }
    const double free = CELL - 2 * 101;
    return strokesBegin(strokes, &brush,
                        canvasPlace(x + 101 + free * (draw(operation, 7) % 100) / 100,
                                    y + 101 + free * (draw(operation, 8) % 100) / 100)) &&
           strokesTo(strokes, canvasPlace(x + 101 + free * (draw(operation, 9) % 100) / 100,
                                          y + 101 + free * (draw(operation, 10) % 100) / 100));
}

/* Applies an operation to the list of strokes: 0 and 1 of 16 are undo and redo. */
static void note(Large *large, uint32_t operation) {
    const uint32_t kind = draw(operation, 11) % 16;
    if (kind == 0) {
        large->applied -= large->applied > 0;
    } else if (kind == 1) {
        large->applied += large->applied < large->count;
    } else {
        large->strokes[large->applied] = operation;
        large->count = ++large->applied;
    }
    large->done = operation + 1;
}

/* Paints an operation, and at times a view. now.look contains the number of painted operations. */
static bool paint(Large *large, uint32_t operation) {
    Painter *painter = &large->painter;
    const uint32_t kind = draw(operation, 11) % 16;
    bool done = kind < 2 ? strokesAsk(&painter->strokes, kind ? STROKE_REDO : STROKE_UNDO)
                         : addStroke(large, &painter->strokes, operation);
    done = done && painterDrain(painter);
    if (done && draw(operation, 12) % 16 == 0) {
        GpuBuffer picture = {0};
        const uint32_t step = 1u << draw(operation, 13) % 10;
        const double middle = CELL * (large->cells / 2.0);
        const CanvasView view = canvasView(&painter->canvas, canvasPlace(middle, middle), step, 64,
                                           64);
        done = painterSee(painter, &view, &picture);
        gpuDestroyBuffer(&painter->gpu, &picture);
    }
    note(large, operation);
    painter->canvas.now.look[0] = (int32_t)large->done;
    return done;
}

static bool limitFiles(rlim_t bytes) {
    (void)signal(SIGXFSZ, SIG_IGN);
    return setrlimit(RLIMIT_FSIZE, &(struct rlimit){bytes, RLIM_INFINITY}) == 0;
}

/* Repeats until saving fails, which must be reported; then continues with space on the disk. */
static bool paintAll(Large *large, uint32_t count) {
    Painter *painter = &large->painter;
    bool failed = false;
    while (large->done < count) {
        const bool starts = large->done == large->full && limitFiles(65536);
        if (starts && (fileSave(painter) || !strstr(sayLast(), "writing"))) {
            return sayError("a full disk was not reported: %s", sayLast());
        }
        if (!paint(large, large->done)) {
            if (!painter->stuck || failed) {
                return false;
            }
            painter->stuck = false;
            failed = limitFiles(RLIM_INFINITY);
            if (!painterDrain(painter)) {
                return false;
            }
        }
    }
    return limitFiles(RLIM_INFINITY);
}

/* ---- Checks --------------------------------------------------------------------------------- */

static int byKey(const void *a, const void *b) {
    const uint32_t first = *(const uint32_t *)a, second = *(const uint32_t *)b;
    return (first > second) - (first < second);
}

/* Reads the table, and writes all tiles of the pool back. */
static bool readEntries(Large *large) {
    Painter *painter = &large->painter;
    const uint32_t most = painter->canvas.now.tiles;
    GpuBuffer buffer = {0};
    bool done = gpuCreateBuffer(&painter->gpu, 4 + 8ull * most, GPU_HOST, "entries", &buffer) &&
                painterDrain(painter) && painterBegin(painter, false);
    done = done && canvasCmdEntries(&painter->canvas, &buffer) &&
           gpuCheck(murCmdFlushPager(painter->gpu.cmd, painter->canvas.pager, 0), "paging") &&
           painterFinish(painter, true);
    const uint32_t *words = buffer.mapped;
    large->entries = done ? words[0] : 0;
    for (uint32_t i = 0; i < large->entries; ++i) {
        large->keys[2 * i] = words[1 + i];
        large->keys[2 * i + 1] = words[1 + most + i];
    }
    qsort(large->keys, large->entries, 8, byKey);
    gpuDestroyBuffer(&painter->gpu, &buffer);
    return done;
}

/* Returns the texels of the tile with this key, or NULL if there is none. */
static Texel *texelsOf(Large *large, uint32_t key, Texel *buffer) {
    const uint32_t *entry = bsearch(&key, large->keys, large->entries, 8, byKey);
    return entry ? fileTile(&large->painter, entry[1], buffer) : NULL;
}

/* Compares the tiles of a cell with its strokes. */
static bool checkCell(Large *large, uint32_t cell, uint32_t *found) {
    static Texel buffer[TILE_TEXELS];
    static Strokes strokes;
    Reference reference;
    bool done = referenceOpen(&reference, CELL * (cell % large->cells),
                              CELL * (cell / large->cells), CELL);
    for (uint32_t i = 0; done && i < large->applied; ++i) {
        if (cellOf(large, large->strokes[i]) == cell) {
            strokes.count = 0;
            done = addStroke(large, &strokes, large->strokes[i]) &&
                   referenceStroke(&reference, strokes.items, strokes.count - 1);
        }
    }
    if (done) {
        referencePaint(&reference);
    }
    for (uint32_t i = 0; done && i < CANVAS_LAYERS * SIDE * SIDE; ++i) {
        const uint32_t layer = i / (SIDE * SIDE), x = i % SIDE, y = i / SIDE % SIDE;
        const Texel *seen = (const Texel *)texelsOf(
            large,
            canvas_key(layer, 0, reference.x / CANVAS_TILE + x, reference.y / CANVAS_TILE + y),
            buffer);
        static const Texel none;
        *found += seen != NULL;
        for (uint32_t at = 0; done && at < TILE_TEXELS; ++at) {
            const uint32_t from = (y * CANVAS_TILE + at / CANVAS_TILE) * CELL + x * CANVAS_TILE +
                                  at % CANVAS_TILE;
            done = memcmp(seen ? seen[at] : none, reference.levels[layer][0][from], sizeof none) ==
                       0 ||
                   sayError("cell %u, layer %u, texel %u differs", cell, layer, from);
        }
    }
    referenceClose(&reference);
    return done;
}

/* Compares a tile of a level above with the means of the four tiles below. */
static bool checkLevel(Large *large, uint32_t key) {
    static Texel buffers[5][TILE_TEXELS];
    const uint32_t mask = CANVAS_SIDE - 1, x = key & mask, y = key >> CANVAS_SIDE_BITS & mask;
    const Texel *seen = (const Texel *)texelsOf(large, key, buffers[4]), *below[4];
    for (uint32_t i = 0; i < 4; ++i) {
        below[i] = (const Texel *)texelsOf(
            large, canvas_key(key >> 30, (key >> 26 & 15) - 1, 2 * x + i % 2, 2 * y + i / 2),
            buffers[i]);
    }
    for (uint32_t at = 0; seen && at < 4 * TILE_TEXELS; ++at) {
        const uint32_t texel = at / 4, c = at % 4, half = CANVAS_TILE / 2;
        const uint32_t column = texel % CANVAS_TILE, row = texel / CANVAS_TILE;
        const Texel *from = below[row / half * 2 + column / half];
        const uint32_t first = row % half * 2 * CANVAS_TILE + column % half * 2;
        uint32_t sum = 2;
        for (uint32_t i = 0; from && i < 4; ++i) {
            sum += from[first + i / 2 * CANVAS_TILE + i % 2][c];
        }
        if (seen[texel][c] != sum >> 2) {
            return sayError("tile %08x, texel %u differs", key, texel);
        }
    }
    return seen || sayError("tile %08x cannot be read", key);
}

static bool check(Large *large) {
    uint32_t found = 0, level0 = 0;
    bool done = readEntries(large);
    for (uint32_t cell = 0; done && cell < large->cells * large->cells; ++cell) {
        done = checkCell(large, cell, &found);
    }
    for (uint32_t i = 0; done && i < large->entries; ++i) {
        const uint32_t key = large->keys[2 * i], level = key >> 26 & 15;
        level0 += level == 0 && large->keys[2 * i + 1] != 0;
        done = level == 0 || checkLevel(large, key);
    }
    MurPagerStatus status;
    murGetPagerStatus(large->painter.canvas.pager, &status);
    printf("%u operations, %u tiles, %u of them shown, %llu read\n", large->done,
           canvasTiles(&large->painter.canvas), large->entries, (unsigned long long)status.read);
    return done && (found == level0 || sayError("%u tiles at level 0, not %u", level0, found));
}

/* Finds the operation after which the file was saved: the noted one, or the next one. */
static bool find(Large *large) {
    const CanvasContent *now = &large->painter.canvas.now;
    for (uint32_t i = 0; i < (uint32_t)now->look[0]; ++i) {
        note(large, i);
    }
    if (large->applied != now->applied || large->count != now->strokes) {
        note(large, large->done);
    }
    return (large->applied == now->applied && large->count == now->strokes) ||
           sayError("the file has %u of %u strokes, not %u of %u", now->applied, now->strokes,
                    large->applied, large->count);
}

int main(int argc, char **argv) {
    static Large large = {.options = {.application = "canvas_large", .device = -1},
                          .full = UINT32_MAX};
    sayProgram("canvas_large");
    for (; argc > 1 && argv[1][0] == '-'; --argc, ++argv) {
        uint32_t *number = strcmp(argv[1], "--tiles") == 0   ? &large.info.tiles
                           : strcmp(argv[1], "--pool") == 0  ? &large.info.pool
                           : strcmp(argv[1], "--host") == 0  ? &large.info.host
                           : strcmp(argv[1], "--cells") == 0 ? &large.cells
                           : strcmp(argv[1], "--full") == 0  ? &large.full
                                                             : NULL;
        large.options.validation |= !number;
        if (number && argc > 2) {
            *number = (uint32_t)atoi(argv[2]);
            --argc, ++argv;
        }
    }
    const uint32_t count = argc == 3 ? (uint32_t)atoi(argv[2]) : 0;
    large.strokes = calloc(count + 1, sizeof *large.strokes);
    large.keys = calloc(large.info.tiles, 2 * sizeof *large.keys);
    Painter *painter = &large.painter;
    bool done = large.strokes && large.keys && argc == 3 &&
                fileOpen(painter, &large.options, argv[1], large.info) && find(&large) &&
                (large.done == 0 || check(&large)) && paintAll(&large, count) &&
                fileSave(painter) && check(&large);
    done = done && (painter->gpu.messages == 0 || sayError("the validation layers complained"));
    painterClose(painter);
    free(large.strokes);
    free(large.keys);
    return done ? EXIT_SUCCESS : EXIT_FAILURE;
}
