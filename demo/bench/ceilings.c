/* Limits of memory: random accesses by region size, and copies.
 * SPDX-License-Identifier: MIT */
#include "bench.h"
#include "shaders/push.h"

#include <math.h>

/* Accesses, in the order of the kernels from KERNEL_READ_8 on. */
static const struct {
    const char *name;
    uint32_t bytes;
} accesses[] = {{"read 8 B", 8}, {"read 16 B", 16}, {"CAS 32", 8}, {"CAS 64", 8}};

typedef struct Region {
    Kernel kernel;
    RegionPush push; /* sink: offset from the start of the region */
} Region;

BENCH_STEP(runRegion, const Region, region) {
    return benchDispatch(bench, region->kernel, &region->push, region->push.count);
}

/* Returns the figure if it was measured at settled clocks; otherwise measures it. units: work of a
 * run. Returns NULL on failure. */
static const Figure *measure(Bench *bench, Region region, uint64_t bytes, double units,
                             Figure *figure) {
    const uint32_t made = bench->madeCount;
    GpuBuffer memory;
    Timing timing;
    if (figure->rate > 0 && clocksUnsettled(&bench->clocks, figure->clocks) <= 0) {
        return figure;
    }
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
    return done ? figure : NULL;
}

static const Figure *accessRate(Bench *bench, Kernel access, uint64_t region) {
    /* The nearest power of two: the next smaller one may fit into a cache and be too fast. */
    uint32_t log2 = 0;
    while ((uint64_t)2 << log2 <= region + region / 3) {
        ++log2;
    }
    const uint32_t i = access - KERNEL_READ_8;
    const uint64_t bytes = (uint64_t)1 << log2;
    const Region accessed = {.kernel = access,
                             .push = {.count = bench->options.quick ? 1u << 14 : 1u << 26,
                                      .mask = (uint32_t)(bytes / accesses[i].bytes - 1),
                                      .seed = 0x2545F491u}};
    return measure(bench, accessed, bytes, accessed.push.count, &bench->accessRates[i][log2]);
}

static const Figure *copyRate(Bench *bench) {
    const uint64_t half = bench->options.quick ? 1u << 20 : 1u << 30;
    const Region copied = {.kernel = KERNEL_copy,
                           .push = {.sink = half, .count = (uint32_t)(half / 32)}};
    return measure(bench, copied, 2 * half, 2 * (double)half, &bench->copyRate);
}

void benchAddCeiling(Row *row, double rate, const Figure *figure) {
    row->ceiling = rate;
    row->timing.clocks = fmax(row->timing.clocks, figure->clocks);
}

bool benchCeiling(Bench *bench, Kernel access, uint64_t region, Row *row) {
    const Figure *figure = accessRate(bench, access, region);
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

/* Prints a ceiling as a row. */
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

static bool accessRows(Bench *bench, Kernel access) {
    const bool quick = bench->options.quick;
    bool done = true;
    for (uint32_t log2 = quick ? 16 : 21; log2 <= (quick ? 22u : 31u) && done;
         log2 += quick ? 3 : 2) {
        Row row = {.operation = accesses[access - KERNEL_READ_8].name, .unit = "G/s"};
        benchSay(&row, "region of 2^%u B", log2);
        done = figureRow(bench, &row, accessRate(bench, access, (uint64_t)1 << log2));
    }
    return done;
}

bool suiteCeilings(Bench *bench) {
    for (Kernel access = KERNEL_READ_8; access <= KERNEL_CAS_64; ++access) {
        bool able = access != KERNEL_CAS_64 || (bench->gpu.features & MUR_FEATURE_INT64_ATOMICS);
        if (able && !accessRows(bench, access)) {
            return false;
        }
    }
    Row copy = {.operation = "copy", .variant = "32 B an invocation", .unit = "GB/s"};
    return figureRow(bench, &copy, copyRate(bench));
}
