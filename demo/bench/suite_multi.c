/* Many values a key: insert, count, retrieve; and what one hot key costs.
 *
 * SPDX-License-Identifier: MIT */
#include "shaders/push.h"
#include "trial.h"

#include <murmuration/multi.h>

GPU_SPIRV(bench_spv_multi_pairs);

/* Counts and offsets are of the queries, which have each key once. The last two: scratch memory. */
enum { KEYS, VALUES, SEEN, QUERIES, COUNTS, OFFSETS, RESULTS, INDICES, RETRIEVE, INSERT, BUFFERS };

typedef struct Multi {
    Bench *bench;
    MurTableCreateInfo info;
    uint32_t bits, valueBits; /* 2^bits pairs, 2^valueBits a key */
    uint32_t pairs, queries, keyWords;
    MurTable table;
    GpuKernel kernel;
    GpuBuffer buffers[BUFFERS];
    bool scratch, indices; /* of the next insert, and retrieve */
    uint32_t checks;
} Multi;

static MurArray array(const Multi *multi, int buffer) {
    return trialArray(&multi->buffers[buffer]);
}

static MurBatch insertBatch(const Multi *multi) {
    return (MurBatch){
        .maxCount = multi->pairs, .keys = array(multi, KEYS), .values = array(multi, VALUES)};
}

static VkDeviceSize insertScratch(const Multi *multi) {
    const MurBatch batch = insertBatch(multi);
    return murGetScratchSize(multi->table, MUR_COMMAND_MULTI_INSERT, MUR_MODE_ASSIGN, &batch);
}

/* Writes the pairs, or checks what was retrieved: see the shader. */
static bool runPairs(Multi *multi, uint32_t check) {
    const GpuBuffer *buffers = multi->buffers;
    const bool write = check == MULTI_PAIRS_WRITE;
    const MultiPairsPush push = {.keys = buffers[write ? KEYS : INDICES].address,
                                 .values = buffers[write ? VALUES : RESULTS].address,
                                 .queries = buffers[QUERIES].address,
                                 .seen = buffers[SEEN].address,
                                 .wrong = multi->bench->wrong.address,
                                 .bits = multi->bits,
                                 .valueBits = multi->valueBits,
                                 .check = check,
                                 .keyWords = multi->keyWords};
    return benchCheck(multi->bench, "retrieve", &multi->kernel, &push, multi->pairs);
}

static bool openMulti(Multi *multi) {
    Gpu *gpu = &multi->bench->gpu;
    const uint64_t pairs = multi->pairs, queries = multi->queries, words = multi->keyWords;
    bool done = gpuCheck(murCreateTable(gpu->context, &multi->info, &multi->table),
                         "creating a table") &&
                BENCH_KERNEL(multi->bench, multi_pairs, MultiPairsPush, &multi->kernel);
    const uint64_t sizes[] = {[KEYS] = words * pairs,
                              [VALUES] = pairs,
                              [SEEN] = pairs,
                              [QUERIES] = words * queries,
                              [COUNTS] = queries,
                              [OFFSETS] = queries + 1,
                              [RESULTS] = pairs,
                              [INDICES] = pairs,
                              [RETRIEVE] = murGetMultiRetrieveScratchSize(multi->queries) / 4};
    for (int i = 0; i < INSERT && done; ++i) {
        done = gpuCreateBuffer(gpu, 4 * sizes[i], GPU_DEVICE, "multi", &multi->buffers[i]);
    }
    return done &&
           gpuCreateBuffer(gpu, insertScratch(multi) + 4, GPU_DEVICE, "scratch",
                           &multi->buffers[INSERT]) &&
           runPairs(multi, MULTI_PAIRS_WRITE);
}

static void closeMulti(Multi *multi) {
    Gpu *gpu = &multi->bench->gpu;
    murDestroyTable(multi->table);
    gpuDestroyKernel(gpu, &multi->kernel);
    for (int i = 0; i < BUFFERS; ++i) {
        gpuDestroyBuffer(gpu, &multi->buffers[i]);
    }
}

static bool setupEmpty(Bench *bench, void *user) {
    const Multi *multi = user;
    const bool done = gpuCheck(murCmdClear(bench->gpu.cmd, multi->table), "clearing");
    gpuComputeBarrier(&bench->gpu);
    return done;
}

static bool runInsert(Bench *bench, void *user) {
    const Multi *multi = user;
    MurBatch batch = insertBatch(multi);
    if (multi->scratch) {
        batch.scratch = (MurArray){multi->buffers[INSERT].address, insertScratch(multi)};
    }
    return gpuCheck(murCmdMultiInsert(bench->gpu.cmd, multi->table, &batch), "inserting");
}

static bool runCount(Bench *bench, void *user) {
    const Multi *multi = user;
    const MurBatch batch = {
        .maxCount = multi->queries, .keys = array(multi, QUERIES), .values = array(multi, COUNTS)};
    return gpuCheck(murCmdMultiCount(bench->gpu.cmd, multi->table, &batch), "counting");
}

