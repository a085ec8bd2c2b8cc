/* Work whose time depends on the clocks. SPDX-License-Identifier: MIT */
#include "clocks.h"
#include "clock.h"
#include "shaders/busy_layout.h"

#include <math.h>

GPU_SPIRV(demo_spv_busy);

/* Bytes that fit into caches of GPUs, and bytes that do not. Accesses to each take 0.2 ms on a
 * large GPU, so that jitter of launches is below one per cent. The median of ROUNDS counts. */
enum { CACHED = 2 << 20, MEMORY = 256 << 20, READS = 1 << 25, SWAPS = 1 << 22, ROUNDS = 3 };

bool clocksOpen(Gpu *gpu, bool quick, Clocks *clocks) {
    *clocks = (Clocks){.gpu = clocksWatched(gpu) ? gpu : NULL, .quick = quick};
    if (!clocks->gpu ||
        !gpuCreateKernel(gpu, "busy", demo_spv_busy, demo_spv_busy_size, sizeof(BusyPush),
                         &clocks->kernel) ||
        !gpuCreateBuffer(gpu, quick ? MEMORY >> 4 : MEMORY, GPU_DEVICE, "clocks' region",
                         &clocks->region) ||
        !gpuBegin(gpu)) {
        return !clocks->gpu;
    }
    vkCmdFillBuffer(gpu->cmd, clocks->region.buffer, 0, VK_WHOLE_SIZE, 0);
    gpuTransferBarrier(gpu);
    return gpuSubmit(gpu);
}

void clocksClose(Clocks *clocks) {
    if (clocks->gpu) {
        gpuDestroyKernel(clocks->gpu, &clocks->kernel);
        gpuDestroyBuffer(clocks->gpu, &clocks->region);
    }
}

/* Random reads from a cache depend on the processors' clocks, and compare-and-swaps outside of it
 * on the memory's clocks. Rows of 1024 groups are within every device's limits. */
void clocksCmdWork(const Clocks *clocks, uint32_t times) {
    const uint32_t each = (uint32_t)BUSY_GROUP << (clocks->quick ? 14 : 10);
    for (uint32_t i = 0; i < times && clocks->gpu; ++i) {
        BusyPush push = {.region = clocks->region.address, .mask = CACHED / 8 - 1};
        gpuDispatch(clocks->gpu, &clocks->kernel, &push, 1024, READS / each, 1);
        push.mask = (uint32_t)(clocks->region.size / 8 - 1);
        push.swaps = 1;
        gpuDispatch(clocks->gpu, &clocks->kernel, &push, 1024, SWAPS / each, 1);
        gpuFullBarrier(clocks->gpu);
    }
}

/* The previous time predicts the number of repetitions. The first call does the work once. */
bool clocksMeasure(Clocks *clocks, double busy, double *reference, double *seconds) {
    const double begin = secondsNow(), each = clocks->before > 0 ? clocks->before : busy;
    double times[ROUNDS];
    bool done = gpuBegin(clocks->gpu);
    clocksCmdWork(clocks, done ? 1 + (uint32_t)ceil(busy / each) : 0);
    for (uint32_t i = 0; done && i < ROUNDS; ++i) {
        gpuTimestamp(clocks->gpu, 2 * i);
        clocksCmdWork(clocks, 1);
        gpuTimestamp(clocks->gpu, 2 * i + 1);
    }
    done = done && gpuSubmit(clocks->gpu);
    for (uint32_t i = 0; done && i < ROUNDS; ++i) {
        times[i] = gpuMilliseconds(clocks->gpu, 2 * i, 2 * i + 1);
    }
    *reference = done ? secondsMedian(times, ROUNDS) : 0;
    *seconds = secondsNow() - begin;
    return done;
}
