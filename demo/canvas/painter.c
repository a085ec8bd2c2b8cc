/* SPDX-License-Identifier: MIT */
#include "painter.h"

#include "common/say.h"

enum { FIRST_PAIRS = 256, MOST_TILES = 65536, LEAST_TILES = 256 };

static uint32_t tilesOf(const Gpu *gpu) {
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < gpu->memory.memoryHeapCount; ++i) {
        const VkMemoryHeap *heap = &gpu->memory.memoryHeaps[i];
        if (heap->flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT && heap->size > bytes) {
            bytes = heap->size;
        }
    }
    const uint64_t tiles = bytes / 4 >> CANVAS_TILE_SHIFT;
    return (uint32_t)(tiles < MOST_TILES ? tiles : MOST_TILES);
}

bool painterOpen(Painter *painter, const GpuOptions *options, uint32_t tiles) {
    Gpu *gpu = &painter->gpu;
    if (!gpuOpen(gpu, options) || !gpuCreateFrames(gpu, &painter->inFlight)) {
        return false;
    }
    const bool software = gpu->properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU;
    painter->milliseconds = software ? 60 : 8;
    tiles = tiles ? tiles : tilesOf(gpu);
    return (tiles >= LEAST_TILES || sayError("a pool has %d tiles at least", LEAST_TILES)) &&
           canvasOpen(gpu, tiles, &painter->canvas);
}

void painterClose(Painter *painter) {
    gpuDestroyFrames(&painter->gpu, &painter->inFlight);
    strokesFree(&painter->strokes);
    canvasClose(&painter->canvas);
    murCloseDatabase(painter->database);
    painter->database = NULL;
    gpuClose(&painter->gpu);
}

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

bool painterBegin(Painter *painter) {
    Gpu *gpu = &painter->gpu;
    GpuFrames *frames = &painter->inFlight;
    if (!gpuAwaitFrame(gpu, frames) || !gpuBeginFrame(gpu, frames)) {
        return false;
    }
    uint32_t *pairs = &painter->pairs[gpuFrameIndex(frames)];
    const uint32_t budget = budgetOf(painter, *pairs);
    const uint64_t lost = painter->strokes.lost;
    canvasBegin(&painter->canvas, frames->count);
    gpuFullBarrier(gpu); /* behind the frame before */
    gpuTimestamp(gpu, PAINTER_BEGUN);
    *pairs = strokesRecord(&painter->strokes, &painter->canvas, budget);
    gpuTimestamp(gpu, PAINTER_PAINTED);
    if (painter->strokes.lost > lost) {
        (void)sayError("the pool of tiles is full: %llu dabs were not painted",
                       (unsigned long long)(painter->strokes.lost - lost));
    }
    return !painter->canvas.report.failed || sayError("the device ran out of tiles");
}

bool painterEnd(Painter *painter, VkSemaphore wait, VkSemaphore signal) {
    gpuTimestamp(&painter->gpu, PAINTER_SEEN);
    canvasEnd(&painter->canvas);
    return gpuSubmitFrame(&painter->gpu, &painter->inFlight, wait, signal);
}

bool painterDrain(Painter *painter) {
    bool done = true;
    while (done && strokesWait(&painter->strokes)) {
        done = painterBegin(painter) && painterEnd(painter, VK_NULL_HANDLE, VK_NULL_HANDLE);
    }
    return done && gpuCheck(vkDeviceWaitIdle(painter->gpu.device), "waiting for the device");
}

bool painterRest(Painter *painter) {
    bool done = true;
    for (uint32_t i = 0; done && i <= GPU_FRAMES; ++i) {
        done = painterBegin(painter) && painterEnd(painter, VK_NULL_HANDLE, VK_NULL_HANDLE);
    }
    return done && gpuCheck(vkDeviceWaitIdle(painter->gpu.device), "waiting for the device");
}

bool painterSee(Painter *painter, const CanvasView *view, GpuBuffer *picture) {
    Gpu *gpu = &painter->gpu;
    const VkDeviceSize size = (view->flags & CANVAS_RAW ? 8ull : 4ull) * view->width * view->height;
    if (picture->size < size) {
        gpuDestroyBuffer(gpu, picture);
        if (!gpuCreateBuffer(gpu, size, GPU_HOST, "picture", picture)) {
            return false;
        }
    }
    if (!gpuBegin(gpu)) {
        return false;
    }
    gpuFullBarrier(gpu);
    gpuTimestamp(gpu, PAINTER_PAINTED);
    canvasCmdView(&painter->canvas, view, picture);
    gpuTimestamp(gpu, PAINTER_SEEN);
    gpuHostBarrier(gpu);
    return gpuSubmit(gpu);
}
