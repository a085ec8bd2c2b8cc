/* A camera over a terrain of 2^26 bricks, a table in pages of which a twentieth is on the GPU: in
 * each frame all bricks in sight are looked up, then what was not there comes in. It flies two
 * bricks a frame and turns round twice.
 *
 * SPDX-License-Identifier: MIT */
#include "large.h"
#include "common/seconds.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

GPU_SPIRV(bench_spv_fly);

enum {
    FRAMES = 600,
    FIRST = 32,    /* frames before, in which what is in sight comes in */
    TOGETHER = 16, /* in a submission: two timestamps each */
    SPEED = 2,     /* bricks a frame */
    SPLITTING = 16 /* murCmdPageTable a submission, while the table is filled */
};

typedef struct Fly {
    const Large *large;
    PagedTable on;
    GpuKernel kernel;
    GpuBuffer keys, values, found, scratch;
    GpuBuffer pushes; /* host-visible: a FlyPush for each frame of a submission */
    GpuBuffer counts; /* likewise, three words */
    uint32_t log2, partLog2, radius;
    double x, y;
    double times[FRAMES];
    uint64_t sums[3];
} Fly;

static bool openFly(Fly *fly) {
    Bench *bench = fly->large->bench;
    const bool quick = bench->options.quick;
    const uint32_t pageSize = quick ? 4096 : 16384;
    fly->log2 = quick ? 14 : 26;
    fly->partLog2 = quick ? 12 : 16;
    fly->radius = quick ? 24 : 512;
    const uint64_t part = 1ull << fly->partLog2;
    /* When pages have split, half of their slots are taken. */
    const uint32_t pages = (uint32_t)((32ull << fly->log2) / pageSize);
    const MurPagerCreateInfo pager = {.pageCount = pages + pages / 4,
                                      .pageSize = pageSize,
                                      .pageFrameCount = quick ? pages / 2 : pages / 20};
    const MurPagedTableCreateInfo table = {
        .format = MUR_FORMAT_K64V32, .shift = 18, .maxPending = 1u << fly->partLog2};
    Gpu *gpu = &bench->gpu;
    return pagedOpen(&fly->on, bench, pager, table) &&
           BENCH_KERNEL(bench, fly, VkDeviceAddress, &fly->kernel) &&
           gpuCreateBuffer(gpu, 8 * part, GPU_DEVICE, "keys", &fly->keys) &&
           gpuCreateBuffer(gpu, 4 * part, GPU_DEVICE, "values", &fly->values) &&
           gpuCreateBuffer(gpu, 4 * part, GPU_DEVICE, "found", &fly->found) &&
           gpuCreateBuffer(gpu, murGetPagedScratchSize(fly->on.table, (uint32_t)part), GPU_DEVICE,
                           "scratch", &fly->scratch) &&
           gpuCreateBuffer(gpu, TOGETHER * sizeof(FlyPush), GPU_HOST, "pushes", &fly->pushes) &&
           gpuCreateBuffer(gpu, TOGETHER * 12, GPU_HOST, "counts", &fly->counts);
}

static void closeFly(Fly *fly) {
    Gpu *gpu = &fly->large->bench->gpu;
    pagedClose(&fly->on);
    gpuDestroyKernel(gpu, &fly->kernel);
    gpuDestroyBuffer(gpu, &fly->keys);
    gpuDestroyBuffer(gpu, &fly->values);
    gpuDestroyBuffer(gpu, &fly->found);
    gpuDestroyBuffer(gpu, &fly->scratch);
    gpuDestroyBuffer(gpu, &fly->pushes);
    gpuDestroyBuffer(gpu, &fly->counts);
}

/* ---- The terrain ---------------------------------------------------------------------------- */

static LargeItems partOf(const Fly *fly, uint32_t part) {
    return (LargeItems){.kind = LARGE_BRICKS,
                        .first = part << fly->partLog2,
                        .count = 1u << fly->partLog2,
                        .stride = 1,
                        .mask = (1u << fly->log2) - 1};
}

