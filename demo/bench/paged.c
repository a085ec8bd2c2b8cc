/* Paged tables: a find in a shader compared with a find in a flat table of the same pairs, and the
 * speed of batches on a table in host memory.
 *
 * SPDX-License-Identifier: MIT */
#include "paged_table.h"
#include "shaders/push.h"
#include "trial.h"

typedef struct Paged {
    Bench *bench;
    const Trial *flat; /* a flat table of the same pairs, and memory for results */
    PagedTable on;
    GpuBuffer list;    /* a list of all page numbers */
    GpuBuffer find;    /* host-visible: a PagedFind */
    GpuBuffer scratch; /* scratch memory of bulk commands */
    const char *locality;
} Paged;

/* Return log2 of the pairs, and of the pairs per page. A page of 16 bytes per pair has a load of
 * slightly more than one half. */
static uint32_t pairsLog2(const Bench *bench) {
    return bench->options.quick ? 12 : 24;
}

static uint32_t pageLog2(const Bench *bench) {
    return bench->options.quick ? 8 : 12;
}

/* Creates a table with one pool page per oneOf pages. 1: all pages are resident. */
static bool createTable(Paged *paged, MurPageLocality locality, uint32_t oneOf) {
    Bench *bench = paged->bench;
    const uint32_t log2 = pairsLog2(bench) - pageLog2(bench), pages = 1u << log2;
    const bool hashed = locality == MUR_PAGE_BY_HASH;
    const uint32_t pageCount = pages + pages / 8 + 8; /* full pages split */
    const MurPagerCreateInfo pager = {.pageCount = pageCount,
                                      .pageSize = 16u << pageLog2(bench),
                                      .poolPageCount = oneOf == 1      ? pageCount
                                                       : pages / oneOf ? pages / oneOf
                                                                       : 1};
    const MurPagedTableCreateInfo table = {.locality = locality,
                                           .atomicWidth = paged->flat->width,
                                           .partitionShift = hashed ? 0 : 32 - log2,
                                           .basePages = hashed ? pages : 0};
    return pagedOpen(&paged->on, bench, pager, table);
}

