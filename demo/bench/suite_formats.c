/* Formats other than 32-bit keys and values: insert and find at load 0.5.
 *
 * SPDX-License-Identifier: MIT */
#include "bench.h"
#include "common/say.h"
#include "shaders/push.h"

#include <string.h>

GPU_SPIRV(bench_spv_format_pairs);

typedef struct Kind {
    const char *name;
    MurFormat format;
    MurAtomicWidth width;
    uint32_t keyWords, valueWords;
} Kind;

static const Kind kinds[] = {
    {"K64V32", MUR_FORMAT_K64V32, MUR_ATOMIC_WIDTH_64, 2, 1},
    {"K64V32", MUR_FORMAT_K64V32, MUR_ATOMIC_WIDTH_32, 2, 1},
    {"K64V64", MUR_FORMAT_K64V64, MUR_ATOMIC_WIDTH_64, 2, 2},
    {"K64", MUR_FORMAT_K64, MUR_ATOMIC_WIDTH_64, 2, 0},
    {"K32", MUR_FORMAT_K32, MUR_ATOMIC_WIDTH_32, 1, 0},
};

/* A table, the pairs that go into it and as many absent keys after them, and room for results. */
typedef struct Table {
    Bench *bench;
    const Kind *kind;
    uint32_t pairs;
    MurTable table;
    GpuKernel kernel;
    GpuBuffer keys, values, results, statuses, scratch;
} Table;

static VkDeviceSize bytes(uint32_t words, uint32_t count) {
    return 4 * (VkDeviceSize)words * count;
}

/* count pairs from first on; sets have neither values nor results. */
static MurBatch batch(const Table *table, const GpuBuffer *values, uint32_t first) {
    const Kind *kind = table->kind;
    const uint32_t count = table->pairs;
    MurBatch items = {
        .maxCount = count,
        .keys = {table->keys.address + bytes(kind->keyWords, first), bytes(kind->keyWords, count)},
    };
    if (kind->valueWords) {
        items.values = (MurArray){values->address, bytes(kind->valueWords, count)};
    }
    return items;
}

static MurBatch insertBatch(const Table *table, bool statuses) {
    MurBatch items = batch(table, &table->values, 0);
    if (statuses) {
        items.statuses = (MurArray){table->statuses.address, table->statuses.size};
    }
    return items;
}

static VkDeviceSize scratchSize(const Table *table, bool statuses) {
    const MurBatch items = insertBatch(table, statuses);
    return murGetScratchSize(table->table, MUR_COMMAND_INSERT, MUR_MODE_ASSIGN, &items);
}

static bool runPairs(Table *table, VkDeviceAddress keys, VkDeviceAddress values, uint32_t count,
                     uint32_t check) {
    Gpu *gpu = &table->bench->gpu;
    const FormatPairsPush push = {.keys = keys,
                                  .values = values,
                                  .count = count,
                                  .keyWords = table->kind->keyWords,
                                  .valueWords = table->kind->valueWords,
                                  .check = check};
    if (!gpuBegin(gpu)) {
        return false;
    }
    benchDispatch(table->bench, &table->kernel, &push, count);
    gpuHostBarrier(gpu);
    return gpuSubmit(gpu);
}

static bool openTable(Table *table) {
    Gpu *gpu = &table->bench->gpu;
    const Kind *kind = table->kind;
    const uint32_t valueWords = kind->valueWords ? kind->valueWords : 1; /* no buffer is empty */
    const MurTableCreateInfo info = {.capacity = 2 * (uint64_t)table->pairs,
                                     .seed = 0x6D75726Du,
                                     .atomicWidth = kind->width,
                                     .format = kind->format,
                                     .uses = {murUseScratch()},
                                     .pName = "benchmark table"};
    return gpuCheck(murCreateTable(gpu->context, &info, &table->table), "creating a table") &&
           gpuCreateKernel(gpu, "format_pairs", bench_spv_format_pairs, bench_spv_format_pairs_size,
                           sizeof(FormatPairsPush), &table->kernel) &&
           gpuCreateBuffer(gpu, 2 * bytes(kind->keyWords, table->pairs), GPU_DEVICE, "keys",
                           &table->keys) &&
           gpuCreateBuffer(gpu, 2 * bytes(valueWords, table->pairs), GPU_DEVICE, "values",
                           &table->values) &&
           gpuCreateBuffer(gpu, bytes(valueWords, table->pairs), GPU_DEVICE, "results",
                           &table->results) &&
           gpuCreateBuffer(gpu, bytes(1, table->pairs), GPU_DEVICE, "statuses", &table->statuses) &&
           gpuCreateBuffer(gpu, scratchSize(table, true) + 16, GPU_DEVICE, "scratch",
                           &table->scratch) &&
           runPairs(table, table->keys.address, table->values.address, 2 * table->pairs,
                    FORMAT_PAIRS_WRITE);
}

