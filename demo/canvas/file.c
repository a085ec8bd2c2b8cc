/* SPDX-License-Identifier: MIT */
#include "file.h"

#include "common/say.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { VERSION = 1, CHUNK = 32 /* tiles */, TILE_BYTES = 1 << CANVAS_TILE_SHIFT, HEAD = 4 };

/* The blob is words: version, strokes, how many of them are applied, pairs; for each stroke how
 * many entries of the log it has; pairs of the table, then those entries: each a key and a tile. */
typedef struct Blob {
    uint32_t *words, *counts, *pairs, *log;
    uint32_t strokes, applied, pairCount, logCount;
} Blob;

static uint64_t blobWords(const Blob *blob) {
    return HEAD + blob->strokes + 2 * ((uint64_t)blob->pairCount + blob->logCount);
}

static void layOut(Blob *blob) {
    blob->counts = blob->words + HEAD;
    blob->pairs = blob->counts + blob->strokes;
    blob->log = blob->pairs + 2 * (size_t)blob->pairCount;
}

/* What the database said last, if it is for the user. */
static char told[256];

static void onLog(void *user, MurLogSeverity severity, const char *text) {
    (void)user;
    if (severity == MUR_LOG_ERROR) {
        (void)snprintf(told, sizeof told, "%s", text);
    }
}

static bool fileCheck(VkResult result) {
    return result == VK_SUCCESS || sayError("%s", told[0] ? told : murResultName(result));
}

/* Tiles that the blob names, which are all that are not free. NULL: one is named that is none. */
static bool *usedTiles(const Blob *blob, uint32_t tiles) {
    bool *used = calloc(tiles, sizeof *used);
    for (uint64_t i = 0; used && i < (uint64_t)blob->pairCount + blob->logCount; ++i) {
        const uint32_t tile = blob->pairs[2 * i + 1];
        if (tile >= tiles || (tile && used[tile])) {
            free(used);
            return NULL;
        }
        used[tile] = true;
    }
    return used;
}

/* Tiles between pool and database, some at a time; saving, those that have changed. */
static bool moveTiles(Painter *painter, const bool *used, const uint32_t *born) {
    Gpu *gpu = &painter->gpu;
    const MurPageFile file = murGetDatabaseFile(painter->database);
    const VkBuffer pool = painter->canvas.parts[CANVAS_PART_POOL].buffer;
    GpuBuffer staging = {0};
    bool done = gpuCreateBuffer(gpu, (uint64_t)CHUNK * TILE_BYTES, GPU_HOST, "tiles", &staging);
    for (uint32_t tile = 1; done && tile < painter->canvas.tiles;) {
        VkBufferCopy copies[CHUNK];
        uint32_t pages[CHUNK], count = 0;
        for (; count < CHUNK && tile < painter->canvas.tiles; ++tile) {
            if (used[tile] && (!born || born[tile] > painter->saved)) {
                copies[count] = (VkBufferCopy){(uint64_t)tile << CANVAS_TILE_SHIFT,
                                               (uint64_t)count << CANVAS_TILE_SHIFT, TILE_BYTES};
                pages[count++] = tile;
            }
        }
        char *bytes = staging.mapped;
        for (uint32_t i = 0; done && !born && i < count; ++i) {
            const uint64_t at = copies[i].srcOffset;
            copies[i].srcOffset = copies[i].dstOffset;
            copies[i].dstOffset = at;
            done = fileCheck(file.pfnRead(file.pUserData, pages[i], bytes + copies[i].srcOffset));
        }
        if (done && count && gpuBegin(gpu)) {
            vkCmdCopyBuffer(gpu->cmd, born ? pool : staging.buffer, born ? staging.buffer : pool,
                            count, copies);
            gpuHostBarrier(gpu);
            done = gpuSubmit(gpu);
        }
        for (uint32_t i = 0; done && born && i < count; ++i) {
            done = fileCheck(file.pfnWrite(file.pUserData, pages[i], bytes + copies[i].dstOffset));
        }
    }
    gpuDestroyBuffer(gpu, &staging);
    return done;
}

