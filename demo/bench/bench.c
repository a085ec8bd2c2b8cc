/* Opening a run, timing, pairs, verification.
 *
 * SPDX-License-Identifier: MIT */
#include "bench.h"
#include "common/seconds.h"
#include "shaders/push.h"

#include <murmuration/buckets.h>

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

GPU_SPIRV(bench_spv_pairs);
GPU_SPIRV(bench_spv_copy);
GPU_SPIRV(bench_spv_empty);

static bool createKernels(Bench *bench) {
    return BENCH_KERNEL(bench, pairs, PairsPush, &bench->pairs) &&
           BENCH_KERNEL(bench, copy, RegionPush, &bench->copy) &&
           BENCH_KERNEL(bench, empty, RegionPush, &bench->empty);
}

/* The largest power of two whose pairs, absent keys, results, table, scratch and ceiling fit into
 * most of the device's memory, 68 bytes a pair in all. */
static uint32_t largest(const Gpu *gpu) {
    const VkDeviceSize memory = gpuLargestHeap(gpu, true);
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
        .formats = {murFormatK64V32(), murFormatK64V64(), murFormatK32(), murFormatK64(),
                    murBucketsK32V32(), murBucketsK64()},
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
    return chooseSizes(bench) && createKernels(bench) && clocksOpen(gpu, quick, &bench->clocks) &&
           gpuCreateBuffer(gpu, sizeof(uint32_t), GPU_HOST, "wrong", &bench->wrong);
}

void benchClose(Bench *bench) {
    Gpu *gpu = &bench->gpu;
    for (int i = 0; i < CEILING_COUNT; ++i) {
        gpuDestroyKernel(gpu, &bench->ceilings[i]);
    }
    gpuDestroyKernel(gpu, &bench->pairs);
    gpuDestroyKernel(gpu, &bench->copy);
    gpuDestroyKernel(gpu, &bench->empty);
    gpuDestroyBuffer(gpu, &bench->wrong);
    clocksClose(&bench->clocks);
    gpuClose(gpu);
    compareClose(bench);
    tuneClose(bench);
    free(bench->rows);
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
    *median = secondsMedian(times, reps);
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
        if (tries == 0 || last.clocks < timing->clocks) {
            *timing = last;
        }
        ++tries;
    } while (clocksAgain(clocks, last.clocks, tries));
    return true;
}

bool benchOnce(Bench *bench, bool (*record)(Bench *bench, void *user), void *user) {
    if (!gpuBegin(&bench->gpu) || !record(bench, user)) {
        return false;
    }
    gpuHostBarrier(&bench->gpu);
    return gpuSubmit(&bench->gpu);
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

void benchSay(Row *row, const char *format, ...) {
    const size_t length = strlen(row->variant);
    va_list values;
    va_start(values, format);
    (void)vsnprintf(row->variant + length, sizeof row->variant - length, format, values);
    va_end(values);
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

bool benchPairs(Bench *bench, uint32_t count, uint32_t keyWords, uint32_t valueWords,
                Pairs *pairs) {
    Gpu *gpu = &bench->gpu;
    const VkDeviceSize words = valueWords ? valueWords : 1; /* no buffer is empty */
    pairs->keyWords = keyWords;
    pairs->valueWords = valueWords;
    if (!gpuCreateBuffer(gpu, 4ull * keyWords * count, GPU_DEVICE, "keys", &pairs->keys) ||
        !gpuCreateBuffer(gpu, 4 * words * count, GPU_DEVICE, "values", &pairs->values) ||
        !gpuBegin(gpu)) {
        return false;
    }
    const PairsPush push = {.keys = pairs->keys.address,
                            .values = pairs->values.address,
                            .count = count,
                            .keyWords = keyWords,
                            .valueWords = valueWords};
    benchDispatch(bench, &bench->pairs, &push, count);
    return gpuSubmit(gpu);
}

void benchFreePairs(Bench *bench, Pairs *pairs) {
    gpuDestroyBuffer(&bench->gpu, &pairs->keys);
    gpuDestroyBuffer(&bench->gpu, &pairs->values);
}

static bool count(Bench *bench, const GpuKernel *kernel, const void *push, uint32_t items,
                  uint32_t *wrong) {
    Gpu *gpu = &bench->gpu;
    *(uint32_t *)bench->wrong.mapped = 0;
    *wrong = 0;
    if (items == 0 || !gpuBegin(gpu)) {
        return items == 0;
    }
    benchDispatch(bench, kernel, push, items);
    gpuHostBarrier(gpu);
    const bool done = gpuSubmit(gpu);
    *wrong = *(const uint32_t *)bench->wrong.mapped;
    return done;
}

bool benchCheck(Bench *bench, const char *what, const GpuKernel *kernel, const void *push,
                uint32_t items) {
    uint32_t wrong;
    return count(bench, kernel, push, items, &wrong) &&
           (wrong == 0 || sayError("%s: %u of %u results are wrong", what, wrong, items));
}

static PairsPush wordsPush(const Bench *bench, const GpuBuffer *words, uint32_t first,
                           uint32_t count, uint32_t constant) {
    return (PairsPush){.values = words->address + 4ull * first,
                       .wrong = bench->wrong.address,
                       .count = count,
                       .valueWords = 1,
                       .check = PAIRS_CONSTANT,
                       .constant = constant};
}

bool benchIsValues(Bench *bench, const char *what, const GpuBuffer *words, uint32_t pair,
                   uint32_t count) {
    PairsPush push = wordsPush(bench, words, 0, count, 0);
    push.check = PAIRS_VALUES;
    push.first = pair;
    return benchCheck(bench, what, &bench->pairs, &push, count);
}

bool benchIsAll(Bench *bench, const char *what, const GpuBuffer *words, uint32_t first,
                uint32_t count, uint32_t constant) {
    const PairsPush push = wordsPush(bench, words, first, count, constant);
    return benchCheck(bench, what, &bench->pairs, &push, count);
}

bool benchCount(Bench *bench, const GpuBuffer *words, uint32_t items, uint32_t constant,
                uint32_t *same) {
    const PairsPush push = wordsPush(bench, words, 0, items, constant);
    uint32_t others;
    const bool done = count(bench, &bench->pairs, &push, items, &others);
    *same = items - others;
    return done;
}
