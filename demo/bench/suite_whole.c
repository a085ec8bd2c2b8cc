/* Passes over a whole table against the bandwidth of a copy. SPDX-License-Identifier: MIT */
#include "checks.h"
#include "common/say.h"
#include "shaders/push.h"
#include "trial.h"

#include <string.h>

GPU_SPIRV(bench_spv_iterate);

typedef struct Whole {
    Trial trial;
    Checks checks; /* its values follow from their keys, so what is extracted can be checked */
    GpuKernel iterate;
    GpuBuffer keys;  /* extracted */
    GpuBuffer count; /* host-visible */
    GpuBuffer sums;  /* host-visible: IterateSums */
    IterateSums expected;
    IteratePush push;
} Whole;

static bool runClear(Bench *bench, void *user) {
    const Whole *whole = user;
    return gpuCheck(murCmdClear(bench->gpu.cmd, whole->trial.table), "clearing");
}

static bool runExtract(Bench *bench, void *user) {
    const Whole *whole = user;
    const MurExtract extract = {
        .maxCount = whole->trial.pairs,
        .countAddress = whole->count.address,
        .keys = trialArray(&whole->keys),
        .values = trialArray(&whole->trial.values),
    };
    return gpuCheck(murCmdExtract(bench->gpu.cmd, whole->trial.table, &extract), "extracting");
}

static bool runStats(Bench *bench, void *user) {
    const Whole *whole = user;
    return gpuCheck(
        murCmdStats(bench->gpu.cmd, whole->trial.table, trialArray(&whole->trial.stats)),
        "counting");
}

static bool setupSums(Bench *bench, void *user) {
    const Whole *whole = user;
    vkCmdFillBuffer(bench->gpu.cmd, whole->sums.buffer, 0, VK_WHOLE_SIZE, 0);
    gpuTransferBarrier(&bench->gpu);
    return true;
}

static bool runIterate(Bench *bench, void *user) {
    const Whole *whole = user;
    benchDispatch(bench, &whole->iterate, &whole->push, whole->push.invocations);
    gpuHostBarrier(&bench->gpu);
    return true;
}

/* ---- Verification --------------------------------------------------------------------------- */

static bool verifyClear(Whole *whole) {
    MurStats stats;
    return trialStats(&whole->trial, &stats) &&
           (stats.live + stats.erased == 0 ||
            sayError("clear: %u entries are left", stats.live + stats.erased));
}

/* The timed command's own figures. */
static bool verifyStats(Whole *whole) {
    const MurStats *stats = whole->trial.stats.mapped;
    return (stats->live == whole->trial.pairs && stats->erased == 0 &&
            stats->probeSum >= stats->live) ||
           sayError("stats: %u live entries instead of %u", stats->live, whole->trial.pairs);
}

/* As many as there are, each with the value that follows from its key; and each can be erased, so
 * none came twice, and none is left. Leaves the table without entries. */
static bool verifyExtract(Whole *whole) {
    const Trial *trial = &whole->trial;
    Bench *bench = trial->bench;
    const uint32_t count = *(const uint32_t *)whole->count.mapped;
    if (count != trial->pairs) {
        return sayError("extract: %u entries instead of %u", count, trial->pairs);
    }
    const Pairs extracted = {.keys = whole->keys, .count = count};
    const MurBatch items = {
        .maxCount = count,
        .keys = trialArray(&whole->keys),
        .statuses = trialArray(&trial->statuses),
    };
    return checksValues(&whole->checks, "extract", &extracted, &trial->values) &&
           gpuBegin(&bench->gpu) &&
           gpuCheck(murCmdErase(bench->gpu.cmd, trial->table, &items), "erasing") &&
           gpuSubmit(&bench->gpu) &&
           benchVerify(bench, "extract", &trial->statuses, 0, count, EXPECT_CONSTANT, MUR_ERASED);
}

static bool verifyIterate(Whole *whole) {
    const IterateSums *sums = whole->sums.mapped;
    const IterateSums *expected = &whole->expected;
    return memcmp(sums, expected, sizeof *sums) == 0 ||
           sayError("iterate: %u entries, sums %08x and %08x instead of %u, %08x and %08x",
                    sums->entries, sums->keys, sums->values, expected->entries, expected->keys,
                    expected->values);
}

/* ---- Rows ----------------------------------------------------------------------------------- */

