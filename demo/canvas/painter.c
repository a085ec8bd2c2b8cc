/* SPDX-License-Identifier: MIT */
#include "painter.h"

#include "common/png_file.h"
#include "common/message.h"

#include <stdlib.h>
#include <string.h>

enum { PAIRS = 16384, SLOW_PAIRS = 512, RETRY = 64 };
enum { MOST_POOL = 65536, MOST_SIDE = 16384, MOST_TILES = 1 << 20 };

/* Of a pool, by the device's own memory; of a painting, twice as much, or by the host's. */
static uint32_t tilesOf(VkDeviceSize bytes, uint32_t most) {
    const VkDeviceSize tiles = bytes / 4 >> CANVAS_TILE_SHIFT;
    return tiles < most ? (uint32_t)tiles : most;
}

bool painterOpen(Painter *painter, const GpuOptions *options, CanvasInfo info) {
    Gpu *gpu = &painter->gpu;
    if (!gpu->device && (!gpuOpen(gpu, options) || !gpuCreateFrames(gpu, &painter->inFlight))) {
        return false;
    }
    const bool slow = gpuIsSlow(gpu) && gpu->surface; /* somebody waits for each frame */
    const VkDeviceSize own = gpuLargestHeap(gpu, true), other = gpuLargestHeap(gpu, false);
    painter->strokes.budget = info.budget ? info.budget : slow ? SLOW_PAIRS : PAIRS;
    info.pool = info.pool ? info.pool : tilesOf(own, MOST_POOL);
    info.pool = info.host ? canvas_least(info.pool, info.host / 2) : info.pool;
    info.tiles = !info.tiles && info.host ? canvas_least(16 * info.host, MOST_TILES) : info.tiles;
    info.tiles = info.tiles ? info.tiles : tilesOf(other ? other : 2 * own, 2 * info.pool);
    info.file = filePages(painter);
    return canvasOpen(gpu, &info, &painter->canvas);
}

void painterLeave(Painter *painter) {
    if (painter->gpu.device) {
        (void)vkDeviceWaitIdle(painter->gpu.device);
    }
    free(painter->strokes.items);
    memset(&painter->strokes, 0, sizeof painter->strokes);
    gpuDestroyBuffer(&painter->gpu, &painter->content);
    canvasClose(&painter->canvas);
    fileClose(painter);
    painter->logged = painter->stuck = false;
}

void painterClose(Painter *painter) {
    painterLeave(painter);
    gpuDestroyFrames(&painter->gpu, &painter->inFlight);
    gpuClose(&painter->gpu);
    memset(painter, 0, sizeof *painter);
}

/* Reports errors that only a mistake of this program can cause. */
static bool isWhole(const Canvas *canvas) {
    return (!canvas->broken && (canvas->cached || !canvas->report.failed)) ||
           sayError("tiles were lost");
}

bool painterEnd(Painter *painter, VkSemaphore wait, VkSemaphore signal) {
    canvasEnd(&painter->canvas);
    return gpuSubmitFrame(&painter->gpu, &painter->inFlight, wait, signal) &&
           isWhole(&painter->canvas);
}

static bool await(Painter *painter) {
    const bool done = gpuCheck(vkDeviceWaitIdle(painter->gpu.device), "waiting for the device");
    canvasRest(&painter->canvas);
    return done && isWhole(&painter->canvas);
}

bool painterFinish(Painter *painter, bool recorded) {
    return painterEnd(painter, VK_NULL_HANDLE, VK_NULL_HANDLE) && await(painter) && recorded;
}

/* If host memory is a cache, waits for the last frame, and saves if too many tiles have changed. A
 * part of a batch is never saved. */
static bool prepare(Painter *painter) {
    const Canvas *canvas = &painter->canvas;
    Strokes *strokes = &painter->strokes;
    MurPagerStatus status;
    if (!await(painter)) {
        return false;
    }
    strokes->torn |= strokes->sent && canvas->report.failed;
    strokes->whole |= strokes->sent && !canvas->report.failed;
    strokes->sent = false;
    murGetPagerStatus(canvas->pager, &status);
    if (status.needsCheckpoint && !strokes->torn &&
        (!painter->stuck || canvas->frame % RETRY == 0)) {
        painter->stuck = !fileCheckpoint(painter);
    }
    return true;
}

