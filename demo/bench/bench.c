/* Opening a run, timing, pairs, verification.
 *
 * SPDX-License-Identifier: MIT */
#include "bench.h"
#include "common/say.h"
#include "common/seconds.h"
#include "shaders/push.h"

#include <stdlib.h>
#include <string.h>

GPU_SPIRV(bench_spv_generate);
GPU_SPIRV(bench_spv_verify);
GPU_SPIRV(bench_spv_copy);
GPU_SPIRV(bench_spv_empty);
GPU_SPIRV(bench_spv_READ_8);
GPU_SPIRV(bench_spv_READ_16);
GPU_SPIRV(bench_spv_READ_32);
GPU_SPIRV(bench_spv_WRITE_8);
GPU_SPIRV(bench_spv_CAS_32);
GPU_SPIRV(bench_spv_CAS_64);

static bool createKernels(Bench *bench) {
    Gpu *gpu = &bench->gpu;
    const uint32_t pairs = sizeof(PairsPush);
    const uint32_t region = sizeof(RegionPush);
#define KERNEL(name, push, kernel) \
    gpuCreateKernel(gpu, #name, bench_spv_##name, bench_spv_##name##_size, push, kernel)
    return KERNEL(generate, pairs, &bench->generate) && KERNEL(verify, pairs, &bench->verify) &&
           KERNEL(copy, region, &bench->copy) && KERNEL(empty, region, &bench->empty) &&
           KERNEL(READ_8, region, &bench->ceilings[CEILING_READ_8]) &&
           KERNEL(READ_16, region, &bench->ceilings[CEILING_READ_16]) &&
           KERNEL(READ_32, region, &bench->ceilings[CEILING_READ_32]) &&
           KERNEL(WRITE_8, region, &bench->ceilings[CEILING_WRITE_8]) &&
           KERNEL(CAS_32, region, &bench->ceilings[CEILING_CAS_32]);
#undef KERNEL
}

/* The largest power of two whose pairs, absent keys, results, table, scratch and ceiling fit into
 * most of the device's memory, 68 bytes a pair in all. */
static uint32_t largest(const Gpu *gpu) {
    VkDeviceSize memory = 0;
    for (uint32_t i = 0; i < gpu->memory.memoryHeapCount; ++i) {
        const VkMemoryHeap *heap = &gpu->memory.memoryHeaps[i];
        if ((heap->flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT) && heap->size > memory) {
            memory = heap->size;
        }
    }
    uint32_t log2 = 28;
    while (log2 > 16 && ((VkDeviceSize)68 << log2) > memory / 4 * 3) {
        --log2;
    }
    return log2;
}

static bool chooseSizes(Bench *bench) {
    BenchOptions *options = &bench->options;
    if (options->minLog2 == 0) {
        options->minLog2 = options->quick ? 8 : 16;
    }
    if (options->maxLog2 == 0) {
        options->maxLog2 = options->quick ? 12 : largest(&bench->gpu);
    }
    return options->minLog2 <= options->maxLog2 ||
           sayError("--min-log2n %u is above --max-log2n %u", options->minLog2, options->maxLog2);
}

bool benchOpen(Bench *bench, const BenchOptions *options) {
    memset(bench, 0, sizeof *bench);
    bench->options = *options;
    const GpuOptions gpuOptions = {
        .application = "murbench",
        .device = options->device,
        .optional = MUR_FEATURE_INT64_ATOMICS,
        .validation = options->validation,
    };
    Gpu *gpu = &bench->gpu;
    if (!gpuOpen(gpu, &gpuOptions)) {
        return false;
    }
    if (!gpu->timestampMask) {
        return sayError("%s has no timestamps on its compute queue", gpu->properties.deviceName);
    }
    /* What the layers slow down, and what is small, is no measurement to wait for. */
    const bool quick = options->quick || options->validation;
    return chooseSizes(bench) && createKernels(bench) &&
           clocksOpen(gpu, quick ? &clocksQuick : &clocksFull, &bench->clocks) &&
           gpuCreateBuffer(gpu, sizeof(uint32_t), GPU_HOST, "errors", &bench->errors);
}

void benchClose(Bench *bench) {
    Gpu *gpu = &bench->gpu;
    for (int i = 0; i < CEILING_COUNT; ++i) {
        gpuDestroyKernel(gpu, &bench->ceilings[i]);
    }
    gpuDestroyKernel(gpu, &bench->generate);
    gpuDestroyKernel(gpu, &bench->verify);
    gpuDestroyKernel(gpu, &bench->copy);
    gpuDestroyKernel(gpu, &bench->empty);
    gpuDestroyBuffer(gpu, &bench->errors);
    clocksClose(&bench->clocks);
    gpuClose(gpu);
    compareClose(bench);
    tuneClose(bench);
    free(bench->rows);
}

static int compareDoubles(const void *a, const void *b) {
    double x = *(const double *)a;
    double y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Records, in one submission, warmUp runs and then count timed ones, and gives the times of
 * these. */
static bool submitRuns(Bench *bench, const Timed *timed, uint32_t warmUp, uint32_t count,
                       double *milliseconds) {
    Gpu *gpu = &bench->gpu;
    bool recorded = gpuBegin(gpu);
    for (uint32_t i = 0; recorded && i < warmUp + count; ++i) {
        gpuComputeBarrier(gpu);
        recorded = !timed->setup || timed->setup(bench, timed->user);
        /* What a barrier between compute shaders alone still costs would be in the time. */
        gpuFullBarrier(gpu);
        gpuTimestamp(gpu, 2 * i);
        recorded = recorded && timed->run(bench, timed->user);
        gpuTimestamp(gpu, 2 * i + 1);
    }
    if (!recorded || !gpuSubmit(gpu)) {
        return false;
    }
    for (uint32_t i = 0; i < count; ++i) {
        milliseconds[i] = gpuMilliseconds(gpu, 2 * (warmUp + i), 2 * (warmUp + i) + 1);
    }
    return true;
}

/* All runs of a row, chunk at a time; gives the median. */
static bool timeRuns(Bench *bench, const Timed *timed, uint32_t chunk, double *median) {
    const uint32_t reps = bench->options.reps;
    double times[BENCH_MAX_REPS];
    for (uint32_t done = 0; done < reps; done += chunk) {
        const uint32_t count = reps - done < chunk ? reps - done : chunk;
        const uint32_t warmUp = chunk > 1 ? BENCH_WARMUP : 0;
        if (!submitRuns(bench, timed, warmUp, count, times + done)) {
            return false;
        }
    }
    qsort(times, reps, sizeof *times, compareDoubles);
    *median = times[reps / 2];
    return *median > 0 || sayError("a timed run took no time: are the timestamps broken?");
}

/* All repetitions go into one submission, so that neither the host nor an idle gap shows in tiny
 * work. Only where one would run for so long that a watchdog could end it, which a first run alone
 * tells, there are several submissions. Of several tries the one counts whose clocks were the
 * best. */
bool benchTime(Bench *bench, const Timed *timed, Timing *timing) {
    const uint32_t reps = bench->options.reps;
    const double most = 0.5; /* seconds a submission */
    Clocks *clocks = &bench->clocks;
    const double begin = secondsNow();
    if (!submitRuns(bench, timed, 1, 0, NULL)) {
        return false;
    }
    const double fit = most / (secondsNow() - begin + 1e-9) - BENCH_WARMUP;
    const uint32_t chunk = fit >= reps ? reps : fit < 1 ? 1 : (uint32_t)fit;
    Timing last;
    uint32_t tries = 0;
    do {
        if (!clocksBefore(clocks, tries) || !timeRuns(bench, timed, chunk, &last.milliseconds) ||
            !clocksAfter(clocks, &last.clocks)) {
            return false;
        }
        if (tries == 0 || clocksRatio(&last.clocks, &timing->clocks) < 1) {
            *timing = last;
        }
        ++tries;
    } while (clocksRepeat(clocks, &last.clocks, tries));
    return true;
}

bool benchForget(Bench *bench, uint32_t count, const GpuBuffer *const results[]) {
    Gpu *gpu = &bench->gpu;
    if (!gpuBegin(gpu)) {
        return false;
    }
    for (uint32_t i = 0; i < count; ++i) {
        vkCmdFillBuffer(gpu->cmd, results[i]->buffer, 0, VK_WHOLE_SIZE, 0xA5A5A5A5u);
    }
    gpuTransferBarrier(gpu);
    return gpuSubmit(gpu);
}

bool benchRow(Bench *bench, const Row *row) {
    if (bench->rowCount == bench->rowRoom) {
        uint32_t room = bench->rowRoom ? 2 * bench->rowRoom : 64;
        Row *rows = realloc(bench->rows, room * sizeof *rows);
        if (!rows) {
            return sayError("no memory for results");
        }
        bench->rows = rows;
        bench->rowRoom = room;
    }
    Row *added = &bench->rows[bench->rowCount++];
    *added = *row;
    if (added->reps == 0 && added->timing.milliseconds > 0) {
        added->reps = bench->options.reps;
    }
    comparePeer(bench, added);
    sayProgress(row->suite, 1, 1); /* takes the progress line away */
    reportRow(bench, added, stdout);
    return true;
}

void benchDispatch(Bench *bench, const GpuKernel *kernel, const void *push, uint32_t items) {
    uint32_t most = bench->gpu.properties.limits.maxComputeWorkGroupCount[0];
    uint32_t groups = items / 256 + (items % 256 != 0);
    uint32_t rows = groups / most + (groups % most != 0);
    uint32_t columns = groups / rows + (groups % rows != 0);
    gpuDispatch(&bench->gpu, kernel, push, columns, rows, 1);
}

bool benchPairs(Bench *bench, uint32_t count, Pairs *pairs) {
    Gpu *gpu = &bench->gpu;
    const VkDeviceSize size = 4 * (VkDeviceSize)count;
    pairs->count = count;
    if (!gpuCreateBuffer(gpu, size, GPU_DEVICE, "keys", &pairs->keys) ||
        !gpuCreateBuffer(gpu, size, GPU_DEVICE, "values", &pairs->values) || !gpuBegin(gpu)) {
        return false;
    }
    const PairsPush push = {
        .keys = pairs->keys.address,
        .values = pairs->values.address,
        .count = count,
    };
    benchDispatch(bench, &bench->generate, &push, count);
    return gpuSubmit(gpu);
}

void benchFreePairs(Bench *bench, Pairs *pairs) {
    gpuDestroyBuffer(&bench->gpu, &pairs->keys);
    gpuDestroyBuffer(&bench->gpu, &pairs->values);
}

static bool verify(Bench *bench, const char *what, PairsPush *push) {
    Gpu *gpu = &bench->gpu;
    uint32_t *errors = bench->errors.mapped;
    *errors = 0;
    push->keys = bench->errors.address;
    if (!gpuBegin(gpu)) {
        return false;
    }
    benchDispatch(bench, &bench->verify, push, push->count);
    gpuHostBarrier(gpu);
    if (!gpuSubmit(gpu)) {
        return false;
    }
    return *errors == 0 || sayError("%s: %u of %u results are wrong", what, *errors, push->count);
}

bool benchVerify(Bench *bench, const char *what, const GpuBuffer *words, uint32_t first,
                 uint32_t count, Expect expect, uint32_t constant) {
    PairsPush push = {
        .values = words->address + 4 * (VkDeviceAddress)first,
        .count = count,
        .constant = constant,
        .isValue = expect == EXPECT_VALUES,
        .first = first,
    };
    return verify(bench, what, &push);
}

bool benchVerifyFrom(Bench *bench, const char *what, const GpuBuffer *words, uint32_t pair,
                     uint32_t count) {
    PairsPush push = {.values = words->address, .count = count, .isValue = 1, .first = pair};
    return verify(bench, what, &push);
}
