/* SPDX-License-Identifier: MIT */
#include "painter.h"

#include "common/message.h"
#include "postgres.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The last message of the database, if it is for the user. */
static char told[256];

static void onLog(void *user, MurLogSeverity severity, const char *text) {
    (void)user;
    if (severity == MUR_LOG_ERROR) {
        (void)snprintf(told, sizeof told, "%s", text);
    }
}

static bool onServer; /* its store has printed its errors */

static bool fileCheck(VkResult result) {
    return result == VK_SUCCESS ||
           (!onServer && sayError("%s", told[0] ? told : murResultName(result)));
}

/* ---- Pages ---------------------------------------------------------------------------------- */

static MurPageFile pagesOf(const Painter *painter) {
    return painter->store ? painter->store->file : murGetDatabaseFile(painter->database);
}

static VkResult writeBlob(const Painter *painter) {
    const void *bytes = painter->content.mapped;
    const uint64_t size = painter->content.size;
    return painter->store ? painter->store->writeBlob(painter->store, bytes, size)
                          : murWriteDatabaseBlob(painter->database, bytes, size);
}

static VkResult readBlob(const Painter *painter, uint64_t *size, void *bytes) {
    return painter->store ? painter->store->readBlob(painter->store, size, bytes)
                          : murReadDatabaseBlob(painter->database, size, bytes);
}

/* The pager's file is the database that the painter has at that time. Tiles that were
 * never used are not read. */
static VkResult readPage(void *user, uint32_t page, void *bytes) {
    const Painter *painter = user;
    const MurPageFile file = pagesOf(painter);
    return page <= painter->canvas.report.used ? file.pfnRead(file.pUserData, page, bytes)
                                               : VK_SUCCESS;
}

static VkResult writePage(void *user, uint32_t page, const void *bytes) {
    const MurPageFile file = pagesOf(user);
    return file.pfnWrite(file.pUserData, page, bytes);
}

static VkResult commit(void *user) {
    const Painter *painter = user;
    const MurPageFile file = pagesOf(painter);
    const VkResult result = writeBlob(painter);
    return result == VK_SUCCESS ? file.pfnCommit(file.pUserData) : result;
}

MurPageFile filePages(Painter *painter) {
    return (MurPageFile){
        .pUserData = painter, .pfnRead = readPage, .pfnWrite = writePage, .pfnCommit = commit};
}

/* ---- Files ---------------------------------------------------------------------------------- */

static MurDatabaseInfo infoOf(const char *path, uint32_t tiles) {
    const bool packs = murCanCompress(MUR_COMPRESSION_ZSTD);
    return (MurDatabaseInfo){.pPath = path,
                             .pageSize = 1 << CANVAS_TILE_SHIFT,
                             .pageCount = tiles,
                             .pfnLog = onLog,
                             .compression = packs ? MUR_COMPRESSION_ZSTD : MUR_COMPRESSION_NONE};
}

/* Reads all tiles, which were asked for: strokes and views find what they need. */
static bool readTiles(Painter *painter) {
    MurPagerStatus status = {0};
    bool done = true;
    while (done && status.read + 1 < painter->canvas.now.tiles) {
        done = fileCheck(murProcessPagerIo(painter->canvas.pager, UINT32_MAX, NULL)) &&
               painterBegin(painter, false) && painterEnd(painter, VK_NULL_HANDLE, VK_NULL_HANDLE);
        murGetPagerStatus(painter->canvas.pager, &status);
    }
    return done;
}

/* Version 5 has no view: makes the content one of version 6. */
static void upgrade(char *bytes, uint64_t *size) {
    CanvasContent *content = (CanvasContent *)(void *)bytes;
    const size_t before = offsetof(CanvasContent, look), more = sizeof *content - before;
    if (*size > before && content->version == 5) {
        memmove(bytes + sizeof *content, bytes + before, (size_t)*size - before);
        memset(bytes + before, 0, more);
        content->version = CANVAS_VERSION;
        *size += more;
    }
}

/* Opens the painter with the content of the database. */
static bool load(Painter *painter, const GpuOptions *options, CanvasInfo *info) {
    MurDatabaseStatus status;
    murGetDatabaseStatus(painter->database, &status);
    if (painter->store) {
        status.pageCount = painter->store->pageCount;
        status.commits = painter->store->commits;
    }
    info->tiles = status.pageCount;
    if (status.commits == 0) { /* the program that created it ended before it saved */
        return painterOpen(painter, options, *info) && (painter->reads || fileSave(painter));
    }
    bool done = fileCheck(readBlob(painter, &info->size, NULL));
    void *bytes = done ? malloc((size_t)info->size + sizeof(CanvasContent)) : NULL;
    done = bytes && fileCheck(readBlob(painter, &info->size, bytes));
    if (done) {
        upgrade(bytes, &info->size);
    }
    info->content = bytes;
    done = done && painterOpen(painter, options, *info) &&
           (painter->canvas.cached || readTiles(painter));
    free(bytes);
    return done;
}

/* Tiles of a new painting on a server, unless an option says how many: 512 MiB of host memory. */
enum { SERVER_TILES = 4096 };

