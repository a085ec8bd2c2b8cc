/* Passes over a whole table against the bandwidth of a copy. SPDX-License-Identifier: MIT */
#include "operations.h"

#include "common/say.h"

typedef struct Whole {
    Trial trial;
    GpuBuffer keys; /* extracted */
    GpuBuffer count;
} Whole;

static bool runClear(Bench *bench, void *user) {
    const Whole *whole = user;
    return gpuCheck(murCmdClear(bench->gpu.cmd, whole->trial.table), "clearing");
}

static bool runExtract(Bench *bench, void *user) {
    const Whole *whole = user;
    const MurExtract extract = {
        .maxCount = whole->trial.pairs,
        .count = whole->count.address,
        .keys = {whole->keys.address, whole->keys.size},
        .values = {whole->trial.values.address, whole->trial.values.size},
    };
    return gpuCheck(murCmdExtract(bench->gpu.cmd, whole->trial.table, &extract), "extracting");
}

static bool runStats(Bench *bench, void *user) {
    const Whole *whole = user;
    const MurArray stats = {whole->trial.stats.address, whole->trial.stats.size};
    return gpuCheck(murCmdStats(bench->gpu.cmd, whole->trial.table, stats), "counting");
}

/* bytes: what the pass must read and write at least. */
static bool wholeRow(Bench *bench, Whole *whole, const char *operation, const Timed *timed,
                     double bytes) {
    Row row = {.suite = "whole",
               .operation = operation,
               .variant = "load 0.5",
               .pairs = whole->trial.pairs,
               .capacity = whole->trial.capacity,
               .load = whole->trial.load,
               .unit = "GB/s"};
    if (!benchTime(bench, timed, &row.milliseconds) || !benchCopyBandwidth(bench, &row.ceiling)) {
        return false;
    }
    row.rate = 1e-6 * bytes / row.milliseconds;
    return benchRow(bench, &row);
}

/* Every extracted key is found, with the value that was extracted beside it: then, their number
 * being right and keys in a table being distinct, the extraction is right. */
static bool verifyExtract(Bench *bench, Whole *whole) {
    Gpu *gpu = &bench->gpu;
    const Trial *trial = &whole->trial;
    const uint32_t count = *(const uint32_t *)whole->count.mapped;
    if (count != trial->pairs) {
        return sayError("extract: %u entries instead of %u", count, trial->pairs);
    }
    const MurBatch items = {
        .maxCount = count,
        .keys = {whole->keys.address, whole->keys.size},
        .statuses = {trial->statuses.address, trial->statuses.size},
    };
    return gpuBegin(gpu) && gpuCheck(murCmdFind(gpu->cmd, trial->table, &items), "finding") &&
           gpuSubmit(gpu) &&
           benchVerify(bench, "extract", &trial->statuses, 0, count, EXPECT_CONSTANT, MUR_FOUND);
}

static bool passes(Bench *bench, Whole *whole) {
    Trial *trial = &whole->trial;
    const double table = 8 * (double)trial->capacity;
    const double pairs = 8 * (double)trial->pairs;
    MurStats stats;
    return wholeRow(bench, whole, "clear", &(Timed){NULL, runClear, whole}, table) &&
           trialStats(trial, &stats) &&
           (stats.live == 0 || sayError("clear: %u entries are left", stats.live)) &&
           trialFill(trial) &&
           wholeRow(bench, whole, "extract", &(Timed){NULL, runExtract, whole}, table + pairs) &&
           verifyExtract(bench, whole) &&
           wholeRow(bench, whole, "stats", &(Timed){NULL, runStats, whole}, table) &&
           trialStats(trial, &stats) &&
           (stats.live == trial->pairs || sayError("stats: %u live entries", stats.live));
}

bool suiteWhole(Bench *bench) {
    Whole whole = {0};
    const uint32_t pairs = bench->options.quick ? 1u << 14 : 1u << 26;
    MurAtomicWidth width = (bench->gpu.features & MUR_FEATURE_INT64_ATOMICS) ? MUR_ATOMIC_WIDTH_64
                                                                             : MUR_ATOMIC_WIDTH_32;
    bool done = trialOpen(&whole.trial, bench, "whole", width, 2 * (uint64_t)pairs, pairs, 0) &&
                gpuCreateBuffer(&bench->gpu, 4 * (VkDeviceSize)pairs, GPU_DEVICE, "extracted",
                                &whole.keys) &&
                gpuCreateBuffer(&bench->gpu, 4, GPU_HOST, "count", &whole.count) &&
                passes(bench, &whole);
    gpuDestroyBuffer(&bench->gpu, &whole.keys);
    gpuDestroyBuffer(&bench->gpu, &whole.count);
    trialClose(&whole.trial);
    return done;
}
