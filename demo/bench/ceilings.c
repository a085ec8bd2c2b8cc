/* What memory can do at most: random accesses by region size, copies, empty dispatches, barriers.
 *
 * SPDX-License-Identifier: MIT */
#include "bench.h"
#include "shaders/push.h"

#include <math.h>

static const struct {
    const char *name;
    uint32_t bytes;
} accesses[CEILING_COUNT] = {
    [CEILING_READ_8] = {"read 8 B", 8},    [CEILING_READ_16] = {"read 16 B", 16},
    [CEILING_READ_32] = {"read 32 B", 32}, [CEILING_WRITE_8] = {"write 8 B", 8},
    [CEILING_CAS_32] = {"CAS 32", 8},      [CEILING_CAS_64] = {"CAS 64", 8},
};

typedef struct Region {
    Kernel kernel;
    RegionPush push; /* sink: from the region's beginning on */
} Region;

BENCH_STEP(runRegion, const Region, region) {
    return benchDispatch(bench, region->kernel, &region->push, region->push.count);
}

/* units: what a run counts. */
static bool measure(Bench *bench, Region region, uint64_t bytes, double units, Figure *figure) {
    const uint32_t made = bench->madeCount;
    GpuBuffer memory;
    Timing timing;
    bool done = benchBuffer(bench, bytes, GPU_DEVICE, "region", &memory);
    if (done) {
        region.push.region = memory.address;
        region.push.sink += memory.address;
        done = benchTime(bench, &(Timed){.run = runRegion, .user = &region}, &timing);
    }
    if (done) {
        *figure = (Figure){1e-6 * units / timing.milliseconds, timing.clocks};
    }
    benchRelease(bench, made);
    return done;
}

/* Known, and at clocks that have settled as far as is known now. */
static bool isGood(const Bench *bench, const Figure *figure) {
    return figure->rate > 0 && clocksUnsettled(&bench->clocks, figure->clocks) <= 0;
}

/* NULL: it cannot be measured. */
static const Figure *accessRate(Bench *bench, Ceiling ceiling, uint64_t region) {
    /* The nearest power of two: at a cache's edge the next smaller one would promise too much. */
    uint32_t log2 = 0;
    while ((uint64_t)2 << log2 <= region + region / 3) {
        ++log2;
    }
    Figure *known = &bench->accessRates[ceiling][log2];
    const uint64_t bytes = (uint64_t)1 << log2;
    const Region accessed = {.kernel = (Kernel)(KERNEL_READ_8 + ceiling),
                             .push = {.count = bench->options.quick ? 1u << 14 : 1u << 26,
                                      .mask = (uint32_t)(bytes / accesses[ceiling].bytes - 1),
                                      .seed = 0x2545F491u}};
    return isGood(bench, known) || measure(bench, accessed, bytes, accessed.push.count, known)
               ? known
               : NULL;
}

static const Figure *copyRate(Bench *bench) {
    const uint64_t half = bench->options.quick ? 1u << 20 : 1u << 30;
    const Region copied = {.kernel = KERNEL_copy,
                           .push = {.sink = half, .count = (uint32_t)(half / 32)}};
    Figure *known = &bench->copyRate;
    return isGood(bench, known) || measure(bench, copied, 2 * half, 2 * (double)half, known) ? known
                                                                                             : NULL;
}

void benchAddCeiling(Row *row, double rate, const Figure *figure) {
    row->ceiling = rate;
    row->timing.clocks = fmax(row->timing.clocks, figure->clocks);
}

bool benchCeiling(Bench *bench, Ceiling ceiling, uint64_t region, Row *row) {
    const Figure *figure = accessRate(bench, ceiling, region);
    if (figure) {
        benchAddCeiling(row, figure->rate, figure);
    }
    return figure != NULL;
}

bool benchCopyCeiling(Bench *bench, double perByte, Row *row) {
    const Figure *figure = copyRate(bench);
    if (figure) {
        benchAddCeiling(row, figure->rate * perByte, figure);
    }
    return figure != NULL;
}

/* A ceiling as a row of its own. */
static bool figureRow(Bench *bench, Row *row, const Figure *figure) {
    if (!figure) {
        return false;
    }
    row->suite = "ceilings";
    row->reps = bench->options.reps;
    row->rate = figure->rate;
    row->timing.clocks = figure->clocks;
    return benchRow(bench, row);
}

static bool accessRows(Bench *bench, Ceiling ceiling) {
    const bool quick = bench->options.quick;
    bool done = true;
    for (uint32_t log2 = quick ? 16 : 21; log2 <= (quick ? 22u : 31u) && done;
         log2 += quick ? 3 : 2) {
        Row row = {.operation = accesses[ceiling].name, .unit = "G/s"};
        benchSay(&row, "region of 2^%u B", log2);
        done = figureRow(bench, &row, accessRate(bench, ceiling, (uint64_t)1 << log2));
    }
    return done;
}

enum { OVERHEAD_COUNT = 64 };

BENCH_STEP(runEmpty, const bool, barriers) {
    const RegionPush push = {0};
    bool done = true;
    for (int i = 0; i < OVERHEAD_COUNT; ++i) {
        done = benchDispatch(bench, KERNEL_empty, &push, 1);
        if (*barriers) {
            gpuComputeBarrier(&bench->gpu);
        }
    }
    return done;
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
    Row copy = {.operation = "copy", .variant = "32 B an invocation", .unit = "GB/s"};
    return figureRow(bench, &copy, copyRate(bench)) && overheadRow(bench, false) &&
           overheadRow(bench, true);
}
