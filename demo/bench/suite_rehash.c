/* A table's entries into another, or into itself without its erased slots: by size, by load, by
 * capacity. A rate counts the entries that are moved. SPDX-License-Identifier: MIT */
#include "operations.h"
#include "common/say.h"

#include <stdio.h>

/* How the source comes about. */
typedef enum Source {
    SOURCE_INSERTED,
    SOURCE_BUILT, /* in order */
    SOURCE_ERASED /* inserted, then half of the entries erased */
} Source;

typedef struct Rehash {
    Trial trial; /* the source */
    Source kind;
    GpuBuffer map, result;
    GpuBuffer scratch; /* of murCmdCompact */
    const char *state; /* of the source */
    bool outputs;      /* slot map and result are asked for */
    bool merge;        /* insert into a cleared table instead */
} Rehash;

static bool recorded(VkResult result) {
    return gpuCheck(result, "recording a command");
}

/* Records how the source comes about. */
static bool makeSource(Bench *bench, void *user) {
    Rehash *rehash = user;
    Trial *trial = &rehash->trial;
    trial->fill = rehash->kind == SOURCE_BUILT ? FILL_ORDERED : FILL_DIRECT;
    if (!trialRecordFill(trial, 0, trial->pairs)) {
        return false;
    }
    if (rehash->kind == SOURCE_ERASED) {
        MurBatch items = trialBatch(trial, 0, trial->pairs / 2);
        items.values = (MurArray){0};
        return recorded(murCmdErase(bench->gpu.cmd, trial->table, &items));
    }
    return true;
}

static bool openSource(Rehash *rehash, Bench *bench, uint64_t capacity, double load, Source kind) {
    Trial *trial = &rehash->trial;
    rehash->kind = kind;
    return trialOpen(trial, bench, "rehash", trialWidth(bench), capacity,
                     (uint32_t)((double)capacity * load)) &&
           trialState(trial, makeSource, rehash, &rehash->state);
}

static void closeSource(Rehash *rehash) {
    gpuDestroyBuffer(&rehash->trial.bench->gpu, &rehash->scratch);
    trialClose(&rehash->trial);
}

/* ---- One row -------------------------------------------------------------------------------- */

static bool clearDestination(Bench *bench, void *user) {
    const Rehash *rehash = user;
    return recorded(murCmdClear(bench->gpu.cmd, rehash->trial.other));
}

static bool runRehash(Bench *bench, void *user) {
    const Rehash *rehash = user;
    const MurRehash outputs = {
        .slotMap = {rehash->map.address, rehash->map.size},
        .result = {rehash->result.address, rehash->result.size},
    };
    const MurRehash *wanted = rehash->outputs ? &outputs : NULL;
    const VkCommandBuffer cmd = bench->gpu.cmd;
    return recorded(
        rehash->merge
            ? murCmdMerge(cmd, rehash->trial.table, rehash->trial.other, MUR_MODE_ASSIGN, wanted)
            : murCmdRehash(cmd, rehash->trial.table, rehash->trial.other, wanted));
}

static uint32_t erasedPairs(const Rehash *rehash) {
    return rehash->kind == SOURCE_ERASED ? rehash->trial.pairs / 2 : 0;
}

static bool statsOf(Rehash *rehash, MurTable table, MurStats *stats) {
    const MurTable source = rehash->trial.table;
    rehash->trial.table = table;
    const bool done = trialStats(&rehash->trial, stats);
    rehash->trial.table = source;
    return done;
}

/* The table holds exactly the pairs that it should, as finds of all see it. */
static bool verify(Rehash *rehash, MurTable table, const char *what, MurStats *stats) {
    const Trial *trial = &rehash->trial;
    Bench *bench = trial->bench;
    Gpu *gpu = &bench->gpu;
    const uint32_t erased = erasedPairs(rehash);
    MurBatch items = trialBatch(trial, 0, trial->pairs);
    items.values = trialArray(&trial->values);
    return trialForget(trial) && gpuBegin(gpu) && recorded(murCmdFind(gpu->cmd, table, &items)) &&
           gpuSubmit(gpu) &&
           (!erased ||
            benchVerify(bench, what, &trial->values, 0, erased, EXPECT_CONSTANT, UINT32_MAX)) &&
           benchVerify(bench, what, &trial->values, erased, trial->pairs - erased, EXPECT_VALUES,
                       0) &&
           statsOf(rehash, table, stats) &&
           (stats->live == trial->pairs - erased ||
            sayError("%s: the table holds %u entries instead of %u", what, stats->live,
                     trial->pairs - erased)) &&
           (stats->erased == 0 || sayError("%s: %u erased slots are left", what, stats->erased));
}

static bool addRow(Rehash *rehash, const char *operation, uint64_t to, Timing timing,
                   const MurStats *stats, uint64_t scratch) {
    static const char *const sources[] = {"inserted", "built", "half erased"};
    const Trial *trial = &rehash->trial;
    Row row = trialRow(trial, operation, rehash->state, stats->live, timing);
    row.scratch = scratch;
    row.probeMean = (double)stats->probeSum / (double)stats->live;
    row.probeMax = stats->probeMax;
    snprintf(row.variant, sizeof row.variant, "%s, into capacity %llu%s%s", sources[rehash->kind],
             (unsigned long long)to, stats->state & MUR_STATE_ORDERED ? ", ordered" : "",
             rehash->outputs ? ", map and result" : "");
    /* What a copy of all that must be read and written would take. */
    return benchCopyCeiling(trial->bench, stats->live / (8 * (double)(trial->capacity + to)),
                            &row) &&
           benchRow(trial->bench, &row);
}

