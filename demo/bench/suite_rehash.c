/* Suite whole: entries of a table are moved to another table, or compacted in place, by size, load
 * and capacity. Rates count moved entries. Also the cost of tombstones, and whether cleaning pays,
 * after the benchmarks of Hashinator (github.com/fmihpc/hashinator).
 * SPDX-License-Identifier: MIT */
#include "operations.h"

typedef enum Way { WAY_NONE, WAY_REHASH, WAY_MERGE, WAY_COMPACT } Way;
/* The state of the source. */
typedef enum Source { SOURCE_INSERTED, SOURCE_BUILT, SOURCE_ERASED } Source;

typedef struct Rehash {
    Trial trial; /* the source; its `other` is the destination, unless in place */
    Way way;
    GpuBuffer scratch; /* scratch memory of a compaction */
    /* Members for moves. */
    Source source;
    GpuBuffer map, result; /* optional */
    /* Members for cleaning. */
    bool fresh;                       /* inserts new keys; otherwise inserts erased keys again */
    uint32_t erased, inserted, found; /* number of items */
} Rehash;

static bool openRehash(Rehash *rehash, Bench *bench, MurTableCreateInfo info, double load,
                       uint64_t to) {
    Trial *trial = &rehash->trial;
    const bool other = rehash->way == WAY_REHASH || rehash->way == WAY_MERGE;
    if (!trialOpen(trial, bench, "whole", info, (uint32_t)((double)info.capacity * load))) {
        return false;
    }
    info.capacity = to;
    return (!other || benchTable(bench, &info, &trial->other)) &&
           (rehash->way != WAY_COMPACT ||
            benchBuffer(bench, murGetScratchSize(trial->table, MUR_COMMAND_COMPACT, 0, NULL),
                        GPU_DEVICE, "scratch", &rehash->scratch));
}

BENCH_STEP(runMove, const Rehash, rehash) {
    const MurTable from = rehash->trial.table, to = rehash->trial.other;
    const MurRehash given = {.slotMap = trialArray(&rehash->map),
                             .result = trialArray(&rehash->result),
                             .scratch = trialArray(&rehash->scratch)};
    const VkCommandBuffer cmd = bench->gpu.cmd;
    const VkResult result = rehash->way == WAY_REHASH ? murCmdRehash(cmd, from, to, &given)
                            : rehash->way == WAY_MERGE
                                ? murCmdMerge(cmd, from, to, MUR_MODE_ASSIGN, &given)
                            : rehash->way == WAY_COMPACT ? murCmdCompact(cmd, from, &given)
                                                         : VK_SUCCESS;
    return gpuCheck(result, "moving entries");
}

/* Returns a trial with the table that contains the entries now. */
static Trial movedTrial(const Rehash *rehash) {
    Trial moved = rehash->trial;
    moved.table = moved.other ? moved.other : moved.table;
    return moved;
}

BENCH_STEP(makeSource, Rehash, rehash) {
    Trial *trial = &rehash->trial;
    trial->fill = rehash->source == SOURCE_BUILT ? FILL_ORDERED : FILL_DIRECT;
    return trialRecordFill(trial, 0, trial->pairs) &&
           (rehash->source != SOURCE_ERASED || trialRecordErase(trial, 0, trial->part));
}

BENCH_STEP(clearOther, const Rehash, rehash) {
    return tableClear(bench, rehash->trial.other);
}

/* Adds a row of a move. A compaction changes its source, and a merge its destination. */
static bool moveRow(Rehash *rehash, uint64_t to) {
    static const char *const sources[] = {"inserted", "built", "half erased"};
    Trial *trial = &rehash->trial;
    Bench *bench = trial->bench;
    const char *name = rehash->way == WAY_REHASH  ? "rehash"
                       : rehash->way == WAY_MERGE ? "merge"
                                                  : "compact";
    const Timed timed = {rehash->way == WAY_REHASH  ? NULL
                         : rehash->way == WAY_MERGE ? clearOther
                                                    : makeSource,
                         runMove, rehash};
    const Trial moved = movedTrial(rehash);
    const uint32_t erased = rehash->source == SOURCE_ERASED ? trial->part : 0;
    const char *state;
    MurStats stats;
    Timing timing;
    if (!trialState(trial, makeSource, rehash, &state) || !benchTime(bench, &timed, &timing) ||
        !trialHolds(&moved, name, erased, &stats)) {
        return false;
    }
    Row row = trialRow(trial, name, state, stats.live, timing);
    row.scratch = rehash->scratch.size;
    trialProbes(&row, &stats);
    snprintf(row.variant, sizeof row.variant, "%s, into capacity %llu%s%s", sources[rehash->source],
             (unsigned long long)to, stats.state & MUR_STATE_ORDERED ? ", ordered" : "",
             rehash->map.size ? ", map and result" : "");
    /* The ceiling: a copy of all bytes that must be read and written. */
    return (stats.erased == 0 || sayError("%s: %u erased slots are left", name, stats.erased)) &&
           benchCopyCeiling(bench, stats.live / (8 * (double)(trial->capacity + to)), &row) &&
           benchRow(bench, &row);
}