/* Opens the painting on a server, or a new one there. */
static bool openServer(Painter *painter, const GpuOptions *options, const char *uri,
                       CanvasInfo info) {
#if CANVAS_POSTGRES
    const uint32_t least = info.tiles ? info.tiles : SERVER_TILES;
    painter->path = uri;
    onServer = true;
    painter->store = postgresOpen(uri, 1 << CANVAS_TILE_SHIFT, least);
    return painter->store && load(painter, options, &info);
#else
    (void)painter;
    (void)options;
    (void)info;
    return sayError("%.13s: this program was built without libpq (libpq-dev)", uri);
#endif
}

bool fileOpen(Painter *painter, const GpuOptions *options, const char *path, CanvasInfo info) {
    MurDatabaseInfo database = infoOf(path, info.tiles);
    onServer = false;
    if (path && strncmp(path, "postgresql://", 13) == 0) {
        return openServer(painter, options, path, info);
    }
    info.host = path ? info.host : 0;
    VkResult result = path ? murOpenDatabase(&database, &painter->database) : MUR_ERROR_FILE;
    painter->path = path;
    if (!path || (result == MUR_ERROR_FILE && errno == ENOENT)) {
        return painterOpen(painter, options, info) && (!path || fileSave(painter));
    }
    if (result == MUR_ERROR_INVALID_ARGUMENT && database.pageCount) { /* it has more, say */
        database.pageCount = 0;
        result = murOpenDatabase(&database, &painter->database);
    }
    if (result == MUR_ERROR_FILE && errno == EBUSY) { /* somebody has it open for writing */
        database.flags = MUR_DATABASE_READ_ONLY;
        result = murOpenDatabase(&database, &painter->database);
        painter->reads = result == VK_SUCCESS;
    }
    return fileCheck(result) && load(painter, options, &info);
}

void fileClose(Painter *painter) {
    if (painter->store) {
        painter->store->close(painter->store);
    }
    murCloseDatabase(painter->database);
    painter->store = NULL;
    painter->database = NULL;
}

bool fileFlush(Painter *painter) {
    painter->logged = !painter->store && murFlushDatabase(painter->database) != VK_SUCCESS;
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
        const MurPageFile file = pagesOf(painter);
        texels = fileCheck(file.pfnRead(file.pUserData, tile, buffer)) ? buffer : NULL;
    }
    return texels;
}

/* Writes all tiles into another database, after a flush. */
static bool writeAll(Painter *painter, MurDatabase database) {
    const MurPageFile file = murGetDatabaseFile(database);
    bool done = true;
    void *buffer = malloc(1 << CANVAS_TILE_SHIFT);
    for (uint32_t page = 1; done && buffer && page <= painter->canvas.report.used; ++page) {
        const void *texels = fileTile(painter, page, buffer);
        done = texels && fileCheck(file.pfnWrite(file.pUserData, page, texels));
    }
    free(buffer);
    return done && buffer &&
           fileCheck(
               murWriteDatabaseBlob(database, painter->content.mapped, painter->content.size)) &&
           fileCheck(file.pfnCommit(file.pUserData));
}

bool fileSaveAs(Painter *painter, const char *path) {
    const MurDatabaseInfo info = infoOf(path, painter->canvas.now.tiles);
    MurDatabase database = NULL;
    bool done = fileCheck(murCreateDatabase(&info, &database)) &&
                (painterDrain(painter) || painter->stuck) && painterBegin(painter, false);
    if (done) {
        done = canvasSave(&painter->canvas, &painter->content) &&
               fileCheck(murCmdFlushPager(painter->gpu.cmd, painter->canvas.pager, 0));
        done = painterEnd(painter, VK_NULL_HANDLE, VK_NULL_HANDLE) && painterDrain(painter) && done;
    }
    done = done && writeAll(painter, database);
    gpuDestroyBuffer(&painter->gpu, &painter->content);
    if (!done) {
        murCloseDatabase(database);
        if (database) {
            (void)remove(path);
        }
        return false;
    }
    fileClose(painter);
    onServer = false;
    painter->database = database;
    painter->path = path;
    painter->reads = false;
    return saved(painter);
}

bool fileProcess(Painter *painter, bool *read) {
    uint32_t pages = 0;
    const bool done = fileCheck(murProcessPagerIo(painter->canvas.pager, UINT32_MAX, &pages));
    *read = pages != 0;
    return done;
}

bool fileCheckpoint(Painter *painter) {
    const bool done = painterBegin(painter, true) &&
                      canvasSave(&painter->canvas, &painter->content) &&
                      painterEnd(painter, VK_NULL_HANDLE, VK_NULL_HANDLE) && painterWait(painter) &&
                      fileCheck(murDrainPagerIo(painter->canvas.pager));
    gpuDestroyBuffer(&painter->gpu, &painter->content);
    return done;
}

bool fileSave(Painter *painter) {
    const MurDatabaseInfo info = infoOf(painter->path, painter->canvas.now.tiles);
    painter->stuck = false; /* tries again */
    return (painter->store || painter->database ||
            fileCheck(murCreateDatabase(&info, &painter->database))) &&
           painterDrain(painter) && fileCheckpoint(painter) && saved(painter);
}
