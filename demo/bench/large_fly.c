/* A camera flies over a terrain of 2^26 bricks: a paged table with a twentieth of its pages on the
 * GPU. Each frame looks up all visible bricks, then loads missing pages. The camera flies two
 * bricks per frame, and turns twice.
 * SPDX-License-Identifier: MIT */
#include "large.h"

#include <murmuration/host.h>
#include "common/clock.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    FRAMES = 600,
    FIRST = 32,    /* initial frames that load visible pages */
    TOGETHER = 16, /* frames per submission; each has two timestamps */
    SPEED = 2,     /* bricks per frame */
    SPLITTING = 16 /* murCmdUpdatePagedTable per submission while the table is filled */
};

typedef struct Fly {
    LargeTable table;
    GpuBuffer pushes; /* host-visible: one FlyPush per frame of a submission */
    GpuBuffer counts; /* host-visible: three words per frame */
    uint32_t frames, radius;
    double x, y;
    double times[FRAMES];
    uint64_t sums[3];
} Fly;

static bool openFly(Fly *fly) {
    LargeTable *table = &fly->table;
    Bench *bench = table->bench;
    const bool quick = bench->options.quick;
    const uint32_t pageSize = quick ? 4096 : 16384;
    table->kind = LARGE_BRICKS;
    table->log2 = quick ? 14 : 26;
    table->partLog2 = quick ? 12 : 16;
    fly->frames = quick ? FRAMES / 4 : FRAMES;
    fly->radius = quick ? 24 : 512;
    /* After pages were split, half of their slots are used. */
    const uint32_t pages = (uint32_t)((32ull << table->log2) / pageSize);
    const MurPagerCreateInfo pager = {.pageCount = pages + pages / 4,
                                      .pageSize = pageSize,
                                      .poolPageCount = quick ? pages / 2 : pages / 20};
    const MurPagedTableCreateInfo info = {
        .type = murHostTypeK64V32(), .partitionShift = 18, .maxPending = 1u << table->partLog2};
    return pagedOpen(&table->on, bench, pager, info) && largeOpen(table, GPU_DEVICE) &&
           benchBuffer(bench, TOGETHER * sizeof(FlyPush), GPU_HOST, "pushes", &fly->pushes) &&
           benchBuffer(bench, TOGETHER * 12, GPU_HOST, "counts", &fly->counts);
}

static bool fill(Fly *fly) {
    LargeTable *table = &fly->table;
    bool done = true;
    double milliseconds;
    for (uint32_t part = 0; part < 1u << (table->log2 - table->partLog2) && done; ++part) {
        done = largeInsert(table, part, &milliseconds) && pagedSettle(&table->on, SPLITTING);
    }
    return done && largeHolds(table, "terrain");
}

static void move(Fly *fly, uint32_t frame, FlyPush *push) {
    const uint32_t side = fly->table.log2 / 2;
    const double angle = 0.3 + 0.001 * frame + (frame > fly->frames / 3 ? 2.0 : 0) -
                         (frame > 2 * fly->frames / 3 ? 2.9 : 0);
    fly->x += SPEED * sin(angle);
    fly->y += SPEED * cos(angle);
    *push = (FlyPush){.table = murGetPagedTableRef(fly->table.on.table, fly->table.on.frame),
                      .mask = (1u << fly->table.log2) - 1,
                      .side = side,
                      .radius = fly->radius,
                      .x = (uint32_t)(int32_t)floor(fly->x),
                      .y = (uint32_t)(int32_t)floor(fly->y),
                      .east = (uint32_t)(int32_t)lround(1024 * sin(angle)),
                      .north = (uint32_t)(int32_t)lround(1024 * cos(angle))};
}

/* Runs `count` frames in one submission. */
static bool flyOn(Fly *fly, uint32_t frame, uint32_t count) {
    Gpu *gpu = &fly->table.bench->gpu;
    bool done = gpuBegin(gpu);
    memset(fly->counts.mapped, 0, fly->counts.size);
    for (uint32_t i = 0; i < count && done; ++i) {
        FlyPush *push = (FlyPush *)fly->pushes.mapped + i;
        const VkDeviceAddress address = fly->pushes.address + i * sizeof(FlyPush);
        move(fly, frame + i, push);
        push->counts = fly->counts.address + 12ull * i;
        done = benchDispatch(fly->table.bench, KERNEL_fly, &address, 4 * fly->radius * fly->radius);
        gpuFullBarrier(gpu);
        gpuTimestamp(gpu, 2 * i);
        done = done && pagedPage(&fly->table.on, fly->table.on.frames);
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

static bool addRow(const Fly *fly, const char *operation, double rate, const char *unit,
                   double milliseconds, uint32_t reps) {
    const PagedTable *on = &fly->table.on;
    Row row = largeRow(&fly->table, operation, 1u << fly->table.log2,
                       (Timing){milliseconds, fly->table.link->in.clocks});
    row.tableBytes = on->gpuBytes;
    row.rate = rate;
    row.unit = unit;
    row.reps = reps;
    benchSay(&row, "terrain, %u KiB, %.1f%% of %u pages on the GPU", on->pageSize >> 10,
             100.0 * on->frames / on->pages, on->pages);
    return benchRow(fly->table.bench, &row);
}

/* Adds two rows: bytes on the GPU, and bytes of all pages, relative to a flat table at load 0.5. */
static bool memoryRows(const Fly *fly) {
    MurContext context = fly->table.bench->gpu.context;
    const MurTableCreateInfo info = {.capacity = 2ull << fly->table.log2,
                                     .type = murHostTypeK64V32()};
    MurTableRequirements flat;
    if (!gpuCheck(murGetTableRequirements(context, &info, &flat), "a flat table")) {
        return false;
    }
    const double pages = (double)fly->table.on.pages * fly->table.on.pageSize;
    return addRow(fly, "memory on the GPU",
                  100.0 * (double)fly->table.on.gpuBytes / (double)flat.size, "%", 0, 0) &&
           addRow(fly, "memory of pages", 100.0 * pages / (double)flat.size, "%", 0, 0);
}

static bool flightRows(Fly *fly) {
    bool done = true;
    fly->x = fly->y = (double)(1u << (fly->table.log2 / 2 - 1));
    for (uint32_t frame = 0; frame < FIRST + fly->frames && done; frame += TOGETHER) {
        const uint32_t left = FIRST + fly->frames - frame;
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
    const double median = secondsMedian(fly->times, fly->frames),
                 late = fly->times[fly->frames * 99 / 100];
    const double most = fly->times[fly->frames - 1];
    return addRow(fly, "flight answered",
                  100.0 * (double)fly->sums[FLY_ANSWERED] / (double)fly->sums[FLY_LOOKUPS], "%", 0,
                  fly->frames) &&
           addRow(fly, "flight paging median", 1e3 * median, "us", median, fly->frames) &&
           addRow(fly, "flight paging p99", 1e3 * late, "us", late, fly->frames) &&
           addRow(fly, "flight paging most", 1e3 * most, "us", most, fly->frames);
}

bool largeFlyRows(Bench *bench, const LinkRates *link) {
    Fly *fly = calloc(1, sizeof *fly);
    if (!fly) {
        return sayError("no memory for a flight");
    }
    fly->table = (LargeTable){.bench = bench, .suite = "large", .link = link};
    const uint32_t made = bench->madeCount;
    const bool done = openFly(fly) && fill(fly) && memoryRows(fly) && flightRows(fly);
    benchRelease(bench, made);
    free(fly);
    return done;
}
