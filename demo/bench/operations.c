/* The timed operations of a table.
 *
 * SPDX-License-Identifier: MIT */
#include "operations.h"
#include "common/say.h"

#include <string.h>

bool trialOpen(Trial *trial, Bench *bench, const char *suite, MurAtomicWidth width,
               uint64_t capacity, uint32_t pairs, uint64_t probeLimit) {
    Gpu *gpu = &bench->gpu;
    const VkDeviceSize size = 4 * (VkDeviceSize)pairs;
    trial->bench = bench;
    trial->suite = suite;
    trial->width = width;
    trial->capacity = capacity;
    trial->pairs = pairs;
    trial->load = (double)pairs / (double)capacity;
    const MurTableCreateInfo info = {
        .capacity = capacity,
        .seed = 0x6D75726Du,
        .atomicWidth = width,
        .probeLimit = probeLimit,
        .pName = "benchmark table",
    };
    return gpuCheck(murCreateTable(gpu->context, &info, &trial->table), "creating a table") &&
           benchPairs(bench, 2 * pairs, &trial->source) &&
           gpuCreateBuffer(gpu, size, GPU_DEVICE, "results", &trial->values) &&
           gpuCreateBuffer(gpu, size, GPU_DEVICE, "statuses", &trial->statuses) &&
           gpuCreateBuffer(gpu, sizeof(MurStats), GPU_HOST, "stats", &trial->stats);
}

void trialClose(Trial *trial) {
    Gpu *gpu = &trial->bench->gpu;
    murDestroyTable(trial->table);
    benchFreePairs(trial->bench, &trial->source);
    gpuDestroyBuffer(gpu, &trial->values);
    gpuDestroyBuffer(gpu, &trial->statuses);
    gpuDestroyBuffer(gpu, &trial->stats);
}

/* A part of the pairs as a batch: count from first on. */
static MurBatch batch(const Trial *trial, uint32_t first, uint32_t count) {
    const VkDeviceSize offset = 4 * (VkDeviceSize)first;
    const VkDeviceSize size = 4 * (VkDeviceSize)count;
    return (MurBatch){
        .maxCount = count,
        .keys = {trial->source.keys.address + offset, size},
        .values = {trial->source.values.address + offset, size},
    };
}

static MurArray results(const GpuBuffer *buffer) {
    return (MurArray){buffer->address, buffer->size};
}

static bool recorded(VkResult result) {
    return gpuCheck(result, "recording a command");
}

static bool recordInsert(Trial *trial, uint32_t first, uint32_t count, bool statuses) {
    MurBatch items = batch(trial, first, count);
    if (statuses) {
        items.statuses = results(&trial->statuses);
    }
    return recorded(murCmdInsert(trial->bench->gpu.cmd, trial->table, MUR_INSERT_ASSIGN, &items));
}

static bool recordErase(Trial *trial, bool statuses) {
    MurBatch items = batch(trial, 0, trial->pairs / 2);
    items.values = (MurArray){0};
    if (statuses) {
        items.statuses = results(&trial->statuses);
    }
    return recorded(murCmdErase(trial->bench->gpu.cmd, trial->table, &items));
}

static bool recordFind(Trial *trial, uint32_t first) {
    MurBatch items = batch(trial, first, trial->pairs);
    items.values = results(&trial->values);
    return recorded(murCmdFind(trial->bench->gpu.cmd, trial->table, &items));
}

static bool recordClear(Trial *trial) {
    bool done = recorded(murCmdClear(trial->bench->gpu.cmd, trial->table));
    gpuComputeBarrier(&trial->bench->gpu);
    return done;
}

bool trialFill(Trial *trial) {
    Gpu *gpu = &trial->bench->gpu;
    return gpuBegin(gpu) && recordClear(trial) && recordInsert(trial, 0, trial->pairs, false) &&
           gpuSubmit(gpu);
}

bool trialStats(Trial *trial, MurStats *stats) {
    Gpu *gpu = &trial->bench->gpu;
    if (!gpuBegin(gpu) || !recorded(murCmdStats(gpu->cmd, trial->table, results(&trial->stats)))) {
        return false;
    }
    gpuHostBarrier(gpu);
    if (!gpuSubmit(gpu)) {
        return false;
    }
    memcpy(stats, trial->stats.mapped, sizeof *stats);
    return true;
}

static bool holdsAllPairs(Trial *trial, const char *operation) {
    MurStats stats;
    return trialStats(trial, &stats) &&
           (stats.live == trial->pairs || sayError("%s: the table holds %u entries instead of %u",
                                                   operation, stats.live, trial->pairs));
}

static bool row(Trial *trial, const char *operation, const char *outputs, uint32_t count,
                double milliseconds, Ceiling ceiling) {
    Row result = {.suite = trial->suite,
                  .operation = operation,
                  .pairs = count,
                  .capacity = trial->capacity,
                  .load = trial->load,
                  .milliseconds = milliseconds,
                  .rate = 1e-6 * count / milliseconds,
                  .unit = "G/s"};
    snprintf(result.variant, sizeof result.variant, "direct, %d-bit atomics%s", (int)trial->width,
             outputs);
    return benchCeiling(trial->bench, ceiling, 8 * trial->capacity, &result.ceiling) &&
           benchRow(trial->bench, &result);
}