/* ---- Opening -------------------------------------------------------------------------------- */

static bool readBlob(Painter *painter, Blob *blob) {
    uint64_t size = 0, entries = 0;
    if (!fileCheck(murReadDatabaseBlob(painter->database, &size, NULL))) {
        return false;
    }
    blob->words = malloc(size + 4 * HEAD);
    if (!blob->words || !fileCheck(murReadDatabaseBlob(painter->database, &size, blob->words))) {
        return false;
    }
    const uint32_t *words = blob->words;
    const bool is = size >= 4 * HEAD && words[0] == VERSION && words[1] < CANVAS_STROKES &&
                    words[2] <= words[1] && words[3] <= painter->canvas.keys &&
                    size >= 4ull * (HEAD + words[1]);
    for (uint32_t i = 0; is && i < words[1]; ++i) {
        entries += words[HEAD + i];
    }
    if (is && entries <= painter->canvas.logSize) {
        *blob = (Blob){.words = blob->words,
                       .strokes = words[1],
                       .applied = words[2],
                       .pairCount = words[3],
                       .logCount = (uint32_t)entries};
        layOut(blob);
    }
    return (blob->counts && size == 4 * blobWords(blob)) || sayError("that is no painting");
}

static bool load(Painter *painter) {
    Blob blob = {0};
    bool done = readBlob(painter, &blob);
    bool *used = done ? usedTiles(&blob, painter->canvas.tiles) : NULL;
    done = done && (used || sayError("that is no painting")) && moveTiles(painter, used, NULL) &&
           canvasLoad(&painter->canvas,
                      &(CanvasContent){blob.counts, blob.strokes, blob.applied, blob.pairs,
                                       blob.pairCount, blob.log, blob.logCount, used});
    painter->saved = painter->canvas.stroke;
    free(used);
    free(blob.words);
    return done;
}

bool fileOpen(Painter *painter, const GpuOptions *options, const char *path, uint32_t tiles) {
    MurDatabaseInfo info = {.pPath = path, .pageSize = TILE_BYTES, .pfnLog = onLog};
    MurDatabaseStatus status;
    VkResult result = murOpenDatabase(&info, &painter->database);
    const bool there = result != MUR_ERROR_FILE || errno != ENOENT;
    if (there && result == VK_SUCCESS) {
        murGetDatabaseStatus(painter->database, &status);
        tiles = tiles > status.pageCount ? tiles : status.pageCount;
        if (tiles > status.pageCount) {
            murCloseDatabase(painter->database);
            painter->database = NULL;
            info.pageCount = tiles;
            result = murOpenDatabase(&info, &painter->database);
        }
    }
    if (there && !fileCheck(result)) {
        return false;
    }
    return painterOpen(painter, options, tiles) &&
           (there ? load(painter) : fileCreate(painter, path));
}

/* ---- Saving --------------------------------------------------------------------------------- */

static bool readBack(Painter *painter, GpuBuffer *keys, GpuBuffer *values, GpuBuffer *log,
                     GpuBuffer *born) {
    Gpu *gpu = &painter->gpu;
    const Canvas *canvas = &painter->canvas;
    const uint32_t count = canvas->report.keys;
    const uint64_t size = 4ull * count + 4;
    const VkBufferCopy whole[] = {{.size = 8ull * canvas->logSize}, {.size = 4ull * canvas->tiles}};
    if (!gpuCreateBuffer(gpu, size, GPU_HOST, "keys", keys) ||
        !gpuCreateBuffer(gpu, size, GPU_HOST, "values", values) ||
        !gpuCreateBuffer(gpu, whole[0].size, GPU_HOST, "log", log) ||
        !gpuCreateBuffer(gpu, whole[1].size, GPU_HOST, "born", born) || !gpuBegin(gpu)) {
        return false;
    }
    const MurExtract extract = {.maxCount = count,
                                .countAddress = keys->address + 4ull * count,
                                .keys = {keys->address, 4ull * count},
                                .values = {values->address, 4ull * count}};
    const bool done = !count || gpuCheck(murCmdExtract(gpu->cmd, canvas->table, &extract), "tiles");
    vkCmdCopyBuffer(gpu->cmd, canvas->parts[CANVAS_PART_LOG].buffer, log->buffer, 1, &whole[0]);
    vkCmdCopyBuffer(gpu->cmd, canvas->parts[CANVAS_PART_BORN].buffer, born->buffer, 1, &whole[1]);
    gpuHostBarrier(gpu);
    return gpuSubmit(gpu) && done;
}

