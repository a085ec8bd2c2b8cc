/* Rate and probe lengths by load: one table filled to each load, and a staircase that goes on
 * inserting into one table. SPDX-License-Identifier: MIT */
#include "operations.h"
#include "common/say.h"

#include <string.h>

static const Operation filling[] = {OPERATION_INSERT, OPERATION_INSERT_SCRATCH,
                                    OPERATION_INSERT_EXCLUSIVE, OPERATION_BUILD, OPERATION_COUNT};
static const Operation finding[] = {OPERATION_FIND_HIT, OPERATION_FIND_MISS,
                                    OPERATION_FIND_HIT_SCRATCH, OPERATION_FIND_MISS_SCRATCH,
                                    OPERATION_COUNT};

static bool inState(Trial *trial, Fill fill) {
    trial->fill = fill;
    return trialFill(trial) && operationRows(trial, finding);
}

static bool oneLoad(Bench *bench, uint64_t capacity, double load) {
    Trial trial = {.uses = TRIAL_SCRATCH | TRIAL_BUILD};
    bool done = trialOpen(&trial, bench, "load", trialWidth(bench), capacity,
                          (uint32_t)((double)capacity * load)) &&
                operationRows(&trial, filling) && inState(&trial, FILL_DIRECT) &&
                (!trialCanOrder(&trial) || inState(&trial, FILL_ORDERED));
    trialClose(&trial);
    return done;
}

/* One step of the staircase: a slice of the pairs goes into what is there already, so each step can
 * be timed only once. With statuses, which tell that all were inserted. */
static bool recordStep(const Trial *trial, uint32_t first, uint32_t count) {
    Gpu *gpu = &trial->bench->gpu;
    MurBatch items = trialBatch(trial, first, count);
    items.statuses = (MurArray){trial->statuses.address + 4 * (VkDeviceAddress)first,
                                4 * (VkDeviceSize)count};
    gpuTimestamp(gpu, 0);
    const bool done = trialRecordInsert(trial, &items);
    gpuTimestamp(gpu, 1);
    return done;
}

static bool step(Trial *trial, uint32_t first, uint32_t count) {
    Gpu *gpu = &trial->bench->gpu;
    Clocks *clocks = &trial->bench->clocks;
    const char *state;
    MurStats stats;
    Timing timing;
    if (!trialState(trial, NULL, NULL, &state) || !clocksBefore(clocks, 0) || !gpuBegin(gpu) ||
        !recordStep(trial, first, count) || !gpuSubmit(gpu)) {
        return false;
    }
    timing.milliseconds = gpuMilliseconds(gpu, 0, 1);
    if (timing.milliseconds <= 0 || !clocksAfter(clocks, &timing.clocks) ||
        !trialStats(trial, &stats)) {
        return false;
    }
    if (stats.live != first + count) {
        return sayError("staircase: the table holds %u entries instead of %u", stats.live,
                        first + count);
    }
    if (!benchVerify(trial->bench, "staircase", &trial->statuses, first, count, EXPECT_CONSTANT,
                     MUR_INSERTED)) {
        return false;
    }
    Row row = trialRow(trial, "insert step", state, count, timing);
    row.load = (double)(first + count) / (double)trial->capacity;
    row.probeMean = (double)stats.probeSum / (double)stats.live;
    row.probeMax = stats.probeMax;
    row.reps = 1;
    strncat(row.variant, ", statuses", sizeof row.variant - strlen(row.variant) - 1);
    return benchCeiling(trial->bench,
                        trial->width == MUR_ATOMIC_WIDTH_64 ? CEILING_CAS_64 : CEILING_CAS_32,
                        8 * trial->capacity, &row) &&
           benchRow(trial->bench, &row);
}

static bool climb(Trial *trial, uint32_t perStep) {
    Gpu *gpu = &trial->bench->gpu;
    bool done = trialForget(trial) && gpuBegin(gpu) && trialRecordClear(trial) && gpuSubmit(gpu);
    for (uint32_t first = 0; done && first < trial->pairs; first += perStep) {
        const uint32_t rest = trial->pairs - first;
        sayProgress("staircase", first, trial->pairs);
        done = step(trial, first, rest < perStep ? rest : perStep);
    }
    return done && trialHoldsPairs(trial, "staircase");
}

static bool staircase(Bench *bench, uint64_t capacity, uint32_t perStep) {
    Trial trial = {.uses = TRIAL_SCRATCH | TRIAL_BUILD};
    bool done = trialOpen(&trial, bench, "load", trialWidth(bench), capacity,
                          (uint32_t)(0.97 * (double)capacity)) &&
                climb(&trial, perStep) && operationRows(&trial, finding);
    trialClose(&trial);
    return done;
}

bool suiteLoad(Bench *bench) {
    static const double loads[] = {0.5, 0.6, 0.7, 0.8, 0.9, 0.95};
    const uint64_t capacity = bench->options.quick ? 1u << 12 : 1u << 25;
    for (size_t i = 0; i < sizeof loads / sizeof loads[0]; ++i) {
        if (!oneLoad(bench, capacity, loads[i])) {
            return false;
        }
    }
    return bench->options.quick ? staircase(bench, 1u << 13, 1u << 10)
                                : staircase(bench, 1u << 27, 1u << 22);
}