static Ceiling writeCeiling(const Trial *trial) {
    return trial->width == MUR_ATOMIC_WIDTH_64 ? CEILING_CAS_64 : CEILING_CAS_32;
}

static bool setupEmpty(Bench *bench, void *user) {
    (void)bench;
    return recordClear(user);
}

static bool runInsert(Bench *bench, void *user) {
    Trial *trial = user;
    (void)bench;
    return recordInsert(trial, 0, trial->pairs, false);
}

static bool runInsertStatuses(Bench *bench, void *user) {
    Trial *trial = user;
    (void)bench;
    return recordInsert(trial, 0, trial->pairs, true);
}

bool trialInsert(Trial *trial, bool statuses) {
    Bench *bench = trial->bench;
    double milliseconds;
    const Timed timed = {setupEmpty, statuses ? runInsertStatuses : runInsert, trial};
    return benchTime(bench, &timed, &milliseconds) && holdsAllPairs(trial, "insert") &&
           (!statuses || benchVerify(bench, "insert", &trial->statuses, 0, trial->pairs,
                                     EXPECT_CONSTANT, MUR_INSERTED)) &&
           row(trial, "insert", statuses ? ", statuses" : "", trial->pairs, milliseconds,
               writeCeiling(trial));
}

static bool runFindHit(Bench *bench, void *user) {
    (void)bench;
    return recordFind(user, 0);
}

static bool runFindMiss(Bench *bench, void *user) {
    Trial *trial = user;
    (void)bench;
    return recordFind(trial, trial->pairs);
}

bool trialFindHit(Trial *trial) {
    Bench *bench = trial->bench;
    double milliseconds;
    return benchTime(bench, &(Timed){NULL, runFindHit, trial}, &milliseconds) &&
           benchVerify(bench, "find hit", &trial->values, 0, trial->pairs, EXPECT_VALUES, 0) &&
           row(trial, "find hit", "", trial->pairs, milliseconds, CEILING_READ_8);
}

bool trialFindMiss(Trial *trial) {
    Bench *bench = trial->bench;
    double milliseconds;
    return benchTime(bench, &(Timed){NULL, runFindMiss, trial}, &milliseconds) &&
           benchVerify(bench, "find miss", &trial->values, 0, trial->pairs, EXPECT_CONSTANT,
                       UINT32_MAX) &&
           row(trial, "find miss", "", trial->pairs, milliseconds, CEILING_READ_8);
}

static bool setupFull(Bench *bench, void *user) {
    Trial *trial = user;
    bool done = recordInsert(trial, 0, trial->pairs / 2, false);
    gpuComputeBarrier(&bench->gpu);
    return done;
}

static bool setupErased(Bench *bench, void *user) {
    bool done = recordErase(user, false);
    gpuComputeBarrier(&bench->gpu);
    return done;
}

static bool runErase(Bench *bench, void *user) {
    (void)bench;
    return recordErase(user, true);
}

static bool runReinsert(Bench *bench, void *user) {
    Trial *trial = user;
    (void)bench;
    return recordInsert(trial, 0, trial->pairs / 2, true);
}

bool trialErase(Trial *trial) {
    Bench *bench = trial->bench;
    double milliseconds;
    return benchTime(bench, &(Timed){setupFull, runErase, trial}, &milliseconds) &&
           benchVerify(bench, "erase half", &trial->statuses, 0, trial->pairs / 2, EXPECT_CONSTANT,
                       MUR_ERASED) &&
           row(trial, "erase half", ", statuses", trial->pairs / 2, milliseconds,
               writeCeiling(trial)) &&
           trialFill(trial);
}

bool trialFindAfterErase(Trial *trial) {
    Bench *bench = trial->bench;
    const uint32_t half = trial->pairs / 2;
    double milliseconds;
    return benchTime(bench, &(Timed){setupErased, runFindHit, trial}, &milliseconds) &&
           benchVerify(bench, "find after erase", &trial->values, 0, half, EXPECT_CONSTANT,
                       UINT32_MAX) &&
           benchVerify(bench, "find after erase", &trial->values, half, trial->pairs - half,
                       EXPECT_VALUES, 0) &&
           row(trial, "find after erase", "", trial->pairs, milliseconds, CEILING_READ_8);
}

bool trialReinsert(Trial *trial) {
    Bench *bench = trial->bench;
    double milliseconds;
    return benchTime(bench, &(Timed){setupErased, runReinsert, trial}, &milliseconds) &&
           holdsAllPairs(trial, "reinsert") &&
           benchVerify(bench, "reinsert", &trial->statuses, 0, trial->pairs / 2, EXPECT_CONSTANT,
                       MUR_INSERTED) &&
           row(trial, "reinsert", ", statuses", trial->pairs / 2, milliseconds,
               writeCeiling(trial));
}
