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
    bool fresh;                /* inserts new keys; otherwise inserts erased keys again */
    uint32_t erased, inserted; /* number of items */
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
    snprintf(row.variant, sizeof row.variant, "%s, into capacity %llu%s%s", sources[rehash->source],
             (unsigned long long)to, stats.state & MUR_STATE_ORDERED ? ", ordered" : "",
             rehash->map.size ? ", map and result" : "");
    /* The ceiling: a copy of all bytes that must be read and written. */
    return (stats.erased == 0 || sayError("%s: %u erased slots are left", name, stats.erased)) &&
           benchCopyCeiling(bench, stats.live / (8 * (double)(trial->capacity + to)), &row) &&
           benchRow(bench, &row);
}

/* Moves from one source: to tables of several capacities, and by other paths. */
static const struct Move {
    Way way;
    Source source;
    double load;
    uint32_t quarters; /* the destination's capacity is quarters / 4 of the source's */
    bool outputs;
} moves[] = {
    {WAY_REHASH, SOURCE_INSERTED, 0.5, 8, false},  {WAY_REHASH, SOURCE_BUILT, 0.5, 8, false},
    {WAY_REHASH, SOURCE_ERASED, 0.5, 8, false}, /* these three: for each size */
    {WAY_REHASH, SOURCE_INSERTED, 0.7, 8, false},  {WAY_REHASH, SOURCE_INSERTED, 0.9, 8, false},
    {WAY_REHASH, SOURCE_INSERTED, 0.95, 8, false}, {WAY_REHASH, SOURCE_ERASED, 0.95, 8, false},
    {WAY_REHASH, SOURCE_INSERTED, 0.5, 16, false}, {WAY_REHASH, SOURCE_INSERTED, 0.5, 4, false},
    {WAY_REHASH, SOURCE_INSERTED, 0.5, 3, false},  {WAY_REHASH, SOURCE_ERASED, 0.5, 4, false},
    {WAY_REHASH, SOURCE_ERASED, 0.5, 3, false},    {WAY_REHASH, SOURCE_INSERTED, 0.5, 8, true},
    {WAY_MERGE, SOURCE_INSERTED, 0.5, 8, false},   {WAY_MERGE, SOURCE_ERASED, 0.5, 8, false},
    {WAY_COMPACT, SOURCE_ERASED, 0.5, 4, false},   {WAY_COMPACT, SOURCE_ERASED, 0.9, 4, false},
    {WAY_COMPACT, SOURCE_ERASED, 0.95, 4, false},
};
enum { MOVES = sizeof moves / sizeof moves[0], BY_SIZE = 3 };

static bool moveEntries(Bench *bench, const struct Move *move, uint64_t capacity) {
    Rehash rehash = {.way = move->way, .source = move->source};
    const uint64_t to = capacity / 4 * move->quarters;
    bool done = openRehash(&rehash, bench,
                           trialInfo(capacity, trialWidth(bench), TRIAL_BUILD | TRIAL_REHASH),
                           move->load, to);
    if (done && move->outputs) {
        const uint64_t slots = murGetTableRef(rehash.trial.table).slotCount;
        done = benchBuffer(bench, 4 * (slots + 2), GPU_DEVICE, "slot map", &rehash.map) &&
               benchBuffer(bench, sizeof(MurRehashResult), GPU_DEVICE, "result", &rehash.result);
    }
    done = done && moveRow(&rehash, to);
    trialClose(&rehash.trial);
    return done;
}

bool rehashRows(Bench *bench) {
    const uint32_t last = bench->options.maxLog2;
    bool done = true;
    for (uint32_t log2 = bench->options.minLog2; log2 <= last && done; log2 += 2) {
        for (int i = 0; i < (log2 + 2 > last ? MOVES : BY_SIZE) && done; ++i) {
            done = moveEntries(bench, &moves[i], (uint64_t)2 << log2);
        }
    }
    return done;
}

static bool insertOthers(const Rehash *rehash) {
    const Trial moved = movedTrial(rehash);
    const MurBatch items = trialBatch(&moved, rehash->fresh ? moved.pairs : 0, rehash->inserted);
    const bool done = trialRecordInsert(&moved, &items);
    gpuComputeBarrier(&moved.bench->gpu);
    return done;
}

/* Fills the table, erases, and cleans. */
BENCH_STEP(setupCleaned, Rehash, rehash) {
    const Trial *trial = &rehash->trial;
    const bool done = trialRecordFill(trial, 0, trial->pairs) &&
                      trialRecordErase(trial, 0, rehash->erased) && runMove(bench, rehash);
    gpuComputeBarrier(&bench->gpu);
    return done;
}

BENCH_STEP(runInsert, const Rehash, rehash) {
    return insertOthers(rehash);
}

BENCH_STEP(runFind, const Rehash, rehash) {
    const Trial moved = movedTrial(rehash);
    return trialRecordFind(&moved, 0);
}

/* Checks the finds of all pairs: pairs that were inserted again, erased or kept. */
static bool verifyClean(const Rehash *rehash) {
    const Trial moved = movedTrial(rehash);
    Bench *bench = moved.bench;
    const uint32_t gone = rehash->erased, back = rehash->fresh ? 0 : rehash->inserted;
    const uint32_t entries = moved.pairs - gone + rehash->inserted;
    const GpuBuffer rest = {.address = moved.values.address + 4ull * gone};
    MurStats stats;
    return benchIsValues(bench, "clean", &moved.values, 0, back) &&
           benchIsAll(bench, "clean", &moved.values, back, gone - back, UINT32_MAX) &&
           benchIsValues(bench, "clean", &rest, gone, moved.pairs - gone) &&
           trialStats(&moved, &stats) &&
           (stats.live == entries ||
            sayError("clean: %u entries instead of %u", stats.live, entries)) &&
           (rehash->way == WAY_NONE || stats.erased == 0 ||
            sayError("clean: %u erased slots are left", stats.erased));
}

static bool cleanRow(const Rehash *rehash, const char *operation, uint32_t count, Timing timing) {
    const Trial *trial = &rehash->trial;
    Row row = trialRow(trial, operation, "unordered", count, timing);
    row.scratch = rehash->scratch.size;
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
    Timing inserts, finds;
    return benchTime(bench, &(Timed){setupCleaned, runInsert, rehash}, &inserts) &&
           trialForget(trial) && benchTime(bench, &(Timed){NULL, runFind, rehash}, &finds) &&
           verifyClean(rehash) && cleanRow(rehash, "replace", rehash->inserted, inserts) &&
           cleanRow(rehash, "find after", trial->pairs, finds);
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