static void closeTable(Table *table) {
    Gpu *gpu = &table->bench->gpu;
    murDestroyTable(table->table);
    gpuDestroyKernel(gpu, &table->kernel);
    gpuDestroyBuffer(gpu, &table->keys);
    gpuDestroyBuffer(gpu, &table->values);
    gpuDestroyBuffer(gpu, &table->results);
    gpuDestroyBuffer(gpu, &table->statuses);
    gpuDestroyBuffer(gpu, &table->scratch);
}

static bool setupEmpty(Bench *bench, void *user) {
    const Table *table = user;
    const bool done = gpuCheck(murCmdClear(bench->gpu.cmd, table->table), "clearing");
    gpuComputeBarrier(&bench->gpu);
    return done;
}

static bool insert(Bench *bench, const Table *table, bool statuses, bool scratch) {
    MurBatch items = insertBatch(table, statuses);
    if (scratch) {
        items.scratch = (MurArray){table->scratch.address, scratchSize(table, statuses)};
    }
    return gpuCheck(murCmdInsert(bench->gpu.cmd, table->table, MUR_MODE_ASSIGN, &items),
                    "inserting");
}

static bool runInsert(Bench *bench, void *user) {
    return insert(bench, user, false, false);
}

static bool runInsertStatuses(Bench *bench, void *user) {
    return insert(bench, user, true, false);
}

static bool runInsertScratch(Bench *bench, void *user) {
    return insert(bench, user, false, true);
}

static bool runInsertStatusesScratch(Bench *bench, void *user) {
    return insert(bench, user, true, true);
}

static bool find(Bench *bench, const Table *table, uint32_t first) {
    MurBatch items = batch(table, &table->results, first);
    if (!table->kind->valueWords) {
        items.statuses = (MurArray){table->statuses.address, table->statuses.size};
    }
    return gpuCheck(murCmdFind(bench->gpu.cmd, table->table, &items), "finding");
}

static bool runFindHit(Bench *bench, void *user) {
    return find(bench, user, 0);
}

static bool runFindMiss(Bench *bench, void *user) {
    const Table *table = user;
    return find(bench, table, table->pairs);
}

/* A bit an item, and nothing else. */
static bool contains(Bench *bench, const Table *table, uint32_t first) {
    MurBatch items = batch(table, &table->results, first);
    items.values = (MurArray){0};
    items.statusBits = (MurArray){table->statuses.address, table->statuses.size};
    return gpuCheck(murCmdFind(bench->gpu.cmd, table->table, &items), "finding");
}

static bool runContainsHit(Bench *bench, void *user) {
    return contains(bench, user, 0);
}

static bool runContainsMiss(Bench *bench, void *user) {
    const Table *table = user;
    return contains(bench, table, table->pairs);
}

static bool verifyBits(Table *table, const char *what, uint32_t word) {
    return benchVerify(table->bench, what, &table->statuses, 0, table->pairs / 32, EXPECT_CONSTANT,
                       word);
}

static bool verifyStatuses(Table *table, const char *what, uint32_t status) {
    return benchVerify(table->bench, what, &table->statuses, 0, table->pairs, EXPECT_CONSTANT,
                       status);
}

/* What a find of all pairs, or of as many absent keys, has written. */
static bool verifyFind(Table *table, const char *what, bool hit) {
    uint32_t *errors = table->bench->errors.mapped;
    if (!table->kind->valueWords) {
        return verifyStatuses(table, what, hit ? MUR_FOUND : MUR_ABSENT);
    }
    *errors = 0;
    return runPairs(table, table->bench->errors.address, table->results.address, table->pairs,
                    hit ? FORMAT_PAIRS_VALUES : FORMAT_PAIRS_NONE) &&
           (*errors == 0 ||
            sayError("%s: %u of %u results are wrong", what, *errors, table->pairs));
}

