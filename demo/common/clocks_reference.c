/* The work whose time tells how the clocks are.
 *
 * SPDX-License-Identifier: MIT */
#include "clocks.h"
#include "seconds.h"
#include "shaders/busy_layout.h"

#include <stdio.h>

GPU_SPIRV(demo_spv_busy);

enum {
    /* Bytes: what the caches of GPUs hold, and what they do not. */
    CACHED_REGION = 2 << 20,
    MEMORY_REGION = 256 << 20,
    /* Accesses: 0.1 and 0.2 ms on a large GPU. There a launch takes some microseconds and its
     * jitter less than one, which must not be a per cent. */
    CACHED_ACCESSES = 1 << 24,
    MEMORY_ACCESSES = 1 << 22,
    /* Timed ones a reading, of which the median counts, after one that is not timed. */
    ROUNDS = 3,
    /* Groups in a row of the grid: within every device's limit, as is the number of rows. */
    GRID_COLUMNS = 1024
};

bool clocksWatched(const Gpu *gpu) {
    return gpu->timestampMask && gpu->properties.deviceType != VK_PHYSICAL_DEVICE_TYPE_CPU;
}

/* A device with little memory has small caches, too. */
static VkDeviceSize regionSize(const Gpu *gpu) {
    VkDeviceSize largest = 0;
    for (uint32_t i = 0; i < gpu->memory.memoryHeapCount; ++i) {
        const VkMemoryHeap *heap = &gpu->memory.memoryHeaps[i];
        if ((heap->flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT) && heap->size > largest) {
            largest = heap->size;
        }
    }
    VkDeviceSize size = MEMORY_REGION;
    while (size > CACHED_REGION && size > largest / 16) {
        size /= 2;
    }
    return size;
}

bool clocksOpenReference(Clocks *clocks) {
    Gpu *gpu = clocks->gpu;
    if (!gpuCreateKernel(gpu, "busy", demo_spv_busy, demo_spv_busy_size, sizeof(BusyPush),
                         &clocks->kernel) ||
        !gpuCreateBuffer(gpu, regionSize(gpu), GPU_DEVICE, "clocks' region", &clocks->region) ||
        !gpuBegin(gpu)) {
        return false;
    }
    vkCmdFillBuffer(gpu->cmd, clocks->region.buffer, 0, VK_WHOLE_SIZE, 0);
    gpuTransferBarrier(gpu);
    return gpuSubmit(gpu);
}

static uint32_t accesses(const Clocks *clocks, bool cached) {
    return (cached ? CACHED_ACCESSES : MEMORY_ACCESSES) / clocks->limits.part;
}

static void work(Clocks *clocks, bool cached) {
    const VkDeviceSize bytes = cached ? CACHED_REGION : clocks->region.size;
    const BusyPush push = {
        .region = clocks->region.address,
        .mask = (uint32_t)(bytes / 8 - 1),
        .swaps = !cached,
    };
    gpuDispatch(clocks->gpu, &clocks->kernel, &push, GRID_COLUMNS,
                accesses(clocks, cached) / (BUSY_GROUP * GRID_COLUMNS), 1);
    gpuFullBarrier(clocks->gpu);
}

/* Timestamps 2 * ROUNDS from first on. */
static void record(Clocks *clocks, bool cached, uint32_t first) {
    work(clocks, cached);
    for (uint32_t i = 0; i < ROUNDS; ++i) {
        gpuTimestamp(clocks->gpu, first + 2 * i);
        work(clocks, cached);
        gpuTimestamp(clocks->gpu, first + 2 * i + 1);
    }
}

static double median(Clocks *clocks, uint32_t first) {
    double times[ROUNDS];
    for (uint32_t i = 0; i < ROUNDS; ++i) {
        const double time = gpuMilliseconds(clocks->gpu, first + 2 * i, first + 2 * i + 1);
        uint32_t at = i;
        for (; at > 0 && times[at - 1] > time; --at) {
            times[at] = times[at - 1];
        }
        times[at] = time;
    }
    return times[ROUNDS / 2];
}

bool clocksMeasure(Clocks *clocks, double busy, ClocksReading *reading) {
    const double begin = secondsNow();
    const double each = clocks->before.memory;
    *reading = (ClocksReading){0};
    if (!gpuBegin(clocks->gpu)) {
        return false;
    }
    /* How long it takes is known from the last time; the first time it is done once. */
    for (double done = 0; busy > 0 && done<busy; done += each> 0 ? each : busy) {
        work(clocks, false);
    }
    record(clocks, false, 0);
    record(clocks, true, 2 * ROUNDS);
    if (!gpuSubmit(clocks->gpu)) {
        return false;
    }
    reading->times = (ClocksTimes){.cached = median(clocks, 2 * ROUNDS),
                                   .memory = median(clocks, 0)};
    reading->seconds = secondsNow() - begin;
    return true;
}

void clocksDescribeReference(const Clocks *clocks, char *text, size_t size) {
    (void)snprintf(text, size,
                   "%.4f ms for %u random reads in %d MiB, %.4f ms for %u random compare-and-swaps "
                   "in %d MiB",
                   clocks->best.cached, accesses(clocks, true), CACHED_REGION >> 20,
                   clocks->best.memory, accesses(clocks, false), (int)(clocks->region.size >> 20));
}
