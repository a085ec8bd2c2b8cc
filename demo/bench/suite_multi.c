/* Many values a key: insert, count, retrieve; and what one hot key costs.
 *
 * SPDX-License-Identifier: MIT */
#include "bench.h"
#include "common/say.h"
#include "shaders/push.h"

#include <murmuration/multi.h>

#include <stdio.h>
#include <string.h>

GPU_SPIRV(bench_spv_multi_pairs);

typedef struct Table {
    Bench *bench;
    MurAtomicWidth width;
    MurFormat format;
    uint32_t bits, valueBits; /* 2^bits pairs, 2^valueBits a key */
    uint32_t pairs, queries;
    MurTable table;
    GpuKernel kernel;
    GpuBuffer keys, values, seen, different, counts, offsets, results, indices, scratch,
        insertScratch;
    bool withIndices; /* of the next retrieve */
    uint32_t checks;
} Table;

static MurArray array(const GpuBuffer *buffer) {
    return (MurArray){buffer->address, buffer->size};
}

static bool words(Table *table, uint64_t count, const char *name, GpuBuffer *buffer) {
    return gpuCreateBuffer(&table->bench->gpu, 4 * count, GPU_DEVICE, name, buffer);
}

static bool runPairs(Table *table, const MultiPairsPush *push) {
    Gpu *gpu = &table->bench->gpu;
    if (!gpuBegin(gpu)) {
        return false;
    }
    benchDispatch(table->bench, &table->kernel, push, table->pairs);
    gpuHostBarrier(gpu);
    return gpuSubmit(gpu);
}

static uint64_t capacity(const Table *table) {
    return 2 * ((uint64_t)table->pairs + table->queries);
}

static MurBatch insertBatch(const Table *table) {
    return (MurBatch){
        .maxCount = table->pairs, .keys = array(&table->keys), .values = array(&table->values)};
}

static VkDeviceSize insertScratch(const Table *table) {
    const MurBatch batch = insertBatch(table);
    return murGetScratchSize(table->table, MUR_COMMAND_MULTI_INSERT, MUR_MODE_ASSIGN, &batch);
}

static uint32_t keyWords(const Table *table) {
    return table->format == MUR_FORMAT_K64V32_MULTI ? 2 : 1;
}

static bool openTable(Table *table) {
    Gpu *gpu = &table->bench->gpu;
    const MurTableCreateInfo info = {.capacity = capacity(table),
                                     .seed = 0x6D75726Du,
                                     .reservedValue = MUR_RESERVED_VALUE_ZERO,
                                     .atomicWidth = table->width,
                                     .format = table->format,
                                     .uses = {murUseMulti(), murUseScratch()},
                                     .pName = "benchmark table"};
    const uint64_t scratch = murGetMultiRetrieveScratchSize(table->queries) / 4;
    const bool opened =
        gpuCheck(murCreateTable(gpu->context, &info, &table->table), "creating a table") &&
        gpuCreateKernel(gpu, "multi_pairs", bench_spv_multi_pairs, bench_spv_multi_pairs_size,
                        sizeof(MultiPairsPush), &table->kernel) &&
        words(table, (uint64_t)keyWords(table) * table->pairs, "keys", &table->keys) &&
        words(table, table->pairs, "values", &table->values) &&
        words(table, table->pairs, "seen", &table->seen) &&
        words(table, (uint64_t)keyWords(table) * table->queries, "different keys",
              &table->different) &&
        words(table, table->queries, "counts", &table->counts) &&
        words(table, table->queries + 1ull, "offsets", &table->offsets) &&
        words(table, table->pairs, "results", &table->results) &&
        words(table, table->pairs, "indices", &table->indices) &&
        words(table, scratch, "scratch", &table->scratch) &&
        words(table, insertScratch(table) / 4 + 1, "scratch", &table->insertScratch);
    const MultiPairsPush push = {.keys = table->keys.address,
                                 .values = table->values.address,
                                 .queries = table->different.address,
                                 .seen = table->seen.address,
                                 .bits = table->bits,
                                 .valueBits = table->valueBits,
                                 .check = MULTI_PAIRS_WRITE,
                                 .keyWords = keyWords(table)};
    return opened && runPairs(table, &push);
}

static void closeTable(Table *table) {
    Gpu *gpu = &table->bench->gpu;
    GpuBuffer *const buffers[] = {&table->keys,         &table->values,  &table->seen,
                                  &table->different,    &table->counts,  &table->offsets,
                                  &table->results,      &table->indices, &table->scratch,
                                  &table->insertScratch};
    murDestroyTable(table->table);
    gpuDestroyKernel(gpu, &table->kernel);
    for (size_t i = 0; i < sizeof buffers / sizeof buffers[0]; ++i) {
        gpuDestroyBuffer(gpu, buffers[i]);
    }
}

static bool setupEmpty(Bench *bench, void *user) {
    const Table *table = user;
    const bool done = gpuCheck(murCmdClear(bench->gpu.cmd, table->table), "clearing");
    gpuComputeBarrier(&bench->gpu);
    return done;
}

static bool insert(Bench *bench, const Table *table, VkDeviceSize scratch) {
    MurBatch batch = insertBatch(table);
    batch.scratch = (MurArray){scratch ? table->insertScratch.address : 0, scratch};
    return gpuCheck(murCmdMultiInsert(bench->gpu.cmd, table->table, &batch), "inserting");
}

static bool runInsert(Bench *bench, void *user) {
    return insert(bench, user, 0);
}

static bool runInsertScratch(Bench *bench, void *user) {
    return insert(bench, user, insertScratch(user));
}

