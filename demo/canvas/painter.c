/* SPDX-License-Identifier: MIT */
#include "painter.h"

#include "common/png_file.h"
#include "common/say.h"

enum { FIRST_PAIRS = 256, MOST_POOL = 65536, MOST_SIDE = 16384 };

/* ---- The device ----------------------------------------------------------------------------- */

/* A quarter of the device's own memory; twice as much, or a quarter of the host's. */
static void chooseSizes(const Gpu *gpu, CanvasInfo *info) {
    uint64_t device = 0, host = 0;
    for (uint32_t i = 0; i < gpu->memory.memoryHeapCount; ++i) {
        const VkMemoryHeap *heap = &gpu->memory.memoryHeaps[i];
        uint64_t *size = heap->flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT ? &device : &host;
        *size = heap->size > *size ? heap->size : *size;
    }
    host = host ? host : 2 * device; /* where they share it */
    if (!info->pool) {
        info->pool = canvas_least(MOST_POOL, (uint32_t)(device / 4 >> CANVAS_TILE_SHIFT));
    }
    if (!info->tiles) {
        info->tiles = canvas_least(2 * info->pool, (uint32_t)(host / 4 >> CANVAS_TILE_SHIFT));
    }
}

bool painterOpen(Painter *painter, const GpuOptions *options, CanvasInfo info) {
    Gpu *gpu = &painter->gpu;
    if (!gpuOpen(gpu, options) || !gpuCreateFrames(gpu, &painter->inFlight)) {
        return false;
    }
    const bool software = gpu->properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU;
    painter->milliseconds = software ? 60 : 8;
    chooseSizes(gpu, &info);
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

/* ---- Frames --------------------------------------------------------------------------------- */

/* By what the frame before the last one painted, and how long it took. */
static uint32_t budgetOf(Painter *painter, uint32_t painted) {
    const double took = gpuFrameMilliseconds(&painter->gpu, &painter->inFlight, PAINTER_BEGUN,
                                             PAINTER_PAINTED);
    if (painted && took > 0) {
        painter->rate = painted / took;
    }
    const double pairs = painter->rate * painter->milliseconds;
    return painter->fixed ? painter->fixed
           : pairs < 1    ? FIRST_PAIRS
                          : (uint32_t)(pairs < CANVAS_PAIRS ? pairs : CANVAS_PAIRS);
}

bool painterBegin(Painter *painter, bool saves) {
    Gpu *gpu = &painter->gpu;
    GpuFrames *frames = &painter->inFlight;
    if (!gpuAwaitFrame(gpu, frames) || !fileRead(painter) || !gpuBeginFrame(gpu, frames)) {
        return false;
    }
    uint32_t *pairs = &painter->pairs[gpuFrameIndex(frames)];
    const uint32_t budget = budgetOf(painter, *pairs);
    const uint64_t lost = painter->strokes.lost;
    canvasBegin(&painter->canvas, saves);
    gpuTimestamp(gpu, PAINTER_BEGUN);
    *pairs = painter->canvas.comes ? 0 : strokesRecord(&painter->strokes, &painter->canvas, budget);
    gpuTimestamp(gpu, PAINTER_PAINTED);
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
    gpuTimestamp(&painter->gpu, PAINTER_SEEN);
    canvasEnd(&painter->canvas);
    return gpuSubmitFrame(&painter->gpu, &painter->inFlight, wait, signal) &&
           isWhole(&painter->canvas);
}

bool painterWaits(const Painter *painter) {
    return painter->canvas.comes || strokesWait(&painter->strokes);
}

/* A frame by itself, which shows nothing, is done. */
static bool finish(Painter *painter) {
    bool done = gpuCheck(vkDeviceWaitIdle(painter->gpu.device), "waiting for the device");
    canvasRest(&painter->canvas);
    return done && isWhole(&painter->canvas);
}

bool painterDrain(Painter *painter) {
    bool done = true;
    while (done && painterWaits(painter)) {
        done = painterBegin(painter, false) && painterEnd(painter, VK_NULL_HANDLE, VK_NULL_HANDLE);
    }
    return finish(painter) && done;
}

bool painterSee(Painter *painter, const CanvasView *view, GpuBuffer *picture) {
    Gpu *gpu = &painter->gpu;
    const VkDeviceSize size = (view->flags & CANVAS_RAW ? 8ull : 4ull) * view->width * view->height;
    CanvasView piece = *view;
    uint32_t side = MOST_SIDE;
    bool done = painterDrain(painter);
    if (picture->size < size) {
        gpuDestroyBuffer(gpu, picture);
        done = done && gpuCreateBuffer(gpu, size, GPU_HOST, "picture", picture);
    }
    while (!canvasHasRoom(&painter->canvas, view, side) && side > CANVAS_VIEW_GROUP) {
        side /= 2;
    }
    for (piece.y = 0; done && piece.y < view->height; piece.y += side) {
        for (piece.x = 0; done && piece.x < view->width; piece.x += side) {
            done = painterBegin(painter, false);
            if (done) {
                canvasCmdView(&painter->canvas, &piece, side, picture);
                done = painterEnd(painter, VK_NULL_HANDLE, VK_NULL_HANDLE);
            }
        }
    }
    return finish(painter) && done;
}

bool painterWrite(Painter *painter, const CanvasView *view, const char *path) {
    GpuBuffer picture = {0};
    bool done = painterSee(painter, view, &picture);
    FILE *file = done ? fopen(path, "wb") : NULL;
    if (done) {
        done = file && pngWrite(file, picture.mapped, view->width, view->height);
        done = file && fclose(file) == 0 && done;
        done = done || sayError("%s cannot be written", path);
    }
    gpuDestroyBuffer(&painter->gpu, &picture);
    return done;
}
