/* A table with its pairs.
 *
 * SPDX-License-Identifier: MIT */
#include "trial.h"
#include "common/say.h"

#include <float.h>
#include <stddef.h>
#include <string.h>

MurAtomicWidth trialWidth(const Bench *bench) {
    return bench->gpu.features & MUR_FEATURE_INT64_ATOMICS ? MUR_ATOMIC_WIDTH_64
                                                           : MUR_ATOMIC_WIDTH_32;
}

MurTableCreateInfo trialInfo(const Trial *trial, uint64_t capacity, MurAtomicWidth width) {
    const MurUse uses[] = {murUseScratch(), murUseBuild(), murUseRehash()};
    MurTableCreateInfo info = {
        .capacity = capacity,
        .seed = 0x6D75726Du,
        .atomicWidth = width,
        .pName = "benchmark table",
    };
    uint32_t count = 0;
    for (int i = 0; i < 3; ++i) {
        if (trial->uses >> i & 1) {
            info.uses[count++] = uses[i];
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
    /* Up to the padding in the end. */
    const size_t size = offsetof(MurTuning, streamGroups) + sizeof taken.streamGroups;
    return memcmp(&taken, tuning, size) == 0 ||
           sayError("the library did not take the tuning that was forced");
}

/* The way that is possible at every load, of every size, and none besides. */
static MurTuning orderTuning(MurTuning tuning) {
    tuning.buildSlicesLoad = 0;
    tuning.buildLeast = 0;
    tuning.buildLeastFull = 0;
    tuning.sortedWriteCaches = FLT_MAX;
    return tuning;
}

/* Scratch memory for every way of every command, with any results. */
static bool createScratch(Trial *trial) {
    const Bench *bench = trial->bench;
    const MurTuning before = murGetTuning(bench->gpu.context);
    MurTuning all = orderTuning(before);
    all.sortedWriteCaches = all.sortedReadCaches = all.sortedShare = 0;
    all.insertSlicesLeast = 0;
    all.insertSlicesShare = 0;
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
           gpuCreateBuffer(&trial->bench->gpu, most, GPU_DEVICE, "scratch", &trial->scratch);
}

bool trialOpenTable(Trial *trial, Bench *bench, const char *suite, const MurTableCreateInfo *info,
                    uint32_t pairs) {
    Gpu *gpu = &bench->gpu;
    const VkDeviceSize size = 4 * (VkDeviceSize)pairs;
    trial->bench = bench;
    trial->suite = suite;
    trial->width = info->atomicWidth ? info->atomicWidth : trialWidth(bench);
    trial->capacity = info->capacity;
    trial->pairs = pairs;
    trial->part = pairs / 2;
    trial->load = (double)pairs / (double)info->capacity;
    if (!gpuCheck(murCreateTable(gpu->context, info, &trial->table), "creating a table")) {
        return false;
    }
    return gpuCreateBuffer(gpu, size, GPU_DEVICE, "results", &trial->values) &&
           gpuCreateBuffer(gpu, size, GPU_DEVICE, "statuses", &trial->statuses) &&
           createScratch(trial) &&
           gpuCreateBuffer(gpu, sizeof(MurStats), GPU_HOST, "stats", &trial->stats);
}

bool trialOpen(Trial *trial, Bench *bench, const char *suite, MurAtomicWidth width,
               uint64_t capacity, uint32_t pairs) {
    const MurTableCreateInfo info = trialInfo(trial, capacity, width);
    return trialOpenTable(trial, bench, suite, &info, pairs) &&
           benchPairs(bench, 2 * pairs, &trial->source);
}

void trialClose(Trial *trial) {
    Gpu *gpu = &trial->bench->gpu;
    murDestroyTable(trial->table);
    murDestroyTable(trial->other);
    benchFreePairs(trial->bench, &trial->source);
    gpuDestroyBuffer(gpu, &trial->values);
    gpuDestroyBuffer(gpu, &trial->statuses);
    gpuDestroyBuffer(gpu, &trial->scratch);
    gpuDestroyBuffer(gpu, &trial->stats);
}

MurArray trialArray(const GpuBuffer *buffer) {
    return (MurArray){buffer->address, buffer->size};
}

MurBatch trialBatch(const Trial *trial, uint32_t first, uint32_t count) {
    const VkDeviceSize offset = 4 * (VkDeviceSize)first;
    const VkDeviceSize size = 4 * (VkDeviceSize)count;
    return (MurBatch){
        .maxCount = count,
        .keys = {trial->source.keys.address + offset, size},
        .values = {trial->source.values.address + offset, size},
    };
}

void trialLend(const Trial *trial, MurCommand command, MurBatch *items) {
    const VkDeviceSize size = murGetScratchSize(trial->table, command, MUR_MODE_ASSIGN, items);
    const bool fits = size && size <= trial->scratch.size;
    items->scratch = fits ? (MurArray){trial->scratch.address, size} : (MurArray){0};
}

bool trialRecordClear(const Trial *trial) {
    const bool done = gpuCheck(murCmdClear(trial->bench->gpu.cmd, trial->table), "clearing");
    gpuComputeBarrier(&trial->bench->gpu);
    return done;
}

bool trialRecordInsert(const Trial *trial, const MurBatch *items) {
    return gpuCheck(murCmdInsert(trial->bench->gpu.cmd, trial->table, MUR_MODE_ASSIGN, items),
                    "inserting");
}

/* A build with the tuning that leaves order, or only its scratch memory: none if there is no
 * way. */
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
    items.values = trialArray(&trial->values);
    return gpuCheck(murCmdFind(trial->bench->gpu.cmd, trial->table, &items), "finding");
}

bool trialCanOrder(const Trial *trial) {
    MurBatch items = trialBatch(trial, 0, trial->pairs);
    return buildInOrder(trial, &items, false) && items.scratch.size != 0;
}

bool trialFill(const Trial *trial) {
    Gpu *gpu = &trial->bench->gpu;
    return gpuBegin(gpu) && trialRecordFill(trial, 0, trial->pairs) && gpuSubmit(gpu);
}

bool trialStats(const Trial *trial, MurStats *stats) {
    Gpu *gpu = &trial->bench->gpu;
    memset(trial->stats.mapped, 0xFF, sizeof *stats);
    if (!gpuBegin(gpu) ||
        !gpuCheck(murCmdStats(gpu->cmd, trial->table, trialArray(&trial->stats)), "counting")) {
        return false;
    }
    gpuHostBarrier(gpu);
    if (!gpuSubmit(gpu)) {
        return false;
    }
    memcpy(stats, trial->stats.mapped, sizeof *stats);
    return true;
}

bool trialState(const Trial *trial, bool (*setup)(Bench *bench, void *user), void *user,
                const char **state) {
    Gpu *gpu = &trial->bench->gpu;
    MurStats stats;
    if ((setup && (!gpuBegin(gpu) || !setup(trial->bench, user) || !gpuSubmit(gpu))) ||
        !trialStats(trial, &stats)) {
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

bool trialHoldsPairs(const Trial *trial, const char *operation) {
    Gpu *gpu = &trial->bench->gpu;
    MurStats stats;
    if (!trialStats(trial, &stats)) {
        return false;
    }
    if (stats.live != trial->pairs) {
        return sayError("%s: the table holds %u entries instead of %u", operation, stats.live,
                        trial->pairs);
    }
    return trialForget(trial) && gpuBegin(gpu) && trialRecordFind(trial, 0) && gpuSubmit(gpu) &&
           benchVerify(trial->bench, operation, &trial->values, 0, trial->pairs, EXPECT_VALUES, 0);
}

Row trialRow(const Trial *trial, const char *operation, const char *state, uint32_t count,
             Timing timing) {
    Row row = {
        .suite = trial->suite,
        .operation = operation,
        .state = state,
        .format = "K32V32",
        .pairs = count,
        .capacity = trial->capacity,
        .load = trial->load,
        .timing = timing,
        .rate = timing.milliseconds > 0 ? 1e-6 * count / timing.milliseconds : 0,
        .unit = "G/s",
        .tableBytes = murGetTableMemory(trial->table).size,
    };
    snprintf(row.variant, sizeof row.variant, "%d-bit atomics", (int)trial->width);
    return row;
}
