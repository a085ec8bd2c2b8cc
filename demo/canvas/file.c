/* SPDX-License-Identifier: MIT */
#include "painter.h"

#include "common/message.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

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

/* ---- Pages ---------------------------------------------------------------------------------- */

/* The pager's file is the database that the painter has at that time. Tiles that were
 * never used are not read: nobody looks at what they hold. */
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
    return (MurDatabaseInfo){
        .pPath = path, .pageSize = 1 << CANVAS_TILE_SHIFT, .pageCount = tiles, .pfnLog = onLog};
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

/* Opens the painter with what the database has. */
static bool load(Painter *painter, const GpuOptions *options, CanvasInfo *info) {
    MurDatabaseStatus status;
    murGetDatabaseStatus(painter->database, &status);
    info->tiles = status.pageCount;
    if (status.commits == 0) { /* the program that created it ended before it saved */
        return painterOpen(painter, options, *info) && fileSave(painter);
    }
    bool done = fileCheck(murReadDatabaseBlob(painter->database, &info->size, NULL));
    void *bytes = done ? malloc((size_t)info->size + 1) : NULL;
    done = bytes && fileCheck(murReadDatabaseBlob(painter->database, &info->size, bytes));
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
    return fileCheck(result) && load(painter, options, &info);
}

bool fileFlush(Painter *painter) {
    painter->logged = murFlushDatabase(painter->database) != VK_SUCCESS;
    return !painter->logged;
}

bool fileSave(Painter *painter) {
    const MurDatabaseInfo info = infoOf(painter->path, painter->canvas.now.tiles);
    bool done = (painter->database || fileCheck(murCreateDatabase(&info, &painter->database))) &&
                painterDrain(painter) && painterBegin(painter, true) &&
                canvasSave(&painter->canvas, &painter->content) &&
                painterEnd(painter, VK_NULL_HANDLE, VK_NULL_HANDLE) && painterDrain(painter) &&
                fileCheck(murDrainPagerIo(painter->canvas.pager));
    gpuDestroyBuffer(&painter->gpu, &painter->content);
    if (done && !fileFlush(painter)) {
        (void)sayError(
            "%s is saved, part of it in %s-wal: keep both until no other program reads it",
            painter->path, painter->path);
    }
    return done;
}
