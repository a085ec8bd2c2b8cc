/* What erased slots cost, and whether cleaning pays: with no cleaning, with murCmdRehash into a
 * second table, and with murCmdCompact.
 * Source of the experiment: the benchmarks of Hashinator (github.com/fmihpc/hashinator).
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
    uint32_t erased, inserted, found; /* items of each */
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
    trial->uses = TRIAL_REHASH;
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
             clean->fresh ? ", fresh keys" : ", returning keys", (int)trial->width);
    return benchRow(trial->bench, &row);
}

/* ---- Filled, some erased, cleaned, others inserted, all looked for --------------------------- */

static bool setupFull(Bench *bench, void *user) {
    Clean *clean = user;
    (void)bench;
    return clear(clean) && insert(clean, clean->trial.table, 0, clean->trial.pairs);
}

static bool insertOthers(Clean *clean, MurTable table) {
    return insert(clean, table, clean->fresh ? clean->trial.pairs : 0, clean->inserted);
}

static bool runCycle(Bench *bench, void *user) {
    Clean *clean = user;
    MurTable table;
    (void)bench;
    return erase(clean, clean->erased) && cleanUp(clean, &table) && insertOthers(clean, table) &&
           find(clean, table, clean->found);
}

static bool setupCleaned(Bench *bench, void *user) {
    Clean *clean = user;
    MurTable table;
    return setupFull(bench, user) && erase(clean, clean->erased) && cleanUp(clean, &table);
}

static MurTable cleaned(const Clean *clean) {
    return clean->trial.other ? clean->trial.other : clean->trial.table;
}

static bool runInsert(Bench *bench, void *user) {
    Clean *clean = user;
    (void)bench;
    return insertOthers(clean, cleaned(clean));
}

static bool runFind(Bench *bench, void *user) {
    Clean *clean = user;
    (void)bench;
    return find(clean, cleaned(clean), clean->trial.pairs);
}

/* Of the first pairs: those that came back, those that are gone, those that stayed. */
static bool foundAsTheyAre(const Clean *clean, uint32_t pairs) {
    Bench *bench = clean->trial.bench;
    const GpuBuffer *values = &clean->trial.values;
    const uint32_t back = clean->fresh ? 0 : clean->inserted;
    const uint32_t erased = clean->erased < pairs ? clean->erased : pairs;
    return (!back || benchVerify(bench, "clean", values, 0, back, EXPECT_VALUES, 0)) &&
           benchVerify(bench, "clean", values, back, erased - back, EXPECT_CONSTANT, UINT32_MAX) &&
           (erased == pairs ||
            benchVerify(bench, "clean", values, erased, pairs - erased, EXPECT_VALUES, 0));
}

/* A share of the pairs is erased, and one inserted. */
static bool replaced(Bench *bench, Cleaning way, bool fresh, uint64_t capacity, double load,
                     uint32_t erasedPart, uint32_t insertedPart) {
    Clean clean = {.fresh = fresh};
    Timing cycle, inserts, finds;
    MurStats stats;
    bool done = openClean(&clean, bench, way, capacity, load);
    const uint32_t pairs = clean.trial.pairs;
    clean.erased = pairs / erasedPart;
    clean.inserted = pairs / insertedPart;
    clean.found = pairs > 1u << 24 ? 1u << 24 : pairs;
    done = done && benchTime(bench, &(Timed){setupFull, runCycle, &clean}, &cycle) &&
           foundAsTheyAre(&clean, clean.found) &&
           holds(&clean, pairs - clean.erased + clean.inserted, &stats) &&
           addRow(&clean, "cycle", "unordered", clean.erased + clean.inserted + clean.found, cycle,
                  &stats) &&
           benchTime(bench, &(Timed){setupCleaned, runInsert, &clean}, &inserts) &&
           benchTime(bench, &(Timed){NULL, runFind, &clean}, &finds) &&
           foundAsTheyAre(&clean, pairs) &&
           holds(&clean, pairs - clean.erased + clean.inserted, &stats) &&
           addRow(&clean, "replace", "unordered", clean.inserted, inserts, &stats) &&
           addRow(&clean, "find after", "unordered", pairs, finds, &stats);
    closeClean(&clean);
    return done;
}

bool suiteClean(Bench *bench) {
    const uint64_t capacity = bench->options.quick ? 1u << 12 : 1u << 25;
    for (int i = CLEAN_NOT; i < CLEAN_WAYS; ++i) {
        const Cleaning way = (Cleaning)i;
        if (!replaced(bench, way, true, capacity, 0.9, 5, 10) ||
            !replaced(bench, way, false, capacity, 0.9, 5, 10) ||
            !replaced(bench, way, true, capacity, 0.5, 2, 2) ||
            (!bench->options.quick && !replaced(bench, way, true, 4 * capacity, 0.5, 2, 2))) {
            return false;
        }
    }
    return true;
}
