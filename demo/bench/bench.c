/* Opening and closing a run, timing, pairs, verification.
 * SPDX-License-Identifier: MIT */
#include "bench.h"
#include "common/array.h"
#include "common/clock.h"
#include "shaders/push.h"

#include <murmuration/buckets.h>
#include <murmuration/rows.h>

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#define BENCH_CODE(shader, Push) bench_spv_##shader[]
extern const uint32_t BENCH_KERNELS(BENCH_CODE);
#undef BENCH_CODE
#define BENCH_SIZE(shader, Push) bench_spv_##shader##_size
extern const size_t BENCH_KERNELS(BENCH_SIZE);
#undef BENCH_SIZE

/* Creates a kernel on its first use, because 64-bit atomics are optional. */
static bool makeKernel(Bench *bench, Kernel kernel) {
#define BENCH_KERNEL(shader, Push) \
    { #shader, bench_spv_##shader, &bench_spv_##shader##_size, sizeof(Push) }
    static const struct {
        const char *name;
        const uint32_t *code;
        const size_t *size;
        uint32_t pushSize;
    } kernels[] = {BENCH_KERNELS(BENCH_KERNEL)};
#undef BENCH_KERNEL
    return bench->kernels[kernel].layout ||
           gpuCreateKernel(&bench->gpu, kernels[kernel].name, kernels[kernel].code,
                           *kernels[kernel].size, kernels[kernel].pushSize,
                           &bench->kernels[kernel]);
}

bool benchKeep(Bench *bench, Made made) {
    if (bench->madeCount == BENCH_MADE) {
        return sayError("more buffers and tables than a run can have");
    }
    bench->made[bench->madeCount++] = made;
    return true;
}

void benchRelease(Bench *bench, uint32_t made) {
    while (bench->madeCount > made) {
        Made *last = &bench->made[--bench->madeCount];
        murDestroyPagedTable(last->paged);
        murDestroyPager(last->pager);
        murDestroyTable(last->table);
        gpuDestroyBuffer(&bench->gpu, &last->buffer);
    }
}

bool benchBuffer(Bench *bench, VkDeviceSize size, GpuMemory memory, const char *name,
                 GpuBuffer *buffer) {
    return gpuCreateBuffer(&bench->gpu, size, memory, name, buffer) &&
           benchKeep(bench, (Made){.buffer = *buffer});
}

bool benchTable(Bench *bench, const MurTableCreateInfo *info, MurTable *table) {
    return gpuCheck(murCreateTable(bench->gpu.context, info, table), "creating a table") &&
           benchKeep(bench, (Made){.table = *table});
}

/* Returns the largest power of two whose pairs, absent keys, results, table, scratch and ceiling
 * use most of the device's memory, 68 bytes per pair in total. */
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
        .validation = options->validation,
    };
    Gpu *gpu = &bench->gpu;
    if (!gpuOpen(gpu, &gpuOptions)) {
        return false;
    }
    if (!gpu->timestampMask) {
        return sayError("%s has no timestamps on its compute queue", gpu->properties.deviceName);
    }
    /* Validation layers slow work down, and small sizes are not measurements, so do not wait. */
    const bool quick = options->quick || options->validation;
    return chooseSizes(bench) && clocksOpen(gpu, quick, &bench->clocks) &&
           benchBuffer(bench, sizeof(uint32_t), GPU_HOST, "wrong", &bench->wrong);
}

void benchClose(Bench *bench) {
    Gpu *gpu = &bench->gpu;
    for (int i = 0; i < KERNEL_COUNT; ++i) {
        gpuDestroyKernel(gpu, &bench->kernels[i]);
    }
    benchRelease(bench, 0);
    clocksClose(&bench->clocks);
    gpuClose(gpu);
    tuneClose(bench);
    free(bench->rows);
}

/* Records warmUp runs and then count timed runs in one submission. Returns the times of the timed
 * runs. seconds: the time of the submission. It excludes recording, which may create kernels. */
static bool submitRuns(Bench *bench, const Timed *timed, uint32_t warmUp, uint32_t count,
                       double *milliseconds, double *seconds) {
    Gpu *gpu = &bench->gpu;
    bool recorded = gpuBegin(gpu);
    for (uint32_t i = 0; recorded && i < warmUp + count; ++i) {
        gpuComputeBarrier(gpu);
        recorded = !timed->setup || timed->setup(bench, timed->user);
        /* A barrier between compute shaders only would end within the timed work. */
        gpuFullBarrier(gpu);
        gpuTimestamp(gpu, 2 * i);
        recorded = recorded && timed->run(bench, timed->user);
        gpuTimestamp(gpu, 2 * i + 1);
    }
    const double begin = secondsNow();
    if (!recorded || !gpuSubmit(gpu)) {
        return false;
    }
    *seconds = secondsNow() - begin;
    for (uint32_t i = 0; i < count; ++i) {
        milliseconds[i] = gpuMilliseconds(gpu, 2 * (warmUp + i), 2 * (warmUp + i) + 1);
    }
    return true;
}