static bool move(Bench *bench, Way way, Source source, uint64_t capacity, double load, uint64_t to,
                 bool outputs) {
    Rehash rehash = {.way = way, .source = source};
    const MurTableCreateInfo info = trialInfo(capacity, trialWidth(bench),
                                              TRIAL_BUILD | TRIAL_REHASH);
    bool done = openRehash(&rehash, bench, info, load, to);
    const uint64_t slots = done && outputs ? murGetTableRef(rehash.trial.table).slotCount : 0;
    done = done &&
           (!outputs ||
            (benchBuffer(bench, 4 * (slots + 2), GPU_DEVICE, "slot map", &rehash.map) &&
             benchBuffer(bench, sizeof(MurRehashResult), GPU_DEVICE, "result", &rehash.result))) &&
           moveRow(&rehash, to);
    trialClose(&rehash.trial);
    return done;
}

static bool growth(Bench *bench, Source source, uint64_t capacity, double load) {
    return move(bench, WAY_REHASH, source, capacity, load, 2 * capacity, false);
}

/* Adds rows of moves from one source to tables of several capacities, and by other paths. */
static bool capacities(Bench *bench, Source source, uint64_t capacity) {
    const uint64_t quarter = capacity / 4, quarters[] = {16, 6, 4, 3};
    bool done = true;
    for (int i = 0; i < 4 && done; ++i) {
        done = move(bench, WAY_REHASH, source, capacity, 0.5, quarters[i] * quarter, false);
    }
    return done && move(bench, WAY_REHASH, source, capacity, 0.5, 2 * capacity, true) &&
           move(bench, WAY_MERGE, source, capacity, 0.5, 2 * capacity, false);
}

bool rehashRows(Bench *bench) {
    static const double loads[] = {0.7, 0.8, 0.9, 0.95}, full[] = {0.5, 0.9, 0.95};
    const uint32_t last = bench->options.maxLog2;
    const uint64_t capacity = (uint64_t)2 << last;
    bool done = true;
    for (uint32_t log2 = bench->options.minLog2; log2 <= last && done; log2 += 2) {
        done = growth(bench, SOURCE_INSERTED, 2ull << log2, 0.5) &&
               growth(bench, SOURCE_BUILT, 2ull << log2, 0.5) &&
               growth(bench, SOURCE_ERASED, 2ull << log2, 0.5);
    }
    for (int i = 0; i < 4 && done; ++i) {
        done = growth(bench, SOURCE_INSERTED, capacity, loads[i]) &&
               growth(bench, SOURCE_ERASED, capacity, loads[i]);
    }
    for (int i = 0; i < 3 && done; ++i) {
        done = move(bench, WAY_COMPACT, SOURCE_ERASED, capacity, full[i], capacity, false);
    }
    return done && capacities(bench, SOURCE_INSERTED, capacity) &&
           capacities(bench, SOURCE_ERASED, capacity);
}

static bool insertOthers(const Rehash *rehash) {
    const Trial moved = movedTrial(rehash);
    const MurBatch items = trialBatch(&moved, rehash->fresh ? moved.pairs : 0, rehash->inserted);
    const bool done = trialRecordInsert(&moved, &items);
    gpuComputeBarrier(&moved.bench->gpu);
    return done;
}

static bool findSome(const Rehash *rehash, uint32_t count) {
    Trial moved = movedTrial(rehash);
    moved.pairs = count;
    return trialRecordFind(&moved, 0);
}

BENCH_STEP(setupFull, const Rehash, rehash) {
    const Trial *trial = &rehash->trial;
    return trialRecordFill(trial, 0, trial->pairs);
}

static bool cleanUp(Bench *bench, const Rehash *rehash) {
    Rehash move = *rehash;
    const bool done = trialRecordErase(&rehash->trial, 0, rehash->erased) && runMove(bench, &move);
    gpuComputeBarrier(&bench->gpu);
    return done;
}

static bool setupCleaned(Bench *bench, void *user) {
    return setupFull(bench, user) && cleanUp(bench, user);
}

BENCH_STEP(runCycle, const Rehash, rehash) {
    return cleanUp(bench, rehash) && insertOthers(rehash) && findSome(rehash, rehash->found);
}

BENCH_STEP(runInsert, const Rehash, rehash) {
    return insertOthers(rehash);
}

