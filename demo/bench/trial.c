/* A table with its pairs.
 * SPDX-License-Identifier: MIT */
#include "trial.h"
#include "shaders/push.h"

#include <murmuration/group.h>
#include <murmuration/multi.h>

#include <float.h>
#include <stddef.h>
#include <string.h>

bool trialWide(const Bench *bench) {
    return (bench->gpu.features & MUR_FEATURE_INT64_ATOMICS) != 0;
}

MurAtomicWidth trialWidth(const Bench *bench) {
    return trialWide(bench) ? MUR_ATOMIC_WIDTH_64 : MUR_ATOMIC_WIDTH_32;
}

MurTableCreateInfo trialInfo(uint64_t capacity, MurAtomicWidth width, int sets) {
    const MurKernels all[] = {murKernelsLargeBatches(), murKernelsBuild(), murKernelsRehash(),
                              murKernelsGroup()};
    MurTableCreateInfo info = {
        .capacity = capacity,
        .seed = 0x6D75726Du,
        .atomicWidth = width,
        .pName = "benchmark table",
    };
    uint32_t count = 0;
    for (int i = 0; i < 4; ++i) {
        if (sets >> i & 1) {
            info.kernels[count++] = all[i];
        }
    }
    return info;
}

bool trialTune(const Bench *bench, const MurTuning *tuning) {
    MurContext context = bench->gpu.context;
    if (!gpuCheck(murSetTuning(context, tuning), "setting the tuning")) {
        return false;
    }
    const MurTuning taken = murGetTuning(context);
    /* Compares the members, without the padding at the end. */
    const size_t size = offsetof(MurTuning, streamMinGroups) + sizeof taken.streamMinGroups;
    return memcmp(&taken, tuning, size) == 0 ||
           sayError("the library did not take the tuning that was forced");
}

/* Returns a tuning that forces the partitioned path that is possible at every load and size. */
static MurTuning orderTuning(MurTuning tuning) {
    tuning.partitionBuildMaxLoad = 0;
    tuning.buildMinItems = 0;
    tuning.buildMinItemsWhenFull = 0;
    tuning.sortWriteMinCacheRatio = FLT_MAX;
    return tuning;
}

/* Creates scratch memory that suffices for every path of every command, with any results. */
static bool createScratch(Trial *trial) {
    Bench *bench = trial->bench;
    const MurTuning before = murGetTuning(bench->gpu.context);
    MurTuning all = orderTuning(before);
    all.sortWriteMinCacheRatio = all.sortReadMinCacheRatio = all.sortMinBatchFraction = 0;
    all.partitionInsertMinItems = 0;
    all.partitionInsertMinBatchFraction = 0;
    if (!trialTune(bench, &all)) {
        return false;
    }
    const MurArray array = trialArray(&trial->values);
    VkDeviceSize most = 16;
    for (MurCommand command = MUR_COMMAND_INSERT; command <= MUR_COMMAND_ERASE; ++command) {
        for (int results = 0; results < 2; ++results) {
            const MurBatch items = {.maxCount = trial->pairs,
                                    .keys = array,
                                    .values = array,
                                    .statuses = results ? array : (MurArray){0},
                                    .flags = MUR_BATCH_EXCLUSIVE};
            const VkDeviceSize size = murGetScratchSize(trial->table, command, MUR_MODE_ASSIGN,
                                                        &items);
            most = size > most ? size : most;
        }
    }
    return trialTune(bench, &before) &&
           benchBuffer(bench, most, GPU_DEVICE, "scratch", &trial->scratch);
}

/* Words of a key and of a value, by format. */
static const struct {
    const char *name;
    uint32_t keyWords, valueWords;
} formats[] = {
    [MUR_FORMAT_K32V32] = {"K32V32", 1, 1},
    [MUR_FORMAT_K64V32] = {"K64V32", 2, 1},
    [MUR_FORMAT_K64V64] = {"K64V64", 2, 2},
    [MUR_FORMAT_K64] = {"K64", 2, 0},
    [MUR_FORMAT_K32] = {"K32", 1, 0},
    [MUR_FORMAT_R32] = {"R32", 1, 0},
    [MUR_FORMAT_K64V32_MULTI] = {"K64V32_MULTI", 2, 1},
};