static bool insertPart(Fly *fly, uint32_t part) {
    Gpu *gpu = &fly->large->bench->gpu;
    const LargeItems items = partOf(fly, part);
    const MurPagedBatch batch = largeBatch(&items, &fly->keys, &fly->values, &fly->scratch);
    if (!gpuBegin(gpu)) {
        return false;
    }
    const bool cleared = part != 0 || pagedClear(&fly->on);
    largeMake(fly->large, &items, &fly->keys, &fly->values);
    const bool done = cleared &&
                      gpuCheck(murCmdPagedInsert(gpu->cmd, fly->on.table, MUR_MODE_ASSIGN, &batch),
                               "inserting bricks");
    return gpuSubmit(gpu) && done && pagedSettle(&fly->on, SPLITTING);
}

static bool holdsPart(Fly *fly, uint32_t part) {
    Gpu *gpu = &fly->large->bench->gpu;
    const LargeItems items = partOf(fly, part);
    const MurPagedBatch batch = largeBatch(&items, &fly->keys, &fly->found, &fly->scratch);
    if (!benchForget(fly->large->bench, 1, (const GpuBuffer *const[]){&fly->found}) ||
        !gpuBegin(gpu)) {
        return false;
    }
    largeMake(fly->large, &items, &fly->keys, &fly->values);
    const bool done = gpuCheck(murCmdPagedFind(gpu->cmd, fly->on.table, &batch), "finding bricks");
    return gpuSubmit(gpu) && done && largeVerify(fly->large, "terrain", &items, &fly->found);
}

static bool fill(Fly *fly) {
    const uint32_t parts = 1u << (fly->log2 - fly->partLog2);
    bool done = true;
    for (uint32_t part = 0; part < parts && done; ++part) {
        done = insertPart(fly, part);
    }
    for (uint32_t part = 0; part < parts && done; ++part) {
        done = holdsPart(fly, part);
    }
    return done;
}

/* ---- The flight ----------------------------------------------------------------------------- */

static void move(Fly *fly, uint32_t frame, FlyPush *push) {
    const uint32_t side = fly->log2 / 2;
    const double angle = 0.3 + 0.001 * frame + (frame > FRAMES / 3 ? 2.0 : 0) -
                         (frame > 2 * FRAMES / 3 ? 2.9 : 0);
    fly->x += SPEED * sin(angle);
    fly->y += SPEED * cos(angle);
    *push = (FlyPush){.table = murGetPagedTableRef(fly->on.table, fly->on.frame),
                      .mask = (1u << fly->log2) - 1,
                      .side = side,
                      .radius = fly->radius,
                      .x = (uint32_t)(int32_t)floor(fly->x),
                      .y = (uint32_t)(int32_t)floor(fly->y),
                      .east = (uint32_t)(int32_t)lround(1024 * sin(angle)),
                      .north = (uint32_t)(int32_t)lround(1024 * cos(angle))};
}

/* So many frames in one submission. */
static bool flyOn(Fly *fly, uint32_t frame, uint32_t count) {
    Gpu *gpu = &fly->large->bench->gpu;
    bool done = gpuBegin(gpu);
    memset(fly->counts.mapped, 0, fly->counts.size);
    for (uint32_t i = 0; i < count && done; ++i) {
        FlyPush *push = (FlyPush *)fly->pushes.mapped + i;
        const VkDeviceAddress address = fly->pushes.address + i * sizeof(FlyPush);
        move(fly, frame + i, push);
        push->counts = fly->counts.address + 12ull * i;
        benchDispatch(fly->large->bench, &fly->kernel, &address, 4 * fly->radius * fly->radius);
        gpuFullBarrier(gpu);
        gpuTimestamp(gpu, 2 * i);
        done = pagedPage(&fly->on, fly->on.frames);
        gpuTimestamp(gpu, 2 * i + 1);
        gpuFullBarrier(gpu);
    }
    gpuHostBarrier(gpu);
    if (!done || !gpuSubmit(gpu)) {
        return false;
    }
    for (uint32_t i = 0; i < count && frame + i >= FIRST; ++i) {
        const uint32_t *counts = (const uint32_t *)fly->counts.mapped + 3 * i;
        fly->times[frame + i - FIRST] = gpuMilliseconds(gpu, 2 * i, 2 * i + 1);
        for (uint32_t j = 0; j < 3; ++j) {
            fly->sums[j] += counts[j];
        }
    }
    return true;
}