static bool runCount(Bench *bench, void *user) {
    const Table *table = user;
    const MurBatch batch = {.maxCount = table->queries,
                            .keys = array(&table->different),
                            .values = array(&table->counts)};
    return gpuCheck(murCmdMultiCount(bench->gpu.cmd, table->table, &batch), "counting");
}

static bool runRetrieve(Bench *bench, void *user) {
    const Table *table = user;
    MurMultiRetrieve retrieve = {.maxKeys = table->queries,
                                 .keys = array(&table->different),
                                 .offsets = array(&table->offsets),
                                 .maxValues = table->pairs,
                                 .values = array(&table->results),
                                 .scratch = array(&table->scratch)};
    if (table->withIndices) {
        retrieve.keyIndices = array(&table->indices);
    }
    return gpuCheck(murCmdMultiRetrieve(bench->gpu.cmd, table->table, &retrieve), "retrieving");
}

/* Every pair was retrieved once, as a value of its key. The indices are of the last retrieve that
 * gave any. */
static bool verifyRetrieve(Table *table) {
    uint32_t *errors = table->bench->errors.mapped;
    *errors = 0;
    const MultiPairsPush push = {.keys = table->indices.address,
                                 .values = table->results.address,
                                 .queries = table->bench->errors.address,
                                 .seen = table->seen.address,
                                 .bits = table->bits,
                                 .valueBits = table->valueBits,
                                 .check = ++table->checks,
                                 .keyWords = keyWords(table)};
    return runPairs(table, &push) &&
           (*errors == 0 || sayError("retrieve: %u of %u values are wrong", *errors, table->pairs));
}

static bool row(Table *table, const char *operation, const char *outputs, Timing timing) {
    const MurBufferRange memory = murGetTableMemory(table->table);
    const bool insert = operation[6] == 'i';
    Row result = {.suite = "multi",
                  .operation = operation,
                  .state = insert ? "empty" : "unordered",
                  .format = keyWords(table) == 2 ? "K64V32_MULTI" : "K64V32",
                  .pairs = table->pairs,
                  .capacity = capacity(table),
                  .tableBytes = memory.size,
                  .load = 0.5,
                  .timing = timing,
                  .rate = 1e-6 * table->pairs / timing.milliseconds,
                  .unit = "G/s",
                  .scratch = strstr(operation, "retrieve") ? table->scratch.size
                             : *outputs                    ? insertScratch(table)
                                                           : 0};
    snprintf(result.variant, sizeof result.variant, "%d-bit atomics, %u a%s key%s",
             (int)table->width, 1u << table->valueBits, keyWords(table) == 2 ? " 64-bit" : "",
             outputs);
    return benchRow(table->bench, &result);
}

/* All but the indices, which not every retrieve gives. */
static bool forget(Table *table) {
    return benchForget(
        table->bench, 3,
        (const GpuBuffer *const[]){&table->counts, &table->offsets, &table->results});
}

static bool time(Table *table, const Timed *timed, Timing *timing) {
    return forget(table) && benchTime(table->bench, timed, timing);
}

/* What the last of the timed inserts left: each value is retrieved once. */
static bool verifyInsert(Table *table) {
    Gpu *gpu = &table->bench->gpu;
    table->withIndices = true;
    return forget(table) && gpuBegin(gpu) && runRetrieve(table->bench, table) && gpuSubmit(gpu) &&
           verifyRetrieve(table);
}

static bool retrieveRows(Table *table, bool indices) {
    const char *const outputs = indices ? ", key indices" : "";
    Timing timing;
    table->withIndices = indices;
    return time(table, &(Timed){NULL, runRetrieve, table}, &timing) && verifyRetrieve(table) &&
           row(table, "multi count + retrieve", outputs, timing);
}

static bool allRows(Table *table) {
    Timing timing;
    return time(table, &(Timed){setupEmpty, runInsert, table}, &timing) && verifyInsert(table) &&
           row(table, "multi insert", "", timing) &&
           (!insertScratch(table) ||
            (time(table, &(Timed){setupEmpty, runInsertScratch, table}, &timing) &&
             verifyInsert(table) && row(table, "multi insert", ", scratch", timing))) &&
           time(table, &(Timed){NULL, runCount, table}, &timing) &&
           benchVerify(table->bench, "count", &table->counts, 0, table->queries, EXPECT_CONSTANT,
                       1u << table->valueBits) &&
           row(table, "multi count", "", timing) && retrieveRows(table, true) &&
           retrieveRows(table, false);
}

bool suiteMulti(Bench *bench) {
    const bool wide = (bench->gpu.features & MUR_FEATURE_INT64_ATOMICS) != 0;
    const uint32_t large = bench->options.quick ? 10 : 24, hot = bench->options.quick ? 8 : 16;
    const uint32_t sizes[][2] = {{large, 3}, {hot, 3}, {hot, hot}};
    for (uint32_t i = 0; i < 8; ++i) { /* the last two: 64-bit keys */
        const uint32_t bits = sizes[i / 2 % 3][0], valueBits = sizes[i / 2 % 3][1];
        const MurAtomicWidth width = i % 2 == 0 ? MUR_ATOMIC_WIDTH_64 : MUR_ATOMIC_WIDTH_32;
        if (bits > bench->options.maxLog2 || (!wide && width == MUR_ATOMIC_WIDTH_64)) {
            continue;
        }
        Table table = {.bench = bench,
                       .width = width,
                       .format = i < 6 ? MUR_FORMAT_K64V32 : MUR_FORMAT_K64V32_MULTI,
                       .bits = bits,
                       .valueBits = valueBits,
                       .pairs = 1u << bits,
                       .queries = 1u << (bits - valueBits)};
        const bool done = openTable(&table) && allRows(&table);
        closeTable(&table);
        if (!done) {
            return false;
        }
    }
    return true;
}