BENCH_STEP(runFind, const Rehash, rehash) {
    return findSome(rehash, rehash->trial.pairs);
}

/* Checks finds of `pairs` pairs: pairs that were inserted again, erased or kept. Returns the
 * table's statistics. */
static bool verifyClean(const Rehash *rehash, uint32_t pairs, MurStats *stats) {
    const Trial moved = movedTrial(rehash);
    Bench *bench = moved.bench;
    const uint32_t back = rehash->fresh ? 0 : rehash->inserted;
    const uint32_t gone = rehash->erased < pairs ? rehash->erased : pairs;
    const uint32_t entries = moved.pairs - rehash->erased + rehash->inserted;
    const GpuBuffer rest = {.address = moved.values.address + 4ull * gone};
    return benchIsValues(bench, "clean", &moved.values, 0, back) &&
           benchIsAll(bench, "clean", &moved.values, back, gone - back, UINT32_MAX) &&
           benchIsValues(bench, "clean", &rest, gone, pairs - gone) && trialStats(&moved, stats) &&
           (stats->live == entries ||
            sayError("clean: %u entries instead of %u", stats->live, entries)) &&
           (rehash->way == WAY_NONE || stats->erased == 0 ||
            sayError("clean: %u erased slots are left", stats->erased));
}

static bool cleanRow(const Rehash *rehash, const char *operation, uint32_t count, Timing timing,
                     const MurStats *stats) {
    const Trial *trial = &rehash->trial;
    Row row = trialRow(trial, operation, "unordered", count, timing);
    row.scratch = rehash->scratch.size;
    trialProbes(&row, stats);
    snprintf(row.variant, sizeof row.variant, "%s, %s keys, %d-bit atomics",
             rehash->way == WAY_REHASH    ? "rehash"
             : rehash->way == WAY_COMPACT ? "compact"
                                          : "no cleaning",
             rehash->fresh ? "fresh" : "returning", (int)trial->width);
    return benchRow(trial->bench, &row);
}

static bool cleanRows(Rehash *rehash) {
    Trial *trial = &rehash->trial;
    Bench *bench = trial->bench;
    const uint32_t pairs = trial->pairs;
    Timing cycle, inserts, finds;
    MurStats stats;
    return trialForget(trial) && benchTime(bench, &(Timed){setupFull, runCycle, rehash}, &cycle) &&
           verifyClean(rehash, rehash->found, &stats) &&
           cleanRow(rehash, "cycle", rehash->erased + rehash->inserted + rehash->found, cycle,
                    &stats) &&
           benchTime(bench, &(Timed){setupCleaned, runInsert, rehash}, &inserts) &&
           trialForget(trial) && benchTime(bench, &(Timed){NULL, runFind, rehash}, &finds) &&
           verifyClean(rehash, pairs, &stats) &&
           cleanRow(rehash, "replace", rehash->inserted, inserts, &stats) &&
           cleanRow(rehash, "find after", pairs, finds, &stats);
}

/* Adds a row: of each `erased` pairs one is erased; of each `inserted` pairs one is inserted. */
static bool replaced(Bench *bench, Way way, bool fresh, uint64_t capacity, double load,
                     uint32_t erased, uint32_t inserted) {
    Rehash rehash = {.way = way, .fresh = fresh};
    /* Without cleaning, the table is so full that the default probe limit would not suffice. */
    MurTableCreateInfo info = trialInfo(capacity, trialWidth(bench), TRIAL_REHASH);
    info.probeLimit = UINT32_MAX;
    bool done = openRehash(&rehash, bench, info, load, capacity);
    const uint32_t pairs = rehash.trial.pairs;
    rehash.trial.mode = MUR_MODE_INSERT;
    rehash.erased = pairs / erased;
    rehash.inserted = pairs / inserted;
    rehash.found = pairs > 1u << 24 ? 1u << 24 : pairs;
    done = done && cleanRows(&rehash);
    trialClose(&rehash.trial);
    return done;
}

bool cleaningRows(Bench *bench) {
    static const Way ways[] = {WAY_NONE, WAY_REHASH, WAY_COMPACT};
    const uint64_t capacity = bench->options.quick ? 1u << 12 : 1u << 25;
    bool done = true;
    for (int i = 0; i < 3 && done; ++i) {
        done = replaced(bench, ways[i], true, capacity, 0.9, 5, 10) &&
               replaced(bench, ways[i], false, capacity, 0.9, 5, 10) &&
               replaced(bench, ways[i], true, capacity, 0.5, 2, 2) &&
               (bench->options.quick || replaced(bench, ways[i], true, 4 * capacity, 0.5, 2, 2));
    }
    return done;
}
