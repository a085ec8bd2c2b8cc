/* SPDX-License-Identifier: MIT */
#include "painter.h"

#include "common/png_file.h"
#include "common/message.h"

enum { PAIRS = 16384, SLOW_PAIRS = 512, MOST_POOL = 65536, MOST_SIDE = 16384 };

/* Of a pool, by the device's own memory; of a painting, twice as much, or by the host's. */
static uint32_t tilesOf(VkDeviceSize bytes, uint32_t most) {
    const VkDeviceSize tiles = bytes / 4 >> CANVAS_TILE_SHIFT;
    return tiles < most ? (uint32_t)tiles : most;
}

bool painterOpen(Painter *painter, const GpuOptions *options, CanvasInfo info) {
    Gpu *gpu = &painter->gpu;
    if (!gpuOpen(gpu, options) || !gpuCreateFrames(gpu, &painter->inFlight)) {
        return false;
    }
    const bool slow = gpuIsSlow(gpu) && options->createSurface; /* somebody waits for each frame */
    const VkDeviceSize own = gpuLargestHeap(gpu, true), other = gpuLargestHeap(gpu, false);
    painter->strokes.budget = info.budget ? info.budget : slow ? SLOW_PAIRS : PAIRS;
    info.pool = info.pool ? info.pool : tilesOf(own, MOST_POOL);
    info.tiles = info.tiles ? info.tiles : tilesOf(other ? other : 2 * own, 2 * info.pool);
    info.file = filePages(painter);
    return canvasOpen(gpu, &info, &painter->canvas);
}

void painterClose(Painter *painter) {
    gpuDestroyFrames(&painter->gpu, &painter->inFlight);
    strokesFree(&painter->strokes);
    gpuDestroyBuffer(&painter->gpu, &painter->content);
    canvasClose(&painter->canvas);
    murCloseDatabase(painter->database);
    painter->database = NULL;
    gpuClose(&painter->gpu);
}

bool painterBegin(Painter *painter, bool saves) {
    Gpu *gpu = &painter->gpu;
    const uint64_t lost = painter->strokes.lost;
    if (!gpuAwaitFrame(gpu, &painter->inFlight) || !gpuBeginFrame(gpu, &painter->inFlight)) {
        return false;
    }
    canvasBegin(&painter->canvas, saves);
    strokesRecord(&painter->strokes, &painter->canvas);
    if (painter->strokes.lost > lost) {
        (void)sayError("the painting is full: %llu dabs were not painted",
                       (unsigned long long)(painter->strokes.lost - lost));
    }
    return true;
}

/* What cannot be, but for mistakes. */
static bool isWhole(const Canvas *canvas) {
    return (!canvas->broken && !canvas->report.failed) || sayError("tiles were lost");
}

bool painterEnd(Painter *painter, VkSemaphore wait, VkSemaphore signal) {
    canvasEnd(&painter->canvas);
    return gpuSubmitFrame(&painter->gpu, &painter->inFlight, wait, signal) &&
           isWhole(&painter->canvas);
}

/* A frame by itself, which shows nothing, is done. */
static bool finish(Painter *painter) {
    bool done = gpuCheck(vkDeviceWaitIdle(painter->gpu.device), "waiting for the device");
    canvasRest(&painter->canvas);
    return done && isWhole(&painter->canvas);
}

bool painterDrain(Painter *painter) {
    bool done = true;
    while (done && strokesWait(&painter->strokes)) {
        done = painterBegin(painter, false) && painterEnd(painter, VK_NULL_HANDLE, VK_NULL_HANDLE);
    }
    return finish(painter) && done;
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
                                "picture", picture) &&
                painterBegin(painter, false);
    if (done) {
        canvasCmdView(&painter->canvas, view, picture);
        done = painterEnd(painter, VK_NULL_HANDLE, VK_NULL_HANDLE);
    }
    return finish(painter) && done;
}

bool painterWrite(Painter *painter, const CanvasView *view, const char *path) {
    GpuBuffer picture = {0};
    bool done = painterSee(painter, view, &picture);
    FILE *file = done ? fopen(path, "wb") : NULL;
    if (done) {
        done = file && pngWrite(file, picture.mapped, view->size[0], view->size[1]);
        done = file && fclose(file) == 0 && done;
        done = done || sayError("%s cannot be written", path);
    }
    gpuDestroyBuffer(&painter->gpu, &picture);
    return done;
}
