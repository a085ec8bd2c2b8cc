/* Rate by size, at load 0.5. SPDX-License-Identifier: MIT */
#include "operations.h"

static const Operation filling[] = {OPERATION_INSERT, OPERATION_INSERT_STATUSES,
                                    OPERATION_INSERT_SCRATCH, OPERATION_INSERT_EXCLUSIVE,
                                    OPERATION_COUNT};
static const Operation building[] = {OPERATION_BUILD, OPERATION_COUNT};
/* On a full table. Erasing leaves half of it, the one after the next brings that back. */
static const Operation inUse[] = {OPERATION_FIND_HIT,
                                  OPERATION_FIND_MISS,
                                  OPERATION_FIND_HIT_SCRATCH,
                                  OPERATION_FIND_MISS_SCRATCH,
                                  OPERATION_ERASE,
                                  OPERATION_FIND_ERASED,
                                  OPERATION_REINSERT,
                                  OPERATION_ERASE_SCRATCH,
                                  OPERATION_REINSERT_SCRATCH,
                                  OPERATION_INSERT_HALF,
                                  OPERATION_INSERT_HALF_SCRATCH,
                                  OPERATION_INSERT_HALF_EXCLUSIVE,
                                  OPERATION_COUNT};

static bool inState(Trial *trial, Fill fill) {
    trial->fill = fill;
    return trialFill(trial) && operationRows(trial, inUse);
}

static bool oneSize(Bench *bench, MurAtomicWidth width, uint32_t log2) {
    Trial trial = {.uses = TRIAL_SCRATCH | TRIAL_BUILD};
    const uint32_t pairs = 1u << log2;
    bool done = trialOpen(&trial, bench, "size", width, 2 * (uint64_t)pairs, pairs) &&
                operationRows(&trial, filling) && operationRows(&trial, building) &&
                inState(&trial, FILL_DIRECT) &&
                (!trialCanOrder(&trial) || inState(&trial, FILL_ORDERED));
    trialClose(&trial);
    return done;
}

/* Every second power of two, from 2^26 on every one: caches are far behind there, and memory is
 * what ends. */
bool suiteSize(Bench *bench) {
    const bool wide = (bench->gpu.features & MUR_FEATURE_INT64_ATOMICS) != 0;
    const uint32_t last = bench->options.maxLog2;
    for (uint32_t log2 = bench->options.minLog2; log2 <= last; log2 += log2 < 26 ? 2 : 1) {
        if ((wide && !oneSize(bench, MUR_ATOMIC_WIDTH_64, log2)) ||
            !oneSize(bench, MUR_ATOMIC_WIDTH_32, log2)) {
            return false;
        }
    }
    return true;
}