bool painterBegin(Painter *painter, bool saves) {
    Gpu *gpu = &painter->gpu;
    const uint64_t lost = painter->strokes.lost;
    uint32_t read = 0; /* tiles, which the next frame has */
    if ((painter->canvas.cached && !saves && !prepare(painter)) ||
        !gpuAwaitFrame(gpu, &painter->inFlight) || !gpuBeginFrame(gpu, &painter->inFlight)) {
        return false;
    }
    canvasBegin(&painter->canvas, saves);
    if (painter->canvas.cached &&
        !storeCheck(painter->store, murProcessPagerIo(painter->canvas.pager, UINT32_MAX, &read))) {
        return false;
    }
    if (!saves && !read && !painter->stuck) {
        strokesRecord(&painter->strokes, &painter->canvas);
    }
    if (painter->strokes.lost > lost) {
        (void)sayError("the painting is full: %llu dabs were not painted",
                       (unsigned long long)(painter->strokes.lost - lost));
    }
    return true;
}

bool painterDrain(Painter *painter) {
    bool done = true;
    while (done && strokesWait(&painter->strokes)) {
        done = painterBegin(painter, false) &&
               painterEnd(painter, VK_NULL_HANDLE, VK_NULL_HANDLE) && !painter->stuck;
    }
    return await(painter) && done;
}

bool painterBounds(Painter *painter, uint32_t low[2], uint32_t high[2]) {
    const uint32_t most = painter->canvas.now.tiles;
    GpuBuffer entries = {0};
    const bool done = painterDrain(painter) &&
                      gpuCreateBuffer(&painter->gpu, 4 + 8ull * most, GPU_HOST, "entries",
                                      &entries) &&
                      painterBegin(painter, false) &&
                      painterFinish(painter, canvasCmdEntries(&painter->canvas, &entries));
    const uint32_t *words = entries.mapped, mask = CANVAS_SIDE - 1;
    low[0] = low[1] = CANVAS_SIDE;
    high[0] = high[1] = 0;
    for (uint32_t i = 0; done && i < canvas_least(words[0], most); ++i) {
        const uint32_t key = words[1 + i], at[2] = {key & mask, key >> CANVAS_SIDE_BITS & mask};
        for (int axis = 0; axis < 2 && !(key >> 26 & 15); ++axis) {
            low[axis] = canvas_least(low[axis], at[axis]);
            high[axis] = high[axis] > at[axis] ? high[axis] : at[axis] + 1;
        }
    }
    gpuDestroyBuffer(&painter->gpu, &entries);
    return done && high[0] > 0;
}

bool painterSee(Painter *painter, const CanvasView *view, GpuBuffer *picture) {
    const bool sized = view->size[0] - 1 < MOST_SIDE && view->size[1] - 1 < MOST_SIDE;
    if (!sized || !canvasHasRoom(&painter->canvas, view)) {
        return sayError(
            "a picture has 1 to %d pixels a side, and no more than the GPU has room for",
            MOST_SIDE);
    }
    bool done = painterDrain(painter) &&
                gpuCreateBuffer(&painter->gpu, 4ull * view->size[0] * view->size[1], GPU_HOST,
                                "picture", picture);
    do { /* until all tiles were there */
        done = done && painterBegin(painter, false);
        if (done) {
            canvasCmdView(&painter->canvas, view, picture);
            done = painterFinish(painter, true);
        }
    } while (done && painter->canvas.report.failed);
    return done;
}

bool painterWrite(Painter *painter, const CanvasView *view, const char *path) {
    GpuBuffer picture = {0};
    bool done = painterSee(painter, view, &picture);
    FILE *file = done ? fopen(path, "wb") : NULL;
    if (done) {
        done = file && pngWrite(file, picture.mapped, view->size[0], view->size[1],
                                view->flags & CANVAS_ALPHA);
        done = file && fclose(file) == 0 && done;
        done = done || sayError("%s cannot be written", path);
    }
    gpuDestroyBuffer(&painter->gpu, &picture);
    return done;
}