/* ---- Rows ----------------------------------------------------------------------------------- */

static bool addRow(const Fly *fly, const char *operation, double rate, const char *unit,
                   double milliseconds, uint32_t reps) {
    const PagedTable *on = &fly->on;
    Row row = {.suite = "large",
               .operation = operation,
               .state = "unordered",
               .format = "K64V32",
               .pairs = 1u << fly->log2,
               .capacity = (uint64_t)on->pages * on->needs.pageSlots,
               .tableBytes = on->gpuBytes,
               .timing = {.milliseconds = milliseconds, .clocks = fly->large->link.in.clocks},
               .rate = rate,
               .unit = unit,
               .reps = reps};
    row.load = (double)row.pairs / (double)row.capacity;
    benchSay(&row, "terrain, %u KiB, %.1f%% of %u pages on the GPU", on->pageSize >> 10,
             100.0 * on->frames / on->pages, on->pages);
    return benchRow(fly->large->bench, &row);
}

/* Bytes on the GPU, of a flat table's at load 0.5; and of all pages, wherever they lie. */
static bool memoryRows(const Fly *fly) {
    MurContext context = fly->large->bench->gpu.context;
    const MurTableCreateInfo info = {.capacity = 2ull << fly->log2, .format = MUR_FORMAT_K64V32};
    MurTableRequirements flat;
    if (!gpuCheck(murGetTableRequirements(context, &info, &flat), "a flat table")) {
        return false;
    }
    const double pages = (double)fly->on.pages * fly->on.pageSize;
    return addRow(fly, "memory on the GPU", 100.0 * (double)fly->on.gpuBytes / (double)flat.size,
                  "%", 0, 0) &&
           addRow(fly, "memory of pages", 100.0 * pages / (double)flat.size, "%", 0, 0);
}

static bool flightRows(Fly *fly) {
    bool done = true;
    fly->x = fly->y = (double)(1u << (fly->log2 / 2 - 1));
    for (uint32_t frame = 0; frame < FIRST + FRAMES && done; frame += TOGETHER) {
        const uint32_t left = FIRST + FRAMES - frame;
        done = flyOn(fly, frame, left < TOGETHER ? left : TOGETHER);
    }
    if (!done) {
        return false;
    }
    if (fly->sums[FLY_WRONG] != 0 || fly->sums[FLY_LOOKUPS] == 0) {
        return sayError("flight: %llu of %llu lookups are wrong",
                        (unsigned long long)fly->sums[FLY_WRONG],
                        (unsigned long long)fly->sums[FLY_LOOKUPS]);
    }
    const double median = secondsMedian(fly->times, FRAMES), late = fly->times[FRAMES * 99 / 100];
    const double most = fly->times[FRAMES - 1];
    return addRow(fly, "flight answered",
                  100.0 * (double)fly->sums[FLY_ANSWERED] / (double)fly->sums[FLY_LOOKUPS], "%", 0,
                  FRAMES) &&
           addRow(fly, "flight paging median", 1e3 * median, "us", median, FRAMES) &&
           addRow(fly, "flight paging p99", 1e3 * late, "us", late, FRAMES) &&
           addRow(fly, "flight paging most", 1e3 * most, "us", most, FRAMES);
}

bool largeFlyRows(const Large *large) {
    Fly *fly = calloc(1, sizeof *fly);
    if (!fly) {
        return sayError("no memory for a flight");
    }
    fly->large = large;
    const bool done = openFly(fly) && fill(fly) && memoryRows(fly) && flightRows(fly);
    closeFly(fly);
    free(fly);
    return done;
}
