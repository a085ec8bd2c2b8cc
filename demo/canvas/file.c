/* SPDX-License-Identifier: MIT */
#include "painter.h"

#include "common/message.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- Pages ---------------------------------------------------------------------------------- */

/* The pager's file is the store that the painter has at that time. Tiles that were never used are
 * not read. */
static VkResult readPage(void *user, uint32_t page, void *bytes) {
    const Painter *painter = user;
    const MurPageFile file = painter->store->file;
    return page <= painter->canvas.report.used ? file.pfnRead(file.pUserData, page, bytes)
                                               : VK_SUCCESS;
}

static VkResult writePage(void *user, uint32_t page, const void *bytes) {
    const MurPageFile file = ((const Painter *)user)->store->file;
    return file.pfnWrite(file.pUserData, page, bytes);
}

static VkResult commit(void *user) {
    const Painter *painter = user;
    Store *store = painter->store;
    const VkResult result = store->writeBlob(store, painter->content.mapped, painter->content.size);
    return result == VK_SUCCESS ? store->file.pfnCommit(store->file.pUserData) : result;
}

MurPageFile filePages(Painter *painter) {
    return (MurPageFile){
        .pUserData = painter, .pfnRead = readPage, .pfnWrite = writePage, .pfnCommit = commit};
}

/* ---- Files ---------------------------------------------------------------------------------- */

static bool check(const Painter *painter, VkResult result) {
    return storeCheck(painter->store, result);
}

/* Reads all tiles, which were asked for: strokes and views find what they need. */
static bool readTiles(Painter *painter) {
    MurPagerStatus status = {0};
    bool done = true;
    while (done && status.read + 1 < painter->canvas.now.tiles) {
        done = check(painter, murProcessPagerIo(painter->canvas.pager, UINT32_MAX, NULL)) &&
               painterBegin(painter, false) && painterFinish(painter, true);
        murGetPagerStatus(painter->canvas.pager, &status);
    }
    return done;
}

/* Opens the painter with the content of the store. */
static bool load(Painter *painter, const GpuOptions *options, CanvasInfo *info) {
    Store *store = painter->store;
    info->tiles = store->pageCount;
    if (store->commits == 0) { /* the program that created it ended before it saved */
        return painterOpen(painter, options, *info) && (store->readOnly || fileSave(painter));
    }
    bool done = check(painter, store->readBlob(store, &info->size, NULL));
    void *bytes = done ? malloc((size_t)info->size) : NULL;
    info->content = bytes;
    done = bytes && check(painter, store->readBlob(store, &info->size, bytes)) &&
           painterOpen(painter, options, *info) && (painter->canvas.cached || readTiles(painter));
    free(bytes);
    return done;
}

bool fileOpen(Painter *painter, const GpuOptions *options, const char *path, CanvasInfo info) {
    bool absent = true;
    const int length = snprintf(painter->path, sizeof painter->path, "%s", path ? path : "");
    if (length >= (int)sizeof painter->path) {
        return sayError("the name has %d bytes, expected under %zu", length, sizeof painter->path);
    }
    if (path) {
        painter->store = storeOpen(path, 1 << CANVAS_TILE_SHIFT, info.tiles, &absent);
    } else {
        info.host = 0;
    }
    if (absent) {
        return painterOpen(painter, options, info) && (!path || fileSave(painter));
    }
    return painter->store && load(painter, options, &info);
}

void fileClose(Painter *painter) {
    if (painter->store) {
        painter->store->close(painter->store);
        painter->store = NULL;
    }
}

bool fileFlush(Painter *painter) {
    painter->logged = painter->store->flush(painter->store) != VK_SUCCESS;
    return !painter->logged;
}

/* Says if a part of what is saved is not in the file yet. */
static bool saved(Painter *painter) {
    if (!fileFlush(painter)) {
        (void)sayError(
            "%s is saved, part of it in %s-wal: keep both until no other program reads it",
            painter->path, painter->path);
    }
    return true;
}

void *fileTile(Painter *painter, uint32_t tile, void *buffer) {
    void *texels = murGetPagerStorePage(painter->canvas.pager, tile);
    if (!texels) {
        const MurPageFile file = painter->store->file;
        texels = check(painter, file.pfnRead(file.pUserData, tile, buffer)) ? buffer : NULL;
    }
    return texels;
}

/* Writes all tiles into another store, after a flush. */
static bool writeAll(Painter *painter, Store *store) {
    const MurPageFile file = store->file;
    bool done = true;
    void *buffer = malloc(1 << CANVAS_TILE_SHIFT);
    for (uint32_t page = 1; done && buffer && page <= painter->canvas.report.used; ++page) {
        const void *texels = fileTile(painter, page, buffer);
        done = texels && storeCheck(store, file.pfnWrite(file.pUserData, page, texels));
    }
    free(buffer);
    return done && buffer &&
           storeCheck(store,
                      store->writeBlob(store, painter->content.mapped, painter->content.size)) &&
           storeCheck(store, file.pfnCommit(file.pUserData));
}

bool fileSaveAs(Painter *painter, const char *path) {
    Store *store = storeCreate(path, 1 << CANVAS_TILE_SHIFT, painter->canvas.now.tiles);
    const bool done =
        store && (painterDrain(painter) || painter->stuck) && painterBegin(painter, false) &&
        painterFinish(painter, canvasSave(&painter->canvas, &painter->content) &&
                                   check(painter, murCmdFlushPager(painter->gpu.cmd,
                                                                   painter->canvas.pager, 0))) &&
        writeAll(painter, store);
    gpuDestroyBuffer(&painter->gpu, &painter->content);
    if (!done) {
        if (store) {
            store->close(store);
            (void)remove(path);
        }
        return false;
    }
    fileClose(painter);
    painter->store = store;
    (void)snprintf(painter->path, sizeof painter->path, "%s", path);
    return saved(painter);
}

bool fileCheckpoint(Painter *painter) {
    const bool done = painterBegin(painter, true) &&
                      painterFinish(painter, canvasSave(&painter->canvas, &painter->content)) &&
                      check(painter, murDrainPagerIo(painter->canvas.pager));
    gpuDestroyBuffer(&painter->gpu, &painter->content);
    return done;
}

bool fileSave(Painter *painter) {
    painter->stuck = false; /* tries again */
    if (!painter->store) {
        painter->store = storeCreate(painter->path, 1 << CANVAS_TILE_SHIFT,
                                     painter->canvas.now.tiles);
    }
    return painter->store && painterDrain(painter) && fileCheckpoint(painter) && saved(painter);
}