bool trialOpenTable(Trial *trial, Bench *bench, const char *suite, const MurTableCreateInfo *info,
                    uint32_t pairs) {
    trial->bench = bench;
    trial->suite = suite;
    trial->made = bench->madeCount;
    trial->width = info->atomicWidth ? info->atomicWidth : trialWidth(bench);
    trial->capacity = info->capacity;
    trial->pairs = trial->entries = pairs;
    trial->part = pairs / 2;
    trial->load = (double)pairs / (double)info->capacity;
    trial->mode = MUR_MODE_ASSIGN;
    const VkDeviceSize size = 4 * (VkDeviceSize)pairs;
    if (!benchTable(bench, info, &trial->table)) {
        return false;
    }
    const uint32_t format = MUR_TABLE_FORMAT(murGetTableRef(trial->table).flags);
    trial->source.keyWords = formats[format].keyWords;
    trial->source.valueWords = formats[format].valueWords;
    return benchBuffer(bench, size * (trial->source.valueWords ? trial->source.valueWords : 1),
                       GPU_DEVICE, "results", &trial->values) &&
           benchBuffer(bench, size, GPU_DEVICE, "statuses", &trial->statuses) &&
           createScratch(trial) &&
           benchBuffer(bench, sizeof(MurStats), GPU_HOST, "stats", &trial->stats);
}

bool trialOpen(Trial *trial, Bench *bench, const char *suite, MurTableCreateInfo info,
               uint32_t pairs) {
    return trialOpenTable(trial, bench, suite, &info, pairs) &&
           benchPairs(bench, 2 * pairs, trial->source.keyWords, trial->source.valueWords,
                      &trial->source);
}

void trialClose(const Trial *trial) {
    benchRelease(trial->bench, trial->made);
}

MurArray trialArray(const GpuBuffer *buffer) {
    return (MurArray){buffer->address, buffer->size};
}

MurBatch trialBatch(const Trial *trial, uint32_t first, uint32_t count) {
    const Pairs *source = &trial->source;
    const VkDeviceSize key = 4 * source->keyWords, value = 4 * source->valueWords;
    MurBatch items = {.maxCount = count, .keys = {source->keys.address + key * first, key * count}};
    if (value) {
        items.values = (MurArray){source->values.address + value * first, value * count};
    }
    return items;
}

void trialLend(const Trial *trial, MurCommand command, MurBatch *items) {
    const VkDeviceSize size = murGetScratchSize(trial->table, command, trial->mode, items);
    const bool fits = size && size <= trial->scratch.size;
    items->scratch = fits ? (MurArray){trial->scratch.address, size} : (MurArray){0};
}

bool tableClear(Bench *bench, MurTable table) {
    const bool done = gpuCheck(murCmdClear(bench->gpu.cmd, table), "clearing");
    gpuComputeBarrier(&bench->gpu);
    return done;
}

bool trialRecordClear(const Trial *trial) {
    return tableClear(trial->bench, trial->table);
}

bool trialRecordInsert(const Trial *trial, const MurBatch *items) {
    return gpuCheck(murCmdInsert(trial->bench->gpu.cmd, trial->table, trial->mode, items),
                    "inserting");
}

bool trialRecordErase(const Trial *trial, uint32_t first, uint32_t count) {
    MurBatch items = trialBatch(trial, first, count);
    items.values = (MurArray){0};
    const bool done = gpuCheck(murCmdErase(trial->bench->gpu.cmd, trial->table, &items), "erasing");
    gpuComputeBarrier(&trial->bench->gpu);
    return done;
}

/* Builds with a tuning that leaves a sorted table. If record is false, only sets the batch's
 * scratch memory, which is empty if no path sorts. */
static bool buildInOrder(const Trial *trial, MurBatch *items, bool record) {
    Gpu *gpu = &trial->bench->gpu;
    const MurTuning before = murGetTuning(gpu->context);
    const MurTuning order = orderTuning(before);
    if (!trialTune(trial->bench, &order)) {
        return false;
    }
    trialLend(trial, MUR_COMMAND_BUILD, items);
    const bool done = !record ||
                      gpuCheck(murCmdBuild(gpu->cmd, trial->table, MUR_MODE_ASSIGN, items),
                               "building");
    return trialTune(trial->bench, &before) && done;
}

bool trialRecordFill(const Trial *trial, uint32_t first, uint32_t count) {
    Gpu *gpu = &trial->bench->gpu;
    MurBatch items = trialBatch(trial, first, count);
    bool done;
    if (trial->fill == FILL_ORDERED) {
        done = buildInOrder(trial, &items, true);
    } else {
        done = trialRecordClear(trial) && trialRecordInsert(trial, &items);
    }
    gpuComputeBarrier(gpu);
    return done;
}

bool trialRecordFind(const Trial *trial, uint32_t first) {
    MurBatch items = trialBatch(trial, first, trial->pairs);
    if (trial->source.valueWords) {
        items.values = trialArray(&trial->values);
    } else {
        items.statuses = trialArray(&trial->statuses);
    }
    return gpuCheck(murCmdFind(trial->bench->gpu.cmd, trial->table, &items), "finding");
}

