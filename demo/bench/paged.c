/* Paged tables: a find in a shader compared with a find in a flat table of the same pairs.
 * SPDX-License-Identifier: MIT */
#include "paged_table.h"
#include "shaders/push.h"
#include "operations.h"

typedef struct Paged {
    Bench *bench;
    const Trial *flat; /* a flat table of the same pairs, and memory for results */
    PagedTable on;
    GpuBuffer list;    /* a list of all page numbers */
    GpuBuffer find;    /* host-visible: a PagedFind */
    GpuBuffer scratch; /* scratch memory of the bulk insert */
} Paged;

/* Return log2 of the pairs, and of the pairs per page. A page of 16 bytes per pair has a load of
 * slightly more than one half. */
static uint32_t pairsLog2(const Bench *bench) {
    return bench->options.quick ? 12 : 24;
}

static uint32_t pageLog2(const Bench *bench) {
    return bench->options.quick ? 8 : 12;
}

/* Creates a table with a pool page per page. */
static bool createTable(Paged *paged, MurPageLocality locality) {
    Bench *bench = paged->bench;
    const uint32_t log2 = pairsLog2(bench) - pageLog2(bench), pages = 1u << log2;
    const bool hashed = locality == MUR_PAGE_BY_HASH;
    const uint32_t pageCount = pages + pages / 8 + 8; /* full pages split */
    const MurPagerCreateInfo pager = {
        .pageCount = pageCount, .pageSize = 16u << pageLog2(bench), .poolPageCount = pageCount};
    const MurPagedTableCreateInfo table = {.locality = locality,
                                           .atomicWidth = paged->flat->width,
                                           .partitionShift = hashed ? 0 : 32 - log2,
                                           .basePages = hashed ? pages : 0};
    return pagedOpen(&paged->on, bench, pager, table);
}

static bool openPaged(Paged *paged, const Trial *flat, MurPageLocality locality) {
    *paged = (Paged){.bench = flat->bench, .flat = flat};
    if (!createTable(paged, locality) ||
        !benchBuffer(paged->bench, 4ull * paged->on.pageCount, GPU_HOST, "list", &paged->list) ||
        !benchBuffer(paged->bench, sizeof(PagedFind), GPU_HOST, "find", &paged->find) ||
        !benchBuffer(paged->bench, murGetPagedScratchSize(paged->on.table, flat->pairs), GPU_DEVICE,
                     "scratch", &paged->scratch)) {
        return false;
    }
    for (uint32_t i = 0; i < paged->on.pageCount; ++i) {
        ((uint32_t *)paged->list.mapped)[i] = i;
    }
    return true;
}

BENCH_STEP(clearPages, const Paged, paged) {
    return pagedClear(&paged->on);
}

BENCH_STEP(insertAll, const Paged, paged) {
    const MurBatch pairs = trialBatch(paged->flat, 0, paged->flat->pairs);
    const MurPagedBatch batch = {.maxCount = pairs.maxCount,
                                 .keys = pairs.keys,
                                 .values = pairs.values,
                                 .scratch = trialArray(&paged->scratch)};
    return gpuCheck(murCmdPagedInsert(bench->gpu.cmd, paged->on.table, MUR_MODE_ASSIGN, &batch),
                    "inserting into pages");
}

static bool fill(Paged *paged) {
    return benchOnce(paged->bench, clearPages, paged) &&
           benchOnce(paged->bench, insertAll, paged) && pagedSettle(&paged->on, 1);
}

BENCH_STEP(bringIn, Paged, paged) {
    const MurPageList all = {.maxCount = paged->on.pageCount, .pages = trialArray(&paged->list)};
    const bool done = gpuCheck(
        murCmdRequestPages(bench->gpu.cmd, paged->on.pager, &all, 255, paged->on.frame), "asking");
    gpuComputeBarrier(&bench->gpu);
    return done && pagedPage(&paged->on, paged->on.frames);
}

BENCH_STEP(runShader, const Paged, paged) {
    *(PagedFind *)paged->find.mapped = (PagedFind){
        .table = murGetPagedTableRef(paged->on.table, paged->on.frame),
        .keys = paged->flat->source.keys.address,
        .values = paged->flat->values.address,
        .count = paged->flat->pairs,
    };
    return benchDispatch(bench, KERNEL_paged_find, &paged->find.address, paged->flat->pairs);
}

/* If a page were not resident, the find would return a wrong value. */
static bool residentRow(const Trial *flat, MurPageLocality locality) {
    const uint32_t made = flat->bench->madeCount;
    Paged paged;
    Timing timing;
    bool done = openPaged(&paged, flat, locality) && fill(&paged) &&
                benchOnce(flat->bench, bringIn, &paged) && trialForget(flat) &&
                benchTime(flat->bench, &(Timed){NULL, runShader, &paged}, &timing) &&
                benchIsValues(flat->bench, "paged find", &flat->values, 0, flat->pairs);
    if (done) {
        const PagedTable *on = &paged.on;
        Row row = trialRow(flat, "paged find", "unordered", flat->pairs, timing);
        row.capacity = (uint64_t)on->pages * on->needs.pageCapacity;
        row.load = (double)row.pairs / (double)row.capacity;
        row.tableBytes = (uint64_t)on->pages * on->pageSize + on->needs.size;
        row.bulk = flat->bulk;
        snprintf(row.variant, sizeof row.variant, "%s, %u KiB, all resident",
                 locality == MUR_PAGE_BY_HASH ? "by hash" : "by key", on->pageSize >> 10);
        done = benchRow(flat->bench, &row);
    }
    benchRelease(flat->bench, made);
    return done;
}

bool pagedRows(Bench *bench) {
    const uint32_t pairs = 1u << pairsLog2(bench);
    Trial flat = {0};
    Row row;
    bool done = trialOpen(&flat, bench, "paging", trialInfo(2ull * pairs, trialWidth(bench), 0),
                          pairs);
    flat.name = "flat find";
    done = done && trialFill(&flat) && operationMeasure(&flat, OPERATION_SHADER_HIT, &row) &&
           benchRow(bench, &row);
    flat.bulk = row.rate;
    done = done && residentRow(&flat, MUR_PAGE_BY_HASH) && residentRow(&flat, MUR_PAGE_BY_KEY);
    trialClose(&flat);
    return done;
}
