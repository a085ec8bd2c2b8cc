/* Rate and probe lengths by load: one table filled to each load, and a staircase that goes on
 * inserting into one table. SPDX-License-Identifier: MIT */
#include "operations.h"
#include "common/say.h"

static MurAtomicWidth bestWidth(const Bench *bench) {
    bool wide = (bench->gpu.features & MUR_FEATURE_INT64_ATOMICS) != 0;
    return wide ? MUR_ATOMIC_WIDTH_64 : MUR_ATOMIC_WIDTH_32;
}

static bool oneLoad(Bench *bench, uint64_t capacity, double load) {
    Trial trial = {0};
    bool done = trialOpen(&trial, bench, "load", bestWidth(bench), capacity,
                          (uint32_t)((double)capacity * load), 0) &&
                trialInsert(&trial, false) && trialFindHit(&trial) && trialFindMiss(&trial) &&
                trialBuild(&trial, false) && trialBuild(&trial, true) && trialFindHit(&trial) &&
                trialFindMiss(&trial);
    trialClose(&trial);
    return done;
}

/* One step of the staircase: a slice of the pairs goes into what is there already, so each step can
 * be timed only once. */
static bool step(Trial *trial, uint32_t first, uint32_t count) {
    Gpu *gpu = &trial->bench->gpu;
    const VkDeviceSize offset = 4 * (VkDeviceSize)first;
    const VkDeviceSize size = 4 * (VkDeviceSize)count;
    const MurBatch items = {
        .maxCount = count,
        .keys = {trial->source.keys.address + offset, size},
        .values = {trial->source.values.address + offset, size},
        .statuses = {trial->statuses.address + offset, size},
    };
    if (!gpuBegin(gpu)) {
        return false;
    }
    gpuTimestamp(gpu, 0);
    if (!gpuCheck(murCmdInsert(gpu->cmd, trial->table, MUR_INSERT_ASSIGN, &items), "inserting")) {
        return false;
    }
    gpuTimestamp(gpu, 1);
    MurStats stats;
    double milliseconds = gpuSubmit(gpu) ? gpuMilliseconds(gpu, 0, 1) : -1;
    if (milliseconds <= 0 || !trialStats(trial, &stats) ||
        !benchVerify(trial->bench, "staircase", &trial->statuses, first, count, EXPECT_CONSTANT,
                     MUR_INSERTED)) {
        return false;
    }
    Row row = {.suite = "load",
               .operation = "insert step",
               .variant = "direct, statuses, timed once",
               .pairs = count,
               .capacity = trial->capacity,
               .load = (double)(first + count) / (double)trial->capacity,
               .milliseconds = milliseconds,
               .rate = 1e-6 * count / milliseconds,
               .unit = "G/s",
               .probeMean = (double)stats.probeSum / (double)stats.live,
               .probeMax = stats.probeMax};
    return benchRow(trial->bench, &row);
}

static bool staircase(Bench *bench, uint64_t capacity, uint32_t perStep) {
    Trial trial = {0};
    const uint32_t pairs = (uint32_t)(0.97 * (double)capacity);
    bool done = trialOpen(&trial, bench, "load", bestWidth(bench), capacity, pairs, 0) &&
                gpuBegin(&bench->gpu) &&
                gpuCheck(murCmdClear(bench->gpu.cmd, trial.table), "clearing") &&
                gpuSubmit(&bench->gpu);
    for (uint32_t first = 0; done && first < pairs; first += perStep) {
        sayProgress("staircase", first, pairs);
        done = step(&trial, first, pairs - first < perStep ? pairs - first : perStep);
    }
    done = done && trialFindHit(&trial);
    trialClose(&trial);
    return done;
}

bool suiteLoad(Bench *bench) {
    static const double loads[] = {0.5, 0.6, 0.7, 0.8, 0.9, 0.95};
    const uint64_t capacity = bench->options.quick ? 1u << 15 : 1u << 25;
    for (size_t i = 0; i < sizeof loads / sizeof loads[0]; ++i) {
        if (!oneLoad(bench, capacity, loads[i])) {
            return false;
        }
    }
    return bench->options.quick ? staircase(bench, 1u << 16, 1u << 13)
                                : staircase(bench, 1u << 27, 1u << 22);
}