static bool openPaged(Paged *paged, const Trial *flat, MurPageLocality locality, uint32_t oneOf) {
    *paged = (Paged){.bench = flat->bench, .flat = flat};
    paged->locality = locality == MUR_PAGE_BY_HASH ? "by hash" : "by key";
    if (!createTable(paged, locality, oneOf) ||
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

static bool recordInsert(const Paged *paged, const GpuBuffer *values) {
    const MurBatch pairs = trialBatch(paged->flat, 0, paged->flat->pairs);
    const MurPagedBatch batch = {.maxCount = pairs.maxCount,
                                 .keys = pairs.keys,
                                 .values = {values->address, pairs.values.size},
                                 .scratch = trialArray(&paged->scratch)};
    return gpuCheck(
        murCmdPagedInsert(paged->bench->gpu.cmd, paged->on.table, MUR_MODE_ASSIGN, &batch),
        "inserting into pages");
}

BENCH_STEP(setupEmpty, const Paged, paged) {
    return pagedClear(&paged->on);
}

/* Sets the value of each key to a wrong value, the key itself. */
BENCH_STEP(setupOthers, const Paged, paged) {
    return recordInsert(paged, &paged->flat->source.keys);
}

BENCH_STEP(runInsert, const Paged, paged) {
    return recordInsert(paged, &paged->flat->source.values);
}

BENCH_STEP(runFind, const Paged, paged) {
    const MurBatch pairs = trialBatch(paged->flat, 0, paged->flat->pairs);
    const MurPagedBatch batch = {.maxCount = pairs.maxCount,
                                 .keys = pairs.keys,
                                 .values = trialArray(&paged->flat->values),
                                 .scratch = trialArray(&paged->scratch)};
    return gpuCheck(murCmdPagedFind(bench->gpu.cmd, paged->on.table, &batch), "finding in pages");
}

static bool fill(Paged *paged) {
    return benchOnce(paged->bench, setupEmpty, paged) &&
           benchOnce(paged->bench, runInsert, paged) && pagedSettle(&paged->on, 1);
}

BENCH_STEP(bringIn, Paged, paged) {
    const MurPageList all = {.maxCount = paged->on.pageCount, .pages = trialArray(&paged->list)};
    const bool done = gpuCheck(
        murCmdRequestPages(bench->gpu.cmd, paged->on.pager, &all, 255, paged->on.frame), "asking");
    gpuComputeBarrier(&bench->gpu);
    return done && pagedPage(&paged->on, paged->on.frames);
}

static Row pagedRow(const Paged *paged, const char *operation, const char *state, Timing timing) {
    Row row = trialRow(paged->flat, operation, state, paged->flat->pairs, timing);
    const uint64_t bytes = (uint64_t)paged->on.pages * paged->on.pageSize;
    row.capacity = (uint64_t)paged->on.pages * paged->on.needs.pageCapacity;
    row.load = (double)row.pairs / (double)row.capacity;
    row.tableBytes = bytes + paged->on.needs.size;
    snprintf(row.variant, sizeof row.variant, "%s, %u KiB, %s", paged->locality,
             paged->on.pageSize >> 10,
             paged->on.frames == paged->on.pageCount ? "all resident" : "pool of 5%");
    return row;
}

static bool valuesAreRight(const Paged *paged, const char *operation) {
    return benchIsValues(paged->bench, operation, &paged->flat->values, 0, paged->flat->pairs);
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

/* rate: of the previous row, for the flat table. If a page were not resident, the find would return
 * a wrong value. */
static bool residentRow(const Trial *flat, MurPageLocality locality, double rate) {
    const uint32_t made = flat->bench->madeCount;
    Paged paged;
    Timing timing;
    bool done = openPaged(&paged, flat, locality, 1) && fill(&paged) &&
                benchOnce(flat->bench, bringIn, &paged) && trialForget(flat) &&
                benchTime(flat->bench, &(Timed){NULL, runShader, &paged}, &timing) &&
                valuesAreRight(&paged, "paged find");
    if (done) {
        Row row = pagedRow(&paged, "paged find", "unordered", timing);
        row.bulk = rate;
        done = benchRow(flat->bench, &row);
    }
    benchRelease(flat->bench, made);
    return done;
}

/* bytes: transferred over the link per byte of the pages. in, out: bandwidth of the link. */
static bool addBulk(const Paged *paged, const char *operation, const char *state, Timing timing,
                    uint32_t bytes, const Figure *in, const Figure *out) {
    Row row = pagedRow(paged, operation, state, timing);
    row.rate = 1e-6 * bytes * paged->on.pages * paged->on.pageSize / timing.milliseconds;
    row.unit = "GB/s";
    row.scratch = paged->scratch.size;
    benchAddCeiling(&row, (in ? in->rate : 0) + (out ? out->rate : 0), in ? in : out);
    return benchRow(paged->bench, &row);
}

/* Finds every pair, and checks its value. */
static bool holdsPairs(Paged *paged, const char *operation) {
    return pagedSettle(&paged->on, 1) && trialForget(paged->flat) &&
           benchOnce(paged->bench, runFind, paged) && valuesAreRight(paged, operation);
}

static bool streamed(Paged *paged, const LinkRates *link) {
    static const char insert[] = "paged insert bulk", find[] = "paged find bulk";
    Bench *bench = paged->bench;
    Timing timing;
    return benchTime(bench, &(Timed){setupEmpty, runInsert, paged}, &timing) &&
           holdsPairs(paged, insert) &&
           addBulk(paged, insert, "empty", timing, 1, NULL, &link->out) &&
           benchTime(bench, &(Timed){setupOthers, runInsert, paged}, &timing) &&
           holdsPairs(paged, insert) &&
           addBulk(paged, insert, "unordered", timing, 2, &link->in, &link->out) &&
           trialForget(paged->flat) && benchTime(bench, &(Timed){NULL, runFind, paged}, &timing) &&
           valuesAreRight(paged, find) &&
           addBulk(paged, find, "unordered", timing, 1, &link->in, NULL);
}

static bool streamedRows(const Trial *flat, const LinkRates *link) {
    const uint32_t made = flat->bench->madeCount;
    Paged paged;
    const bool done = openPaged(&paged, flat, MUR_PAGE_BY_HASH, 20) && streamed(&paged, link);
    benchRelease(flat->bench, made);
    return done;
}

BENCH_STEP(runFlat, const Trial, trial) {
    const InShaderPush push = {.table = murGetTableRef(trial->table),
                               .keys = trial->source.keys.address,
                               .values = trial->values.address,
                               .count = trial->pairs,
                               .keyMask = UINT32_MAX};
    return benchDispatch(bench, KERNEL_in_find_plain, &push, push.count);
}

static bool flatRow(Trial *trial, double *rate) {
    const char *state;
    Timing timing;
    if (!trialFill(trial) || !trialTime(trial, &(Timed){NULL, runFlat, trial}, &state, &timing) ||
        !benchIsValues(trial->bench, "flat find", &trial->values, 0, trial->pairs)) {
        return false;
    }
    const Row row = trialRow(trial, "flat find", state, trial->pairs, timing);
    *rate = row.rate;
    return benchRow(trial->bench, &row);
}

bool pagedRows(Bench *bench, const LinkRates *link) {
    const uint32_t pairs = 1u << pairsLog2(bench);
    Trial flat = {0};
    double rate;
    const bool done = trialOpen(&flat, bench, "paging",
                                trialInfo(2ull * pairs, trialWidth(bench), 0), pairs) &&
                      flatRow(&flat, &rate) && residentRow(&flat, MUR_PAGE_BY_HASH, rate) &&
                      residentRow(&flat, MUR_PAGE_BY_KEY, rate) && streamedRows(&flat, link);
    trialClose(&flat);
    return done;
}