/* bytes: what the pass must read and write at least. */
static bool wholeRow(Whole *whole, const char *operation, const Timed *timed, double bytes,
                     bool (*verify)(Whole *whole)) {
    Trial *trial = &whole->trial;
    const char *state;
    Timing timing;
    memset(whole->count.mapped, 0xFF, (size_t)whole->count.size);
    if (!trialFill(trial) || !trialForget(trial) || !trialState(trial, NULL, NULL, &state)) {
        return false;
    }
    memset(trial->stats.mapped, 0xFF, (size_t)trial->stats.size);
    if (!benchTime(trial->bench, timed, &timing) || !verify(whole)) {
        return false;
    }
    Row row = trialRow(trial, operation, state, trial->pairs, timing);
    row.rate = 1e-6 * bytes / timing.milliseconds;
    row.unit = "GB/s";
    return benchCopyCeiling(trial->bench, 1, &row) && benchRow(trial->bench, &row);
}

/* Timed statistics are read by the host. */
static bool runStatsForHost(Bench *bench, void *user) {
    const bool done = runStats(bench, user);
    gpuHostBarrier(&bench->gpu);
    return done;
}

static bool runExtractForHost(Bench *bench, void *user) {
    const bool done = runExtract(bench, user);
    gpuHostBarrier(&bench->gpu);
    return done;
}

static bool passes(Whole *whole) {
    const double table = 8 * (double)whole->trial.capacity;
    const double pairs = 8 * (double)whole->trial.pairs;
    return wholeRow(whole, "clear", &(Timed){NULL, runClear, whole}, table, verifyClear) &&
           wholeRow(whole, "extract", &(Timed){NULL, runExtractForHost, whole}, table + pairs,
                    verifyExtract) &&
           wholeRow(whole, "stats", &(Timed){NULL, runStatsForHost, whole}, table, verifyStats) &&
           wholeRow(whole, "iterate", &(Timed){setupSums, runIterate, whole}, table, verifyIterate);
}

/* What iterating should add up to, by the host: see shaders/pair.glsl. */
static IterateSums expectedSums(uint32_t pairs) {
    IterateSums sums = {.entries = pairs};
    for (uint32_t i = 0; i < pairs; ++i) {
        const uint32_t key = mur_hash(i, 0x9E3779B9u);
        sums.keys += key;
        sums.values += (key * 0x9E3779B1u >> 1) + 1u;
    }
    return sums;
}

static bool open(Whole *whole, Bench *bench, uint32_t pairs) {
    Gpu *gpu = &bench->gpu;
    Trial *trial = &whole->trial;
    if (!trialOpen(trial, bench, "whole", trialWidth(bench), 2 * (uint64_t)pairs, pairs) ||
        !checksOpen(&whole->checks, bench)) {
        return false;
    }
    gpuDestroyBuffer(gpu, &trial->source.values);
    whole->expected = expectedSums(pairs);
    if (!checksMakeKeys(&whole->checks, KEYS_GIVEN, 0, &trial->source) ||
        !gpuCreateKernel(gpu, "iterate", bench_spv_iterate, bench_spv_iterate_size,
                         sizeof(IteratePush), &whole->iterate) ||
        !gpuCreateBuffer(gpu, 4 * (VkDeviceSize)pairs, GPU_DEVICE, "extracted", &whole->keys) ||
        !gpuCreateBuffer(gpu, 4, GPU_HOST, "count", &whole->count) ||
        !gpuCreateBuffer(gpu, sizeof(IterateSums), GPU_HOST, "sums", &whole->sums)) {
        return false;
    }
    whole->push = (IteratePush){
        .table = murGetTableRef(trial->table),
        .sums = whole->sums.address,
        .invocations = bench->options.quick ? 1u << 10 : 1u << 20,
    };
    return true;
}

bool suiteWhole(Bench *bench) {
    Whole whole = {0};
    bool done = open(&whole, bench, bench->options.quick ? 1u << 12 : 1u << 26) && passes(&whole);
    checksClose(&whole.checks);
    gpuDestroyKernel(&bench->gpu, &whole.iterate);
    gpuDestroyBuffer(&bench->gpu, &whole.keys);
    gpuDestroyBuffer(&bench->gpu, &whole.count);
    gpuDestroyBuffer(&bench->gpu, &whole.sums);
    trialClose(&whole.trial);
    return done;
}