static bool row(Table *table, const char *operation, const char *outputs, bool reads,
                Timing timing) {
    const Kind *kind = table->kind;
    const MurBufferRange memory = murGetTableMemory(table->table);
    Row result = {.suite = "formats",
                  .operation = operation,
                  .state = reads ? "unordered" : "empty",
                  .format = kind->name,
                  .pairs = table->pairs,
                  .capacity = 2 * (uint64_t)table->pairs,
                  .tableBytes = memory.size,
                  .load = 0.5,
                  .timing = timing,
                  .rate = 1e-6 * table->pairs / timing.milliseconds,
                  .unit = "G/s",
                  .scratch = strstr(outputs, "scratch")
                                 ? scratchSize(table, strstr(outputs, "statuses") != NULL)
                                 : 0};
    snprintf(result.variant, sizeof result.variant, "%d-bit atomics%s", (int)kind->width, outputs);
    const Ceiling ceiling = reads                                ? CEILING_READ_16
                            : kind->width == MUR_ATOMIC_WIDTH_64 ? CEILING_CAS_64
                                                                 : CEILING_CAS_32;
    return benchCeiling(table->bench, ceiling, memory.size, &result) &&
           benchRow(table->bench, &result);
}

static bool forget(Table *table) {
    return benchForget(table->bench, 2,
                       (const GpuBuffer *const[]){&table->results, &table->statuses});
}

static bool time(Table *table, const Timed *timed, Timing *timing) {
    return forget(table) && benchTime(table->bench, timed, timing);
}

/* What the last of the timed inserts left: each pair is found. */
static bool verifyInsert(Table *table) {
    Gpu *gpu = &table->bench->gpu;
    return forget(table) && gpuBegin(gpu) && find(table->bench, table, 0) && gpuSubmit(gpu) &&
           verifyFind(table, "insert", true);
}

static bool allRows(Table *table) {
    Timing timing;
    return time(table, &(Timed){setupEmpty, runInsert, table}, &timing) && verifyInsert(table) &&
           row(table, "insert", "", false, timing) &&
           time(table, &(Timed){setupEmpty, runInsertStatuses, table}, &timing) &&
           verifyStatuses(table, "insert", MUR_INSERTED) && verifyInsert(table) &&
           row(table, "insert", ", statuses", false, timing) &&
           (!scratchSize(table, false) ||
            (time(table, &(Timed){setupEmpty, runInsertScratch, table}, &timing) &&
             verifyInsert(table) && row(table, "insert", ", scratch", false, timing) &&
             time(table, &(Timed){setupEmpty, runInsertStatusesScratch, table}, &timing) &&
             verifyStatuses(table, "insert", MUR_INSERTED) && verifyInsert(table) &&
             row(table, "insert", ", statuses, scratch", false, timing))) &&
           time(table, &(Timed){NULL, runFindHit, table}, &timing) &&
           verifyFind(table, "find hit", true) && row(table, "find hit", "", true, timing) &&
           time(table, &(Timed){NULL, runFindMiss, table}, &timing) &&
           verifyFind(table, "find miss", false) && row(table, "find miss", "", true, timing) &&
           time(table, &(Timed){NULL, runContainsHit, table}, &timing) &&
           verifyBits(table, "contains hit", UINT32_MAX) &&
           row(table, "contains hit", ", status bits", true, timing) &&
           time(table, &(Timed){NULL, runContainsMiss, table}, &timing) &&
           verifyBits(table, "contains miss", 0) &&
           row(table, "contains miss", ", status bits", true, timing);
}

bool suiteFormats(Bench *bench) {
    const bool wide = (bench->gpu.features & MUR_FEATURE_INT64_ATOMICS) != 0;
    const uint32_t sizes[] = {bench->options.quick ? 10 : 24, bench->options.quick ? 12 : 26};
    for (size_t i = 0; i < 2; ++i) {
        if (sizes[i] > bench->options.maxLog2) {
            continue; /* does not fit, or was not asked for */
        }
        for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; ++k) {
            Table table = {.bench = bench, .kind = &kinds[k], .pairs = 1u << sizes[i]};
            const bool possible = wide || kinds[k].width == MUR_ATOMIC_WIDTH_32;
            const bool done = !possible || (openTable(&table) && allRows(&table));
            closeTable(&table);
            if (!done) {
                return false;
            }
        }
    }
    return true;
}
