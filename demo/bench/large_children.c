/* Starfish's experiment: 2^23 pairs in eight children, of which two are on the GPU. Here a child is
 * an eighth of the keys, by their high bits, in as many pages; queries for keys of the two, by a
 * shader, beside the same in a flat table; and queries spread over all eight.
 *
 * SPDX-License-Identifier: MIT */
#include "large.h"
#include "trial.h"
#include "common/say.h"

#include <string.h>

GPU_SPIRV(bench_spv_paged_find);
GPU_SPIRV(bench_spv_in_find_plain);

enum { STRIDE = 0x3C6EF35F };

typedef struct Children {
    const Large *large;
    PagedTable on;
    MurTable flat;
    GpuKernel pagedFind, flatFind;
    GpuBuffer keys, values, queries, found, scratch;
    GpuBuffer find; /* host-visible: a PagedFind */
    uint32_t log2;
    LargeItems items; /* the queries */
} Children;

static LargeItems itemsOf(const Children *children, uint32_t count, uint32_t stride) {
    return (LargeItems){.kind = LARGE_CHILDREN,
                        .count = count,
                        .stride = stride,
                        .mask = (1u << children->log2) - 1};
}

static bool openTables(Children *children) {
    Bench *bench = children->large->bench;
    const uint32_t pageLog2 = bench->options.quick ? 8 : 12; /* pairs a page */
    const uint32_t pagesLog2 = children->log2 - pageLog2, pages = 1u << pagesLog2;
    const MurPagerCreateInfo pager = {.pageCount = pages + pages / 8 + 8,
                                      .pageSize = 16u << pageLog2,
                                      .frameCount = pages / 4 + 4}; /* a page may have split */
    const MurPagedTableCreateInfo paged = {.atomicWidth = trialWidth(bench),
                                           .shift = 32 - pagesLog2};
    const MurTableCreateInfo flat = {.capacity = 2ull << children->log2,
                                     .atomicWidth = trialWidth(bench)};
    return pagedOpen(&children->on, bench, pager, paged) &&
           gpuCheck(murCreateTable(bench->gpu.context, &flat, &children->flat), "making a table");
}

static bool openChildren(Children *children) {
    const uint64_t pairs = 1ull << children->log2;
    Gpu *gpu = &children->large->bench->gpu;
    return openTables(children) &&
           gpuCreateKernel(gpu, "paged find", bench_spv_paged_find, bench_spv_paged_find_size,
                           sizeof(VkDeviceAddress), &children->pagedFind) &&
           gpuCreateKernel(gpu, "flat find", bench_spv_in_find_plain, bench_spv_in_find_plain_size,
                           sizeof(InShaderPush), &children->flatFind) &&
           gpuCreateBuffer(gpu, 4 * pairs, GPU_DEVICE, "keys", &children->keys) &&
           gpuCreateBuffer(gpu, 4 * pairs, GPU_DEVICE, "values", &children->values) &&
           gpuCreateBuffer(gpu, pairs, GPU_DEVICE, "queries", &children->queries) &&
           gpuCreateBuffer(gpu, pairs, GPU_DEVICE, "found", &children->found) &&
           gpuCreateBuffer(gpu, sizeof(PagedFind), GPU_HOST, "find", &children->find) &&
           gpuCreateBuffer(gpu, murGetPagedScratchSize(children->on.table, (uint32_t)pairs),
                           GPU_DEVICE, "scratch", &children->scratch);
}

static void closeChildren(Children *children) {
    Gpu *gpu = &children->large->bench->gpu;
    pagedClose(&children->on);
    murDestroyTable(children->flat);
    gpuDestroyKernel(gpu, &children->pagedFind);
    gpuDestroyKernel(gpu, &children->flatFind);
    gpuDestroyBuffer(gpu, &children->keys);
    gpuDestroyBuffer(gpu, &children->values);
    gpuDestroyBuffer(gpu, &children->queries);
    gpuDestroyBuffer(gpu, &children->found);
    gpuDestroyBuffer(gpu, &children->find);
    gpuDestroyBuffer(gpu, &children->scratch);
}

static bool fill(Children *children) {
    const Large *large = children->large;
    Gpu *gpu = &large->bench->gpu;
    const LargeItems all = itemsOf(children, 1u << children->log2, 1);
    const MurPagedBatch paged = largeBatch(&all, &children->keys, &children->values,
                                           &children->scratch);
    const MurBatch flat = {.maxCount = paged.maxCount, .keys = paged.keys, .values = paged.values};
    if (!gpuBegin(gpu)) {
        return false;
    }
    largeMake(large, &all, &children->keys, &children->values);
    bool done = gpuCheck(murCmdClear(gpu->cmd, children->flat), "clearing") &&
                pagedClear(&children->on);
    gpuComputeBarrier(gpu);
    done = done &&
           gpuCheck(murCmdInsert(gpu->cmd, children->flat, MUR_MODE_ASSIGN, &flat), "inserting") &&
           gpuCheck(murCmdPagedInsert(gpu->cmd, children->on.table, MUR_MODE_ASSIGN, &paged),
                    "inserting into pages");
    return gpuSubmit(gpu) && done && pagedSettle(&children->on, 1);
}