static bool runRetrieve(Bench *bench, void *user) {
    const Multi *multi = user;
    const MurMultiRetrieve retrieve = {
        .maxKeys = multi->queries,
        .keys = array(multi, QUERIES),
        .offsets = array(multi, OFFSETS),
        .maxValues = multi->pairs,
        .values = array(multi, RESULTS),
        .keyIndices = multi->indices ? array(multi, INDICES) : (MurArray){0},
        .scratch = array(multi, RETRIEVE),
    };
    return gpuCheck(murCmdMultiRetrieve(bench->gpu.cmd, multi->table, &retrieve), "retrieving");
}

/* All but the indices, which not every retrieve gives. */
static bool forget(Multi *multi) {
    GpuBuffer *all = multi->buffers;
    const GpuBuffer *const results[] = {&all[COUNTS], &all[OFFSETS], &all[RESULTS]};
    return benchForget(multi->bench, 3, results);
}

/* Every pair was retrieved once, as a value of its key. The indices are of the last retrieve that
 * gave any. */
static bool verifyRetrieve(Multi *multi) {
    return runPairs(multi, ++multi->checks);
}

/* What the last of the timed inserts left. */
static bool verifyInsert(Multi *multi) {
    multi->indices = true;
    return forget(multi) && benchOnce(multi->bench, runRetrieve, multi) && verifyRetrieve(multi);
}

static bool verifyCount(Multi *multi) {
    return benchIsAll(multi->bench, "count", &multi->buffers[COUNTS], 0, multi->queries,
                      1u << multi->valueBits);
}

static bool row(Multi *multi, const char *operation, bool (*setup)(Bench *, void *),
                bool (*run)(Bench *, void *), bool (*verify)(Multi *multi), const char *more,
                VkDeviceSize scratch) {
    Timing timing;
    if (!forget(multi) || !benchTime(multi->bench, &(Timed){setup, run, multi}, &timing) ||
        !verify(multi)) {
        return false;
    }
    Row row = {.suite = "multi",
               .operation = operation,
               .state = setup ? "empty" : "unordered",
               .format = multi->keyWords == 2 ? "K64V32_MULTI" : "K64V32",
               .pairs = multi->pairs,
               .capacity = multi->info.capacity,
               .tableBytes = murGetTableMemory(multi->table).size,
               .load = 0.5,
               .timing = timing,
               .rate = 1e-6 * multi->pairs / timing.milliseconds,
               .unit = "G/s",
               .scratch = scratch};
    benchSay(&row, "%d-bit atomics, %u a%s key%s", (int)multi->info.atomicWidth,
             1u << multi->valueBits, multi->keyWords == 2 ? " 64-bit" : "", more);
    return benchRow(multi->bench, &row);
}

static bool inserts(Multi *multi, bool scratch) {
    multi->scratch = scratch;
    return row(multi, "multi insert", setupEmpty, runInsert, verifyInsert,
               scratch ? ", scratch" : "", scratch ? insertScratch(multi) : 0);
}

static bool retrieves(Multi *multi, bool indices) {
    multi->indices = indices;
    return row(multi, "multi count + retrieve", NULL, runRetrieve, verifyRetrieve,
               indices ? ", key indices" : "", multi->buffers[RETRIEVE].size);
}

static bool rows(Bench *bench, uint32_t bits, uint32_t valueBits, uint32_t keyWords,
                 MurAtomicWidth width) {
    const uint32_t queries = 1u << (bits - valueBits);
    Multi multi = {.bench = bench,
                   .bits = bits,
                   .valueBits = valueBits,
                   .pairs = 1u << bits,
                   .queries = queries,
                   .keyWords = keyWords};
    if (bits > bench->options.maxLog2) {
        return true;
    }
    multi.info = trialInfo(2 * ((1ull << bits) + queries), width, TRIAL_SCRATCH | TRIAL_MULTI);
    multi.info.format = keyWords == 2 ? MUR_FORMAT_K64V32_MULTI : MUR_FORMAT_K64V32;
    multi.info.reservedValue = MUR_RESERVED_VALUE_ZERO;
    const bool done = openMulti(&multi) && inserts(&multi, false) &&
                      (!insertScratch(&multi) || inserts(&multi, true)) &&
                      row(&multi, "multi count", NULL, runCount, verifyCount, "", 0) &&
                      retrieves(&multi, true) && retrieves(&multi, false);
    closeMulti(&multi);
    return done;
}

bool suiteMulti(Bench *bench) {
    const uint32_t large = bench->options.quick ? 10 : 24, hot = bench->options.quick ? 8 : 16;
    bool done = true;
    for (int i = trialWide(bench) ? 0 : 1; i < 2 && done; ++i) {
        const MurAtomicWidth width = i == 0 ? MUR_ATOMIC_WIDTH_64 : MUR_ATOMIC_WIDTH_32;
        done = rows(bench, large, 3, 1, width) && rows(bench, hot, 3, 1, width) &&
               rows(bench, hot, hot, 1, width) && rows(bench, large, 3, 2, width);
    }
    return done;
}