/* Makes all runs of a row, `chunk` runs per submission, and returns the median. */
static bool timeRuns(Bench *bench, const Timed *timed, uint32_t chunk, double *median) {
    const uint32_t reps = bench->options.reps;
    double times[BENCH_MAX_REPS], seconds;
    for (uint32_t done = 0; done < reps; done += chunk) {
        const uint32_t count = reps - done < chunk ? reps - done : chunk;
        const uint32_t warmUp = chunk > 1 ? BENCH_WARMUP : 0;
        if (!submitRuns(bench, timed, warmUp, count, times + done, &seconds)) {
            return false;
        }
    }
    *median = secondsMedian(times, reps);
    return *median > 0 || sayError("a timed run took no time: are the timestamps broken?");
}

/* All repetitions are in one submission, so that times contain no host work and no idle gaps. A
 * first run measures whether a watchdog might end this submission; if so, it is split. Of several
 * tries, the try with the best clocks counts. */
bool benchTime(Bench *bench, const Timed *timed, Timing *timing) {
    const uint32_t reps = bench->options.reps;
    const double most = 0.5; /* seconds per submission */
    Clocks *clocks = &bench->clocks;
    double alone;
    if (!submitRuns(bench, timed, 1, 0, NULL, &alone)) {
        return false;
    }
    const double fit = most / (alone + 1e-9) - BENCH_WARMUP;
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

void benchCopy(Bench *bench, const GpuBuffer *from, VkDeviceSize first, VkDeviceSize size,
               const GpuBuffer *to, VkDeviceSize at) {
    gpuFullBarrier(&bench->gpu);
    gpuCopy(&bench->gpu, from, first, to, at, size);
    gpuFullBarrier(&bench->gpu);
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
    if (!growItems(&bench->rows, bench->rowCount, &bench->rowRoom, sizeof *row)) {
        return sayError("no memory for results");
    }
    Row *added = &bench->rows[bench->rowCount++];
    *added = *row;
    if (added->reps == 0 && added->timing.milliseconds > 0) {
        added->reps = bench->options.reps;
    }
    sayProgress(row->suite, 1, 1); /* removes the progress line */
    reportRow(bench, added, stdout);
    return true;
}

bool benchDispatch(Bench *bench, Kernel kernel, const void *push, uint32_t items) {
    uint32_t most = bench->gpu.properties.limits.maxComputeWorkGroupCount[0];
    uint32_t groups = items / 256 + (items % 256 != 0);
    uint32_t rows = groups / most + (groups % most != 0);
    uint32_t columns = groups / rows + (groups % rows != 0);
    if (!makeKernel(bench, kernel)) {
        return false;
    }
    gpuDispatch(&bench->gpu, &bench->kernels[kernel], push, columns, rows, 1);
    return true;
}

bool benchPairs(Bench *bench, uint32_t count, uint32_t keyWords, uint32_t valueWords,
                Pairs *pairs) {
    const VkDeviceSize words = valueWords ? valueWords : 1; /* buffers must not be empty */
    pairs->keyWords = keyWords;
    pairs->valueWords = valueWords;
    if (!benchBuffer(bench, 4ull * keyWords * count, GPU_DEVICE, "keys", &pairs->keys) ||
        !benchBuffer(bench, 4 * words * count, GPU_DEVICE, "values", &pairs->values)) {
        return false;
    }
    const PairsPush push = {.keys = pairs->keys.address,
                            .values = pairs->values.address,
                            .count = count,
                            .keyWords = keyWords,
                            .valueWords = valueWords};
    return benchCheck(bench, "pairs", KERNEL_pairs, &push, count);
}

static bool count(Bench *bench, Kernel kernel, const void *push, uint32_t items, uint32_t *wrong) {
    Gpu *gpu = &bench->gpu;
    *(uint32_t *)bench->wrong.mapped = 0;
    *wrong = 0;
    if (items == 0 || !gpuBegin(gpu) || !benchDispatch(bench, kernel, push, items)) {
        return items == 0;
    }
    gpuHostBarrier(gpu);
    const bool done = gpuSubmit(gpu);
    *wrong = *(const uint32_t *)bench->wrong.mapped;
    return done;
}

bool benchCheck(Bench *bench, const char *what, Kernel kernel, const void *push, uint32_t items) {
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
    return benchCheck(bench, what, KERNEL_pairs, &push, count);
}

bool benchIsAll(Bench *bench, const char *what, const GpuBuffer *words, uint32_t first,
                uint32_t count, uint32_t constant) {
    const PairsPush push = wordsPush(bench, words, first, count, constant);
    return benchCheck(bench, what, KERNEL_pairs, &push, count);
}

bool benchCount(Bench *bench, const GpuBuffer *words, uint32_t items, uint32_t constant,
                uint32_t *same) {
    const PairsPush push = wordsPush(bench, words, 0, items, constant);
    uint32_t others;
    const bool done = count(bench, KERNEL_pairs, &push, items, &others);
    *same = items - others;
    return done;
}
