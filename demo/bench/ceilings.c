/* What memory can do at most: random accesses by region size, copies, empty dispatches, barriers.
 *
 * SPDX-License-Identifier: MIT */
#include "bench.h"
#include "shaders/push.h"

#include <math.h>

GPU_SPIRV(bench_spv_READ_8);
GPU_SPIRV(bench_spv_READ_16);
GPU_SPIRV(bench_spv_READ_32);
GPU_SPIRV(bench_spv_WRITE_8);
GPU_SPIRV(bench_spv_CAS_32);
GPU_SPIRV(bench_spv_CAS_64);

static const struct {
    const char *name;
    uint32_t bytes;
    const uint32_t *code;
    const size_t *codeSize;
} accesses[CEILING_COUNT] = {
#define ACCESS(kind, name, bytes) \
    [CEILING_##kind] = {name, bytes, bench_spv_##kind, &bench_spv_##kind##_size}
    ACCESS(READ_8, "read 8 B", 8),    ACCESS(READ_16, "read 16 B", 16),
    ACCESS(READ_32, "read 32 B", 32), ACCESS(WRITE_8, "write 8 B", 8),
    ACCESS(CAS_32, "CAS 32", 8),      ACCESS(CAS_64, "CAS 64", 8),
#undef ACCESS
};

typedef struct Region {
    GpuBuffer memory;
    const GpuKernel *kernel;
    RegionPush push;
} Region;

BENCH_STEP(runAccesses, const Region, region) {
    benchDispatch(bench, region->kernel, &region->push, region->push.count);
    return true;
}

/* When first asked for: 64-bit atomics are optional. */
static bool makeKernel(Bench *bench, Ceiling ceiling) {
    return bench->ceilings[ceiling].pipeline ||
           gpuCreateKernel(&bench->gpu, accesses[ceiling].name, accesses[ceiling].code,
                           *accesses[ceiling].codeSize, sizeof(RegionPush),
                           &bench->ceilings[ceiling]);
}

static bool measure(Bench *bench, Ceiling ceiling, uint64_t bytes, Figure *figure) {
    Region region = {
        .kernel = &bench->ceilings[ceiling],
        .push = {.count = bench->options.quick ? 1u << 14 : 1u << 26,
                 .mask = (uint32_t)(bytes / accesses[ceiling].bytes - 1),
                 .seed = 0x2545F491u},
    };
    Timing timing = {0};
    bool done = gpuCreateBuffer(&bench->gpu, bytes, GPU_DEVICE, "region", &region.memory);
    if (done) {
        region.push.region = region.memory.address;
        region.push.sink = region.memory.address;
        done = benchTime(bench, &(Timed){.run = runAccesses, .user = &region}, &timing);
    }
    gpuDestroyBuffer(&bench->gpu, &region.memory);
    *figure = (Figure){done ? 1e-6 * region.push.count / timing.milliseconds : 0, timing.clocks};
    return done;
}

/* Known, and at clocks that have settled as far as is known now. */
static bool isGood(const Bench *bench, const Figure *figure) {
    return figure->rate > 0 && clocksUnsettled(&bench->clocks, figure->clocks) <= 0;
}

static bool accessRate(Bench *bench, Ceiling ceiling, uint64_t region, Figure *figure) {
    /* The nearest power of two: at a cache's edge the next smaller one would promise too much. */
    uint32_t log2 = 0;
    while ((uint64_t)2 << log2 <= region + region / 3) {
        ++log2;
    }
    Figure *known = &bench->accessRates[ceiling][log2];
    if (!isGood(bench, known) &&
        (!makeKernel(bench, ceiling) || !measure(bench, ceiling, (uint64_t)1 << log2, known))) {
        return false;
    }
    *figure = *known;
    return true;
}

void benchAddCeiling(Row *row, double rate, const Figure *figure) {
    row->ceiling = rate;
    row->timing.clocks = fmax(row->timing.clocks, figure->clocks);
}

bool benchCeiling(Bench *bench, Ceiling ceiling, uint64_t region, Row *row) {
    Figure figure;
    if (!accessRate(bench, ceiling, region, &figure)) {
        return false;
    }
    benchAddCeiling(row, figure.rate, &figure);
    return true;
}

BENCH_STEP(runCopy, const Region, region) {
    benchDispatch(bench, &bench->copy, &region->push, region->push.count);
    return true;
}

static bool copyRate(Bench *bench, Figure *figure) {
    if (!isGood(bench, &bench->copyRate)) {
        const VkDeviceSize half = bench->options.quick ? 1u << 20 : 1u << 30;
        Region region = {.push = {.count = (uint32_t)(half / 32)}};
        Timing timing = {0};
        bool done = gpuCreateBuffer(&bench->gpu, 2 * half, GPU_DEVICE, "copy", &region.memory);
        if (done) {
            region.push.region = region.memory.address;
            region.push.sink = region.memory.address + half;
            done = benchTime(bench, &(Timed){.run = runCopy, .user = &region}, &timing);
        }
        gpuDestroyBuffer(&bench->gpu, &region.memory);
        if (!done) {
            return false;
        }
        bench->copyRate = (Figure){1e-6 * 2 * (double)half / timing.milliseconds, timing.clocks};
    }
    *figure = bench->copyRate;
    return true;
}

bool benchCopyCeiling(Bench *bench, double perByte, Row *row) {
    Figure figure;
    if (!copyRate(bench, &figure)) {
        return false;
    }
    benchAddCeiling(row, figure.rate * perByte, &figure);
    return true;
}

/* A ceiling as a row of its own. */
static bool figureRow(Bench *bench, Row *row, const Figure *figure) {
    row->rate = figure->rate;
    row->timing.clocks = figure->clocks;
    return benchRow(bench, row);
}

static bool accessRows(Bench *bench, Ceiling ceiling) {
    uint32_t first = bench->options.quick ? 16 : 21;
    uint32_t last = bench->options.quick ? 22 : 31;
    for (uint32_t log2 = first; log2 <= last; log2 += bench->options.quick ? 3 : 2) {
        Row row = {.suite = "ceilings",
                   .operation = accesses[ceiling].name,
                   .unit = "G/s",
                   .reps = bench->options.reps};
        benchSay(&row, "region of 2^%u B", log2);
        Figure figure;
        if (!accessRate(bench, ceiling, (uint64_t)1 << log2, &figure) ||
            !figureRow(bench, &row, &figure)) {
            return false;
        }
    }
    return true;
}

enum { OVERHEAD_COUNT = 64 };

BENCH_STEP(runEmpty, const bool, barriers) {
    const RegionPush push = {0};
    for (int i = 0; i < OVERHEAD_COUNT; ++i) {
        gpuDispatch(&bench->gpu, &bench->empty, &push, 1, 1, 1);
        if (*barriers) {
            gpuComputeBarrier(&bench->gpu);
        }
    }
    return true;
}

static bool overheadRow(Bench *bench, bool barriers) {
    Row row = {.suite = "ceilings",
               .operation = barriers ? "dispatch+barrier" : "dispatch",
               .variant = "empty",
               .pairs = OVERHEAD_COUNT,
               .unit = "us each"};
    if (!benchTime(bench, &(Timed){.run = runEmpty, .user = &barriers}, &row.timing)) {
        return false;
    }
    row.rate = 1e3 * row.timing.milliseconds / OVERHEAD_COUNT;
    return benchRow(bench, &row);
}

bool suiteCeilings(Bench *bench) {
    for (Ceiling ceiling = 0; ceiling < CEILING_COUNT; ++ceiling) {
        bool able = ceiling != CEILING_CAS_64 || (bench->gpu.features & MUR_FEATURE_INT64_ATOMICS);
        if (able && !accessRows(bench, ceiling)) {
            return false;
        }
    }
    Row copy = {.suite = "ceilings",
                .operation = "copy",
                .variant = "32 B an invocation",
                .unit = "GB/s",
                .reps = bench->options.reps};
    Figure figure;
    return copyRate(bench, &figure) && figureRow(bench, &copy, &figure) &&
           overheadRow(bench, false) && overheadRow(bench, true);
}
