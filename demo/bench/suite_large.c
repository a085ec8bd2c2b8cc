/* Paged tables that are far larger than the GPU memory that they use: code that their rows share.
 * SPDX-License-Identifier: MIT */
#include "large.h"

static LargePush pushOf(const LargeItems *items, const GpuBuffer *values) {
    return (LargePush){.values = values->address,
                       .first = items->first,
                       .count = items->count,
                       .stride = items->stride,
                       .mask = items->mask,
                       .kind = items->kind};
}

/* Records the creation of keys and values of items. */
static bool make(Bench *bench, const LargeItems *items, const GpuBuffer *keys,
                 const GpuBuffer *values) {
    LargePush push = pushOf(items, values);
    push.keys = keys->address;
    const bool done = benchDispatch(bench, KERNEL_large, &push, items->count);
    gpuFullBarrier(&bench->gpu);
    return done;
}

static MurPagedBatch batchOf(const LargeTable *table, uint32_t count, const GpuBuffer *keys,
                             const GpuBuffer *values) {
    return (MurPagedBatch){.maxCount = count,
                           .keys = {keys->address, 8ull * count},
                           .values = {values->address, 4ull * count},
                           .scratch = {table->scratch.address, table->scratch.size}};
}

bool largeOpen(LargeTable *table, GpuMemory memory) {
    const uint64_t part = 1ull << table->partLog2;
    Bench *bench = table->bench;
    return benchBuffer(bench, 8 * part, memory, "keys", &table->keys) &&
           benchBuffer(bench, 4 * part, memory, "values", &table->values) &&
           benchBuffer(bench, 8 * part, GPU_DEVICE, "queries", &table->queries) &&
           benchBuffer(bench, 4 * part, GPU_DEVICE, "found", &table->found) &&
           benchBuffer(bench, murGetPagedScratchSize(table->on.table, (uint32_t)part), GPU_DEVICE,
                       "scratch", &table->scratch);
}

LargeItems largePart(const LargeTable *table, uint32_t part) {
    return (LargeItems){.kind = table->kind,
                        .first = part << table->partLog2,
                        .count = 1u << table->partLog2,
                        .stride = 1,
                        .mask = (uint32_t)((1ull << table->log2) - 1)};
}

bool largeInsert(LargeTable *table, uint32_t part, double *milliseconds) {
    Gpu *gpu = &table->bench->gpu;
    const LargeItems items = largePart(table, part);
    const MurPagedBatch batch = batchOf(table, items.count, &table->keys, &table->values);
    if (!gpuBegin(gpu)) {
        return false;
    }
    bool done = (part != 0 || pagedClear(&table->on)) &&
                make(table->bench, &items, &table->keys, &table->values);
    gpuTimestamp(gpu, 0);
    done = done && gpuCheck(murCmdPagedInsert(gpu->cmd, table->on.table, MUR_MODE_ASSIGN, &batch),
                            "inserting into pages");
    gpuTimestamp(gpu, 1);
    done = gpuSubmit(gpu) && done;
    *milliseconds = gpuMilliseconds(gpu, 0, 1);
    return done;
}

BENCH_STEP(makeQueries, const LargeTable, table) {
    return make(bench, &table->items, &table->queries, &table->found);
}

bool largeAsk(LargeTable *table, LargeItems items) {
    Bench *bench = table->bench;
    table->items = items;
    return benchOnce(bench, makeQueries, table) &&
           benchForget(bench, 1, (const GpuBuffer *const[]){&table->found});
}

bool largeFind(Bench *bench, void *user) {
    const LargeTable *table = user;
    const MurPagedBatch batch = batchOf(table, table->items.count, &table->queries, &table->found);
    return gpuCheck(murCmdPagedFind(bench->gpu.cmd, table->on.table, &batch), "finding in pages");
}

bool largeVerify(const LargeTable *table, const char *operation) {
    Bench *bench = table->bench;
    LargePush push = pushOf(&table->items, &table->found);
    push.wrong = bench->wrong.address;
    push.check = 1;
    return benchCheck(bench, operation, KERNEL_large, &push, push.count);
}

bool largeHolds(LargeTable *table, const char *operation) {
    bool done = true;
    for (uint32_t part = 0; part < 1u << (table->log2 - table->partLog2) && done; ++part) {
        done = largeAsk(table, largePart(table, part)) &&
               benchOnce(table->bench, largeFind, table) && largeVerify(table, operation);
    }
    return done;
}

Row largeRow(const LargeTable *table, const char *operation, uint32_t pairs, Timing timing) {
    const PagedTable *on = &table->on;
    Row row = {.suite = table->suite,
               .operation = operation,
               .state = "unordered",
               .format = "K64V32",
               .pairs = pairs,
               .capacity = (uint64_t)on->pages * on->needs.pageSlots,
               .timing = timing};
    row.load = (double)(1ull << table->log2) / (double)row.capacity;
    return row;
}

bool suiteLarge(Bench *bench) {
    const bool quick = bench->options.quick;
    LinkRates link;
    return linkRows(bench, "large", &link) && largeFlyRows(bench, &link) &&
           streamRows(bench, "large", &link, quick ? 12 : 31, quick ? 10 : 28,
                      quick ? 4096 : 3ull << 30);
}