/* What the strokes have in the log, one after the other, and the table's pairs with a tile. */
static bool makeBlob(const Canvas *canvas, const uint32_t *keys, const uint32_t *values,
                     const uint32_t *log, Blob *blob) {
    *blob = (Blob){.strokes = canvas->strokeCount, .applied = canvas->applied};
    for (uint32_t i = 0; i < canvas->report.keys; ++i) {
        blob->pairCount += values[i] != 0;
    }
    for (uint32_t i = 0; i < canvas->strokeCount; ++i) {
        blob->logCount += canvas->strokes[i].end - canvas->strokes[i].first;
    }
    blob->words = malloc(4 * blobWords(blob));
    if (!blob->words) {
        return sayError("no memory to save");
    }
    layOut(blob);
    const uint32_t head[HEAD] = {VERSION, blob->strokes, blob->applied, blob->pairCount};
    memcpy(blob->words, head, sizeof head);
    uint32_t *to = blob->pairs;
    for (uint32_t i = 0; i < canvas->report.keys; ++i) {
        if (values[i]) {
            *to++ = keys[i];
            *to++ = values[i];
        }
    }
    for (uint32_t i = 0; i < canvas->strokeCount; ++i) {
        const CanvasStroke *stroke = &canvas->strokes[i];
        blob->counts[i] = stroke->end - stroke->first;
        for (uint32_t at = stroke->first; at != stroke->end; ++at) {
            memcpy(to, log + 2 * (size_t)(at & (canvas->logSize - 1)), 8);
            to += 2;
        }
    }
    return true;
}

bool fileSave(Painter *painter) {
    const MurPageFile file = murGetDatabaseFile(painter->database);
    GpuBuffer keys = {0}, values = {0}, log = {0}, born = {0};
    Blob blob = {0};
    strokesEnd(&painter->strokes);
    bool done = painterDrain(painter) && painterRest(painter) &&
                readBack(painter, &keys, &values, &log, &born) &&
                makeBlob(&painter->canvas, keys.mapped, values.mapped, log.mapped, &blob);
    bool *used = done ? usedTiles(&blob, painter->canvas.tiles) : NULL;
    done = done && (used || sayError("the canvas is damaged")) &&
           moveTiles(painter, used, born.mapped) &&
           gpuCheck(murWriteDatabaseBlob(painter->database, blob.words, 4 * blobWords(&blob)),
                    "saving the painting") &&
           fileCheck(file.pfnCommit(file.pUserData));
    if (done) {
        painter->saved = painter->canvas.stroke;
    }
    free(used);
    free(blob.words);
    GpuBuffer *const buffers[] = {&keys, &values, &log, &born};
    for (uint32_t i = 0; i < sizeof buffers / sizeof *buffers; ++i) {
        gpuDestroyBuffer(&painter->gpu, buffers[i]);
    }
    return done;
}

bool fileCreate(Painter *painter, const char *path) {
    const MurDatabaseInfo info = {
        .pPath = path, .pageSize = TILE_BYTES, .pageCount = painter->canvas.tiles, .pfnLog = onLog};
    painter->saved = 0;
    return fileCheck(murCreateDatabase(&info, &painter->database)) && fileSave(painter);
}
