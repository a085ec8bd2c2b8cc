/* Suite whole: passes over a whole table, compared with the bandwidth of a copy. suite_rehash.c has
 * the suite's other part. SPDX-License-Identifier: MIT */
#include "operations.h"
#include "shaders/push.h"

#include <murmuration/hash.h>

#include <string.h>

typedef struct Whole {
    Trial trial;
    GpuBuffer keys; /* extracted keys */
    GpuBuffer told; /* host-visible: the count of an extract, or IterateSums */
    IteratePush push;
} Whole;

BENCH_STEP(runClear, const Whole, whole) {
    return gpuCheck(murCmdClear(bench->gpu.cmd, whole->trial.table), "clearing");
}

BENCH_STEP(runExtract, const Whole, whole) {
    const MurExtract extract = {
        .maxCount = whole->trial.pairs,
        .countAddress = whole->told.address,
        .keys = trialArray(&whole->keys),
        .values = trialArray(&whole->trial.values),
    };
    const bool done = gpuCheck(murCmdExtract(bench->gpu.cmd, whole->trial.table, &extract),
                               "extracting");
    gpuHostBarrier(&bench->gpu);
    return done;
}

BENCH_STEP(runStats, const Whole, whole) {
    const Trial *trial = &whole->trial;
    const bool done = gpuCheck(murCmdStats(bench->gpu.cmd, trial->table, trialArray(&trial->stats)),
                               "counting");
    gpuHostBarrier(&bench->gpu);
    return done;
}

BENCH_STEP(setupSums, const Whole, whole) {
    vkCmdFillBuffer(bench->gpu.cmd, whole->told.buffer, 0, VK_WHOLE_SIZE, 0);
    gpuTransferBarrier(&bench->gpu);
    return true;
}

BENCH_STEP(runIterate, const Whole, whole) {
    const bool done = benchDispatch(bench, KERNEL_iterate, &whole->push, whole->push.invocations);
    gpuHostBarrier(&bench->gpu);
    return done;
}

static bool verifyClear(Whole *whole) {
    MurStats stats;
    return trialStats(&whole->trial, &stats) &&
           (stats.live + stats.erased == 0 ||
            sayError("clear: %u entries are left", stats.live + stats.erased));
}

/* Checks the results of the timed command. */
static bool verifyStats(Whole *whole) {
    const MurStats *stats = whole->trial.stats.mapped;
    return (stats->live == whole->trial.pairs && stats->erased == 0 &&
            stats->probeSum >= stats->live) ||
           sayError("stats: %u live entries instead of %u", stats->live, whole->trial.pairs);
}

BENCH_STEP(eraseExtracted, const Whole, whole) {
    const MurBatch items = {.maxCount = whole->trial.pairs,
                            .keys = trialArray(&whole->keys),
                            .statuses = trialArray(&whole->trial.statuses)};
    return gpuCheck(murCmdErase(bench->gpu.cmd, whole->trial.table, &items), "erasing");
}

/* Checks the number of extracted entries, and the value of each key. Each key can be erased once,
 * which shows that none is duplicated or missing. Leaves the table empty. */
static bool verifyExtract(Whole *whole) {
    const Trial *trial = &whole->trial;
    Bench *bench = trial->bench;
    const uint32_t count = *(const uint32_t *)whole->told.mapped;
    const PairsPush push = {.keys = whole->keys.address,
                            .values = trial->values.address,
                            .wrong = bench->wrong.address,
                            .count = count,
                            .valueWords = 1,
                            .check = PAIRS_KEYED};
    return (count == trial->pairs ||
            sayError("extract: %u entries instead of %u", count, trial->pairs)) &&
           benchCheck(bench, "extract", KERNEL_pairs, &push, count) &&
           benchOnce(bench, eraseExtracted, whole) &&
           benchIsAll(bench, "extract", &trial->statuses, 0, count, MUR_ERASED);
}

/* Computes the expected sums of iterating: see shaders/pair.glsl. */
static bool verifyIterate(Whole *whole) {
    const IterateSums *sums = whole->told.mapped;
    IterateSums expected = {.entries = whole->trial.pairs};
    for (uint32_t i = 0; i < whole->trial.pairs; ++i) {
        expected.keys += mur_hash(i, 0x9E3779B9u);
        expected.values += (i * 0x9E3779B1u >> 1) + 1u;
    }
    return memcmp(sums, &expected, sizeof expected) == 0 ||
           sayError("iterate: %u entries, sums %08x and %08x instead of %u, %08x and %08x",
                    sums->entries, sums->keys, sums->values, expected.entries, expected.keys,
                    expected.values);
}

/* bytes: the minimum number of bytes that the pass must read and write. */
static bool passRow(Whole *whole, const char *operation, const Timed *timed, double bytes,
                    bool (*verify)(Whole *whole)) {
    Trial *trial = &whole->trial;
    const char *state;
    Timing timing;
    if (!trialFill(trial) || !trialForget(trial) || !trialState(trial, NULL, NULL, &state)) {
        return false;
    }
    memset(trial->stats.mapped, 0xFF, (size_t)trial->stats.size);
    memset(whole->told.mapped, 0xFF, (size_t)whole->told.size);
    if (!benchTime(trial->bench, timed, &timing) || !verify(whole)) {
        return false;
    }
    Row row = trialRow(trial, operation, state, trial->pairs, timing);
    row.rate = 1e-6 * bytes / timing.milliseconds;
    row.unit = "GB/s";
    return benchCopyCeiling(trial->bench, 1, &row) && benchRow(trial->bench, &row);
}

static bool passes(Whole *whole) {
    const double table = 8 * (double)whole->trial.capacity, pairs = 8 * (double)whole->trial.pairs;
    whole->push = (IteratePush){
        .table = murGetTableRef(whole->trial.table),
        .sums = whole->told.address,
        .invocations = whole->trial.bench->options.quick ? 1u << 10 : 1u << 20,
    };
    return passRow(whole, "clear", &(Timed){NULL, runClear, whole}, table, verifyClear) &&
           passRow(whole, "extract", &(Timed){NULL, runExtract, whole}, table + pairs,
                   verifyExtract) &&
           passRow(whole, "stats", &(Timed){NULL, runStats, whole}, table, verifyStats) &&
           passRow(whole, "iterate", &(Timed){setupSums, runIterate, whole}, table, verifyIterate);
}

bool suiteWhole(Bench *bench) {
    const uint32_t pairs = bench->options.quick ? 1u << 12 : 1u << 26;
    Whole whole = {.push = {.pad = 0}};
    const bool done = trialOpen(&whole.trial, bench, "whole",
                                trialInfo(2ull * pairs, trialWidth(bench), 0), pairs) &&
                      benchBuffer(bench, 4ull * pairs, GPU_DEVICE, "extracted", &whole.keys) &&
                      benchBuffer(bench, sizeof(IterateSums), GPU_HOST, "told", &whole.told) &&
                      passes(&whole);
    trialClose(&whole.trial);
    return done && rehashRows(bench) && cleaningRows(bench);
}
