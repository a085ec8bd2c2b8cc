/* What erased slots cost, and whether cleaning pays: two experiments with no cleaning, with
 * murCmdRehash into a second table, and with murCmdCompact. The time of cleaning is included.
 * Source of both experiments: the benchmarks of Hashinator (github.com/fmihpc/hashinator).
 * SPDX-License-Identifier: MIT */
#include "operations.h"
#include "common/say.h"

#include <stdio.h>

typedef enum Cleaning { CLEAN_NOT, CLEAN_REHASH, CLEAN_COMPACT, CLEAN_WAYS } Cleaning;

static const char *const ways[CLEAN_WAYS] = {"no cleaning", "rehash", "compact"};

typedef struct Clean {
    Trial trial;
    Cleaning way;
    bool fresh; /* the keys that come are new; else some of the erased return */
    GpuBuffer scratch;
} Clean;

static bool recorded(VkResult result) {
    return gpuCheck(result, "recording a command");
}

static MurArray part(const GpuBuffer *buffer, uint32_t first, uint32_t count) {
    return (MurArray){buffer->address + 4 * (VkDeviceAddress)first, 4 * (VkDeviceSize)count};
}

static bool clear(Clean *clean) {
    Gpu *gpu = &clean->trial.bench->gpu;
    const bool done = recorded(murCmdClear(gpu->cmd, clean->trial.table));
    gpuComputeBarrier(gpu);
    return done;
}

static bool insert(Clean *clean, MurTable table, uint32_t first, uint32_t count) {
    const Trial *trial = &clean->trial;
    Gpu *gpu = &trial->bench->gpu;
    const MurBatch items = {
        .maxCount = count,
        .keys = part(&trial->source.keys, first, count),
        .values = part(&trial->source.values, first, count),
    };
    const bool done = recorded(murCmdInsert(gpu->cmd, table, MUR_MODE_KEEP, &items));
    gpuComputeBarrier(gpu);
    return done;
}

static bool erase(Clean *clean, uint32_t count) {
    Gpu *gpu = &clean->trial.bench->gpu;
    const MurBatch items = {.maxCount = count, .keys = part(&clean->trial.source.keys, 0, count)};
    const bool done = recorded(murCmdErase(gpu->cmd, clean->trial.table, &items));
    gpuComputeBarrier(gpu);
    return done;
}

/* Of pairs first ... first + count - 1; their values go to the same places of the results. */
static bool find(Clean *clean, MurTable table, uint32_t count) {
    const Trial *trial = &clean->trial;
    Gpu *gpu = &trial->bench->gpu;
    const MurBatch items = {
        .maxCount = count,
        .keys = part(&trial->source.keys, 0, count),
        .values = part(&trial->values, 0, count),
    };
    const bool done = recorded(murCmdFind(gpu->cmd, table, &items));
    gpuComputeBarrier(gpu);
    return done;
}

/* Cleans, and returns the table where the entries are afterwards. */
static bool cleanUp(Clean *clean, MurTable *table) {
    Gpu *gpu = &clean->trial.bench->gpu;
    const MurRehash arguments = {.scratch = {clean->scratch.address, clean->scratch.size}};
    bool done = true;
    *table = clean->trial.table;
    if (clean->way == CLEAN_COMPACT) {
        done = recorded(murCmdCompact(gpu->cmd, clean->trial.table, &arguments));
    } else if (clean->way == CLEAN_REHASH) {
        done = recorded(murCmdRehash(gpu->cmd, clean->trial.table, clean->trial.other, NULL));
        *table = clean->trial.other;
    }
    gpuComputeBarrier(gpu);
    return done;
}

static bool openClean(Clean *clean, Bench *bench, Cleaning way, uint64_t capacity, double load) {
    Trial *trial = &clean->trial;
    clean->way = way;
    const uint32_t pairs = (uint32_t)((double)capacity * load);
    /* Uncleaned, the table is so full that default probes would give up. */
    MurTableCreateInfo info = trialInfo(trial, capacity, trialWidth(bench));
    info.probeLimit = UINT32_MAX;
    if (!trialOpenTable(trial, bench, "clean", &info, pairs) ||
        !benchPairs(bench, 2 * pairs, &trial->source)) {
        return false;
    }
    return (way != CLEAN_REHASH ||
            gpuCheck(murCreateTable(bench->gpu.context, &info, &clean->trial.other),
                     "creating a table")) &&
           (way != CLEAN_COMPACT ||
            gpuCreateBuffer(&bench->gpu, murGetCompactScratchSize(trial->table), GPU_DEVICE,
                            "scratch", &clean->scratch));
}

static void closeClean(Clean *clean) {
    gpuDestroyBuffer(&clean->trial.bench->gpu, &clean->scratch);
    trialClose(&clean->trial);
}

