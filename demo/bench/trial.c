/* A table with its pairs.
 *
 * SPDX-License-Identifier: MIT */
#include "trial.h"
#include "common/say.h"
#include "knobs.h"
#include "operations.h"

#include <string.h>

MurAtomicWidth trialWidth(const Bench *bench) {
    return bench->gpu.features & MUR_FEATURE_INT64_ATOMICS ? MUR_ATOMIC_WIDTH_64
                                                           : MUR_ATOMIC_WIDTH_32;
}

/* A build that leaves order takes the exact path: it is the one for every load. */
static void forceOrder(const Trial *trial, bool force) {
    knobSet(trial->bench->gpu.context, KNOB_BUILD_PATH, force ? "exact" : NULL);
}

static VkDeviceSize orderScratch(const Trial *trial) {
    forceOrder(trial, true);
    const VkDeviceSize size = murGetScratchSize(trial->table, MUR_COMMAND_BUILD, trial->pairs);
    forceOrder(trial, false);
    return size;
}

static VkDeviceSize most(VkDeviceSize a, VkDeviceSize b) {
    return a > b ? a : b;
}

/* Enough for every way of every command. */
static VkDeviceSize mostScratch(const Trial *trial) {
    MurContext context = trial->bench->gpu.context;
    VkDeviceSize size = 0;
    for (uint32_t i = 0; knobValue(KNOB_INSERT_PATH, i); ++i) {
        knobSet(context, KNOB_INSERT_PATH, knobValue(KNOB_INSERT_PATH, i));
        size = most(size, murGetScratchSize(trial->table, MUR_COMMAND_INSERT, trial->pairs));
    }
    for (uint32_t i = 0; knobValue(KNOB_SORT, i); ++i) {
        knobSet(context, KNOB_SORT, knobValue(KNOB_SORT, i));
        size = most(size, murGetScratchSize(trial->table, MUR_COMMAND_INSERT, trial->pairs));
        size = most(size, murGetScratchSize(trial->table, MUR_COMMAND_ERASE, trial->pairs));
        size = most(size, murGetScratchSize(trial->table, MUR_COMMAND_FIND, trial->pairs));
    }
    for (uint32_t i = 0; knobValue(KNOB_BUILD_PATH, i); ++i) {
        knobSet(context, KNOB_BUILD_PATH, knobValue(KNOB_BUILD_PATH, i));
        size = most(size, murGetScratchSize(trial->table, MUR_COMMAND_BUILD, trial->pairs));
    }
    knobsReset(context);
    return most(size, 16);
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
    trial->load = (double)pairs / (double)info->capacity;
    if (!gpuCheck(murCreateTable(gpu->context, info, &trial->table), "creating a table")) {
        return false;
    }
    return gpuCreateBuffer(gpu, size, GPU_DEVICE, "results", &trial->values) &&
           gpuCreateBuffer(gpu, size, GPU_DEVICE, "statuses", &trial->statuses) &&
           gpuCreateBuffer(gpu, mostScratch(trial), GPU_DEVICE, "scratch", &trial->scratch) &&
           gpuCreateBuffer(gpu, sizeof(MurStats), GPU_HOST, "stats", &trial->stats);
}

bool trialOpen(Trial *trial, Bench *bench, const char *suite, MurAtomicWidth width,
               uint64_t capacity, uint32_t pairs) {
    const MurTableCreateInfo info = {
        .capacity = capacity,
        .seed = 0x6D75726Du,
        .atomicWidth = width,
        .pName = "benchmark table",
    };
    return trialOpenTable(trial, bench, suite, &info, pairs) &&
           benchPairs(bench, 2 * pairs, &trial->source);
}

void trialClose(Trial *trial) {
    Gpu *gpu = &trial->bench->gpu;
    murDestroyTable(trial->table);
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

MurArray trialScratch(const Trial *trial, MurCommand command, uint32_t count) {
    const VkDeviceSize size = murGetScratchSize(trial->table, command, count);
    const bool fits = size && size <= trial->scratch.size;
    return fits ? (MurArray){trial->scratch.address, size} : (MurArray){0};
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

bool trialRecordFill(const Trial *trial, uint32_t first, uint32_t count) {
    Gpu *gpu = &trial->bench->gpu;
    MurBatch items = trialBatch(trial, first, count);
    bool done;
    if (trial->fill == FILL_ORDERED) {
        forceOrder(trial, true);
        items.scratch = trialScratch(trial, MUR_COMMAND_BUILD, count);
        done = gpuCheck(murCmdBuild(gpu->cmd, trial->table, MUR_MODE_ASSIGN, &items), "building");
        forceOrder(trial, false);
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
    return orderScratch(trial) != 0;
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