static bool intoTable(Rehash *rehash, uint64_t capacity) {
    Trial *trial = &rehash->trial;
    Bench *bench = trial->bench;
    const char *operation = rehash->merge ? "merge" : "rehash";
    const MurTableCreateInfo info = trialInfo(trial, capacity, trial->width);
    MurStats stats;
    Timing timing;
    const Timed timed = {rehash->merge ? clearDestination : NULL, runRehash, rehash};
    bool done = gpuCheck(murCreateTable(bench->gpu.context, &info, &rehash->trial.other),
                         "creating a table") &&
                benchTime(bench, &timed, &timing) &&
                verify(rehash, rehash->trial.other, operation, &stats) &&
                addRow(rehash, operation, capacity, timing, &stats, 0);
    murDestroyTable(rehash->trial.other);
    rehash->trial.other = VK_NULL_HANDLE;
    return done;
}

static bool withOutputs(Rehash *rehash, uint64_t capacity) {
    Gpu *gpu = &rehash->trial.bench->gpu;
    const uint64_t slots = murGetTableRef(rehash->trial.table).slotCount;
    rehash->outputs = true;
    bool done = gpuCreateBuffer(gpu, 4 * (slots + 2), GPU_DEVICE, "slot map", &rehash->map) &&
                gpuCreateBuffer(gpu, sizeof(MurRehashResult), GPU_DEVICE, "result",
                                &rehash->result) &&
                intoTable(rehash, capacity);
    gpuDestroyBuffer(gpu, &rehash->map);
    gpuDestroyBuffer(gpu, &rehash->result);
    rehash->outputs = false;
    return done;
}

static bool runCompact(Bench *bench, void *user) {
    const Rehash *rehash = user;
    const MurRehash outputs = {.scratch = trialArray(&rehash->scratch)};
    return recorded(murCmdCompact(bench->gpu.cmd, rehash->trial.table, &outputs));
}

/* The source is made anew before each run. */
static bool inPlace(Bench *bench, uint64_t capacity, double load) {
    Rehash rehash = {.trial = {.uses = TRIAL_BUILD | TRIAL_REHASH}};
    Trial *trial = &rehash.trial;
    MurStats stats;
    Timing timing;
    bool done = openSource(&rehash, bench, capacity, load, SOURCE_ERASED) &&
                gpuCreateBuffer(&bench->gpu, murGetCompactScratchSize(trial->table), GPU_DEVICE,
                                "scratch", &rehash.scratch) &&
                benchTime(bench, &(Timed){makeSource, runCompact, &rehash}, &timing) &&
                verify(&rehash, trial->table, "compact", &stats) &&
                addRow(&rehash, "compact", capacity, timing, &stats, rehash.scratch.size);
    closeSource(&rehash);
    return done;
}

/* ---- The suite ------------------------------------------------------------------------------ */

static bool growth(Bench *bench, uint64_t capacity, double load, Source kind) {
    Rehash rehash = {.trial = {.uses = TRIAL_BUILD | TRIAL_REHASH}};
    bool done = openSource(&rehash, bench, capacity, load, kind) &&
                intoTable(&rehash, 2 * capacity);
    closeSource(&rehash);
    return done;
}

/* One source into tables of several capacities, and by other ways. */
static bool capacities(Bench *bench, uint64_t capacity, Source kind) {
    Rehash rehash = {.trial = {.uses = TRIAL_BUILD | TRIAL_REHASH}};
    bool done = openSource(&rehash, bench, capacity, 0.5, kind) &&
                intoTable(&rehash, 4 * capacity) && intoTable(&rehash, 3 * capacity / 2) &&
                intoTable(&rehash, capacity) && intoTable(&rehash, 3 * capacity / 4) &&
                withOutputs(&rehash, 2 * capacity);
    rehash.merge = true;
    done = done && intoTable(&rehash, 2 * capacity);
    closeSource(&rehash);
    return done;
}

bool suiteRehash(Bench *bench) {
    const BenchOptions *options = &bench->options;
    for (uint32_t log2 = options->minLog2; log2 <= options->maxLog2; log2 += 2) {
        const uint64_t capacity = (uint64_t)2 << log2;
        if (!growth(bench, capacity, 0.5, SOURCE_INSERTED) ||
            !growth(bench, capacity, 0.5, SOURCE_BUILT) ||
            !growth(bench, capacity, 0.5, SOURCE_ERASED)) {
            return false;
        }
    }
    static const double loads[] = {0.7, 0.8, 0.9, 0.95};
    const uint64_t capacity = (uint64_t)2 << options->maxLog2;
    for (size_t i = 0; i < sizeof loads / sizeof loads[0]; ++i) {
        if (!growth(bench, capacity, loads[i], SOURCE_INSERTED) ||
            !growth(bench, capacity, loads[i], SOURCE_ERASED)) {
            return false;
        }
    }
    return inPlace(bench, capacity, 0.5) && inPlace(bench, capacity, 0.9) &&
           inPlace(bench, capacity, 0.95) && capacities(bench, capacity, SOURCE_INSERTED) &&
           capacities(bench, capacity, SOURCE_ERASED);
}