static bool holds(Clean *clean, uint32_t entries, MurStats *stats) {
    Trial *trial = &clean->trial;
    const MurTable table = trial->table;
    trial->table = clean->trial.other ? clean->trial.other : table;
    const bool done = trialStats(trial, stats);
    trial->table = table;
    return done &&
           (stats->live == entries ||
            sayError("clean: %u entries instead of %u", stats->live, entries)) &&
           (clean->way == CLEAN_NOT || stats->erased == 0 ||
            sayError("clean, %s: %u erased slots are left", ways[clean->way], stats->erased));
}

static bool addRow(Clean *clean, const char *operation, const char *state, uint32_t count,
                   Timing timing, const MurStats *stats) {
    const Trial *trial = &clean->trial;
    Row row = trialRow(trial, operation, state, count, timing);
    row.scratch = clean->scratch.size;
    row.probeMean = (double)stats->probeSum / (double)stats->live;
    row.probeMax = stats->probeMax;
    snprintf(row.variant, sizeof row.variant, "%s%s, %d-bit atomics", ways[clean->way],
             operation[0] == 'm' ? ""
             : clean->fresh      ? ", fresh keys"
                                 : ", returning keys",
             (int)trial->width);
    return benchRow(trial->bench, &row);
}

/* ---- Filled to 90%, a fifth erased, half as many inserted ------------------------------------ */

static bool setupErased(Bench *bench, void *user) {
    Clean *clean = user;
    (void)bench;
    return clear(clean) && insert(clean, clean->trial.table, 0, clean->trial.pairs) &&
           erase(clean, clean->trial.pairs / 5);
}

static bool runInsert(Bench *bench, void *user) {
    Clean *clean = user;
    const uint32_t pairs = clean->trial.pairs;
    MurTable table;
    (void)bench;
    return cleanUp(clean, &table) && insert(clean, table, clean->fresh ? pairs : 0, pairs / 10);
}

static bool runFind(Bench *bench, void *user) {
    Clean *clean = user;
    (void)bench;
    return find(clean, clean->trial.other ? clean->trial.other : clean->trial.table,
                clean->trial.pairs);
}

static bool replaced(Bench *bench, Cleaning way, bool fresh) {
    Clean clean = {.trial = {.uses = TRIAL_REHASH}, .fresh = fresh};
    const uint64_t capacity = bench->options.quick ? 1u << 12 : 1u << 25;
    Timing timing, finds;
    MurStats stats;
    bool done = openClean(&clean, bench, way, capacity, 0.9);
    const uint32_t pairs = clean.trial.pairs;
    const uint32_t erased = pairs / 5;
    const uint32_t back = fresh ? 0 : pairs / 10;
    const GpuBuffer *values = &clean.trial.values;
    done = done && benchTime(bench, &(Timed){setupErased, runInsert, &clean}, &timing) &&
           benchTime(bench, &(Timed){NULL, runFind, &clean}, &finds) &&
           (fresh || benchVerify(bench, "clean", values, 0, back, EXPECT_VALUES, 0)) &&
           benchVerify(bench, "clean", values, back, erased - back, EXPECT_CONSTANT, UINT32_MAX) &&
           benchVerify(bench, "clean", values, erased, pairs - erased, EXPECT_VALUES, 0) &&
           holds(&clean, pairs - erased + pairs / 10, &stats) &&
           addRow(&clean, "replace", "unordered", pairs / 10, timing, &stats) &&
           addRow(&clean, "find after", "unordered", pairs, finds, &stats);
    closeClean(&clean);
    return done;
}

/* ---- Filled to a half, all found, half erased, all inserted again, all found ----------------- */

static bool setupEmpty(Bench *bench, void *user) {
    (void)bench;
    return clear(user);
}

static bool runMix(Bench *bench, void *user) {
    Clean *clean = user;
    const uint32_t pairs = clean->trial.pairs;
    MurTable table = clean->trial.table;
    (void)bench;
    return insert(clean, table, 0, pairs) && find(clean, table, pairs) && erase(clean, pairs / 2) &&
           cleanUp(clean, &table) && insert(clean, table, 0, pairs) && find(clean, table, pairs);
}

static bool mix(Bench *bench, Cleaning way) {
    Clean clean = {.trial = {.uses = TRIAL_REHASH}};
    const uint64_t capacity = bench->options.quick ? 1u << 12 : 1u << 25;
    Timing timing;
    MurStats stats;
    bool done = openClean(&clean, bench, way, capacity, 0.5);
    const uint32_t pairs = clean.trial.pairs;
    done = done && benchTime(bench, &(Timed){setupEmpty, runMix, &clean}, &timing) &&
           benchVerify(bench, "mix", &clean.trial.values, 0, pairs, EXPECT_VALUES, 0) &&
           holds(&clean, pairs, &stats) &&
           addRow(&clean, "mix", "empty", 4 * pairs + pairs / 2, timing, &stats);
    closeClean(&clean);
    return done;
}

bool suiteClean(Bench *bench) {
    for (int way = CLEAN_NOT; way < CLEAN_WAYS; ++way) {
        if (!replaced(bench, (Cleaning)way, true) || !replaced(bench, (Cleaning)way, false) ||
            !mix(bench, (Cleaning)way)) {
            return false;
        }
    }
    return true;
}
