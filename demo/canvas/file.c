/* SPDX-License-Identifier: MIT */
#include "painter.h"

#include "common/message.h"

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

static bool fileCheck(VkResult result) {
    return result == VK_SUCCESS || sayError("%s", told[0] ? told : murResultName(result));
}

/* ---- Pages ---------------------------------------------------------------------------------- */

/* The pager's file is the database that the painter has at that time. Tiles that were
 * never used are not read. */
static VkResult readPage(void *user, uint32_t page, void *bytes) {
    const Painter *painter = user;
    const MurPageFile file = murGetDatabaseFile(painter->database);
    return page <= painter->canvas.report.used ? file.pfnRead(file.pUserData, page, bytes)
                                               : VK_SUCCESS;
}

static VkResult writePage(void *user, uint32_t page, const void *bytes) {
    const MurPageFile file = murGetDatabaseFile(((const Painter *)user)->database);
    return file.pfnWrite(file.pUserData, page, bytes);
}

static VkResult commit(void *user) {
    const Painter *painter = user;
    const MurPageFile file = murGetDatabaseFile(painter->database);
    const VkResult result = murWriteDatabaseBlob(painter->database, painter->content.mapped,
                                                 painter->content.size);
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
    info->tiles = status.pageCount;
    if (status.commits == 0) { /* the program that created it ended before it saved */
        return painterOpen(painter, options, *info) && (painter->reads || fileSave(painter));
    }
    bool done = fileCheck(murReadDatabaseBlob(painter->database, &info->size, NULL));
    void *bytes = done ? malloc((size_t)info->size + sizeof(CanvasContent)) : NULL;
    done = bytes && fileCheck(murReadDatabaseBlob(painter->database, &info->size, bytes));
    if (done) {
        upgrade(bytes, &info->size);
    }
    info->content = bytes;
    done = done && painterOpen(painter, options, *info) && readTiles(painter);
    free(bytes);
    return done;
}

bool fileOpen(Painter *painter, const GpuOptions *options, const char *path, CanvasInfo info) {
    MurDatabaseInfo database = infoOf(path, info.tiles);
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

bool fileFlush(Painter *painter) {
    painter->logged = murFlushDatabase(painter->database) != VK_SUCCESS;
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

/* Into another database, from the host's memory, where all tiles are after a flush. */
static bool writeAll(Painter *painter, MurDatabase database) {
    const MurPageFile file = murGetDatabaseFile(database);
    bool done = true;
    for (uint32_t page = 1; done && page <= painter->canvas.report.used; ++page) {
        done = fileCheck(
            file.pfnWrite(file.pUserData, page, murGetPagerStorePage(painter->canvas.pager, page)));
    }
    return done &&
           fileCheck(
               murWriteDatabaseBlob(database, painter->content.mapped, painter->content.size)) &&
           fileCheck(file.pfnCommit(file.pUserData));
}

bool fileSaveAs(Painter *painter, const char *path) {
    const MurDatabaseInfo info = infoOf(path, painter->canvas.now.tiles);
    MurDatabase database = NULL;
    bool done = fileCheck(murCreateDatabase(&info, &database)) && painterDrain(painter) &&
                painterBegin(painter, false);
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
    murCloseDatabase(painter->database);
    painter->database = database;
    painter->path = path;
    painter->reads = false;
    return saved(painter);
}

bool fileSave(Painter *painter) {
    const MurDatabaseInfo info = infoOf(painter->path, painter->canvas.now.tiles);
    bool done = (painter->database || fileCheck(murCreateDatabase(&info, &painter->database))) &&
                painterDrain(painter) && painterBegin(painter, true) &&
                canvasSave(&painter->canvas, &painter->content) &&
                painterEnd(painter, VK_NULL_HANDLE, VK_NULL_HANDLE) && painterDrain(painter) &&
                fileCheck(murDrainPagerIo(painter->canvas.pager));
    gpuDestroyBuffer(&painter->gpu, &painter->content);
    return done && saved(painter);
}