static bool ask(Children *children, LargeItems items) {
    Gpu *gpu = &children->large->bench->gpu;
    children->items = items;
    if (!gpuBegin(gpu)) {
        return false;
    }
    largeMake(children->large, &items, &children->queries, &children->found);
    return gpuSubmit(gpu);
}

static bool forget(const Children *children) {
    return benchForget(children->large->bench, 1, (const GpuBuffer *const[]){&children->found});
}

static bool runPaged(Bench *bench, void *user) {
    const Children *children = user;
    *(PagedFind *)children->find.mapped = (PagedFind){
        .table = murGetPagedTableRef(children->on.table, children->on.frame),
        .keys = children->queries.address,
        .values = children->found.address,
        .count = children->items.count,
    };
    benchDispatch(bench, &children->pagedFind, &children->find.address, children->items.count);
    return true;
}

static bool runFlat(Bench *bench, void *user) {
    const Children *children = user;
    const InShaderPush push = {.table = murGetTableRef(children->flat),
                               .keys = children->queries.address,
                               .values = children->found.address,
                               .count = children->items.count,
                               .keyMask = UINT32_MAX};
    benchDispatch(bench, &children->flatFind, &push, push.count);
    return true;
}

static bool runBulk(Bench *bench, void *user) {
    const Children *children = user;
    const MurPagedBatch batch = largeBatch(&children->items, &children->queries, &children->found,
                                           &children->scratch);
    return gpuCheck(murCmdPagedFind(bench->gpu.cmd, children->on.table, &batch),
                    "finding in pages");
}

/* All queries have their pages behind it. */
static bool bringIn(Children *children) {
    Gpu *gpu = &children->large->bench->gpu;
    bool done = true;
    for (uint32_t i = 0; i < 2 && done; ++i) { /* what the first asks for, the second has */
        done = gpuBegin(gpu) && runPaged(children->large->bench, children);
        gpuComputeBarrier(gpu);
        done = done && pagedPage(&children->on, children->on.frames) && gpuSubmit(gpu);
    }
    return done;
}

static Row rowOf(const Children *children, const char *operation, const char *variant,
                 Timing timing) {
    Row row = {.suite = "large",
               .operation = operation,
               .state = "unordered",
               .format = "K32V32",
               .pairs = children->items.count,
               .capacity = 2ull << children->log2,
               .load = 0.5,
               .tableBytes = (uint64_t)children->on.pages * children->on.pageSize,
               .timing = timing,
               .rate = 1e-6 * children->items.count / timing.milliseconds,
               .unit = "G/s"};
    snprintf(row.variant, sizeof row.variant, "%s", variant);
    return row;
}

static bool timeFind(Children *children, bool (*run)(Bench *bench, void *user), Timing *timing) {
    return forget(children) &&
           benchTime(children->large->bench, &(Timed){NULL, run, children}, timing) &&
           largeVerify(children->large, "children", &children->items, &children->found);
}

static bool residentRows(Children *children) {
    Bench *bench = children->large->bench;
    Timing flat, paged;
    if (!ask(children, itemsOf(children, 1u << (children->log2 - 2), 1)) || !bringIn(children) ||
        !timeFind(children, runFlat, &flat) || !timeFind(children, runPaged, &paged)) {
        return false;
    }
    const Row beside = rowOf(children, "flat find", "2 of 8 children asked for", flat);
    Row row = rowOf(children, "paged find", "2 of 8 children resident, and asked for", paged);
    row.bulk = beside.rate;
    return benchRow(bench, &beside) && benchRow(bench, &row);
}

static bool spreadRow(Children *children) {
    const Figure *link = &children->large->link.in;
    Timing timing;
    if (!ask(children, itemsOf(children, 1u << (children->log2 - 2), STRIDE)) ||
        !timeFind(children, runBulk, &timing)) {
        return false;
    }
    Row row = rowOf(children, "paged find bulk", "2 of 8 children resident, all asked for", timing);
    row.rate = 1e-6 * (double)row.tableBytes / timing.milliseconds;
    row.unit = "GB/s";
    row.ceiling = link->rate;
    row.scratch = children->scratch.size;
    row.timing.clocks = clocksSlower(&row.timing.clocks, &link->clocks);
    return benchRow(children->large->bench, &row);
}

bool largeChildrenRows(const Large *large) {
    Children children;
    memset(&children, 0, sizeof children);
    children.large = large;
    children.log2 = large->bench->options.quick ? 14 : 23;
    const bool done = openChildren(&children) && fill(&children) && residentRows(&children) &&
                      spreadRow(&children);
    closeChildren(&children);
    return done;
}