bool trialCanOrder(const Trial *trial) {
    MurBatch items = trialBatch(trial, 0, trial->pairs);
    return buildInOrder(trial, &items, false) && items.scratch.size != 0;
}

BENCH_STEP(recordAll, const Trial, trial) {
    return trialRecordFill(trial, 0, trial->pairs);
}

bool trialFill(Trial *trial) {
    return benchOnce(trial->bench, recordAll, trial);
}

BENCH_STEP(recordStats, const Trial, trial) {
    return gpuCheck(murCmdStats(bench->gpu.cmd, trial->table, trialArray(&trial->stats)),
                    "counting");
}

bool trialStats(const Trial *trial, MurStats *stats) {
    Trial read = *trial;
    memset(trial->stats.mapped, 0xFF, sizeof *stats);
    const bool done = benchOnce(trial->bench, recordStats, &read);
    memcpy(stats, trial->stats.mapped, sizeof *stats);
    return done;
}

bool trialState(const Trial *trial, bool (*setup)(Bench *bench, void *user), void *user,
                const char **state) {
    MurStats stats;
    if ((setup && !benchOnce(trial->bench, setup, user)) || !trialStats(trial, &stats)) {
        return false;
    }
    const uint32_t flags = stats.state & (MUR_STATE_ORDERED | MUR_STATE_WRAPPED);
    *state = stats.live + stats.erased == 0 ? "empty"
             : flags == MUR_STATE_ORDERED   ? "ordered"
                                            : "unordered";
    return true;
}

bool trialForget(const Trial *trial) {
    return benchForget(trial->bench, 2,
                       (const GpuBuffer *const[]){&trial->values, &trial->statuses});
}

bool trialTime(const Trial *trial, const Timed *timed, const char **state, Timing *timing) {
    return trialForget(trial) && (!state || trialState(trial, timed->setup, timed->user, state)) &&
           benchTime(trial->bench, timed, timing);
}

BENCH_STEP(recordFinds, const Trial, trial) {
    return trialRecordFind(trial, 0);
}

bool trialFound(const Trial *trial, const char *what, uint32_t gone) {
    const uint32_t words = trial->source.valueWords, rest = trial->pairs - gone;
    const PairsPush push = {.values = trial->values.address + 4ull * words * gone,
                            .wrong = trial->bench->wrong.address,
                            .first = gone,
                            .count = rest,
                            .valueWords = words,
                            .check = PAIRS_VALUES};
    if (trial->found) {
        return trial->found(trial, what);
    }
    return words ? benchIsAll(trial->bench, what, &trial->values, 0, words * gone, UINT32_MAX) &&
                       benchCheck(trial->bench, what, KERNEL_pairs, &push, rest)
                 : benchIsAll(trial->bench, what, &trial->statuses, 0, gone, MUR_ABSENT) &&
                       benchIsAll(trial->bench, what, &trial->statuses, gone, rest, MUR_FOUND);
}

bool trialHolds(const Trial *trial, const char *what, uint32_t gone, MurStats *stats) {
    Trial find = *trial;
    const uint32_t entries = trial->entries - gone;
    return trialStats(trial, stats) && trialForget(trial) &&
           benchOnce(trial->bench, recordFinds, &find) &&
           (stats->live == entries ||
            sayError("%s: the table holds %u entries instead of %u", what, stats->live, entries)) &&
           trialFound(trial, what, gone);
}

Row tableRow(MurTable table, const char *suite, const char *operation, const char *state,
             uint32_t count, Timing timing) {
    const MurTableRef ref = murGetTableRef(table);
    return (Row){.suite = suite,
                 .operation = operation,
                 .state = state,
                 .format = formats[MUR_TABLE_FORMAT(ref.flags)].name,
                 .pairs = count,
                 .capacity = ref.capacity,
                 .tableBytes = murGetTableMemory(table).size,
                 .timing = timing,
                 .rate = 1e-6 * count / timing.milliseconds,
                 .unit = "G/s"};
}

Row trialRow(const Trial *trial, const char *operation, const char *state, uint32_t count,
             Timing timing) {
    Row row = tableRow(trial->table, trial->suite, operation, state, count, timing);
    row.load = trial->load;
    benchSay(&row, "%d-bit atomics%s", (int)trial->width, trial->keys ? trial->keys : "");
    return row;
}

bool trialCeiling(const Trial *trial, bool reads, Row *row) {
    const bool plain = trial->source.keyWords == 1 && trial->source.valueWords == 1;
    const Kernel access = reads ? plain ? KERNEL_READ_8 : KERNEL_READ_16
                          : trial->width == MUR_ATOMIC_WIDTH_64 ? KERNEL_CAS_64
                                                                : KERNEL_CAS_32;
    return trial->cached || benchCeiling(trial->bench, access, row->tableBytes, row);
}
