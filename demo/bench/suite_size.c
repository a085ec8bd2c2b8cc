/* Rate by size, at load 0.5. SPDX-License-Identifier: MIT */
#include "operations.h"

static bool oneSize(Bench *bench, MurAtomicWidth width, uint32_t log2) {
    Trial trial = {0};
    const uint32_t pairs = 1u << log2;
    bool done = trialOpen(&trial, bench, "size", width, 2 * (uint64_t)pairs, pairs, 0) &&
                trialInsert(&trial, false) && trialInsert(&trial, true) && trialFindHit(&trial) &&
                trialFindMiss(&trial) && trialErase(&trial) && trialFindAfterErase(&trial) &&
                trialReinsert(&trial);
    trialClose(&trial);
    return done;
}

bool suiteSize(Bench *bench) {
    bool wide = (bench->gpu.features & MUR_FEATURE_INT64_ATOMICS) != 0;
    for (uint32_t log2 = bench->options.minLog2; log2 <= bench->options.maxLog2; log2 += 2) {
        if ((wide && !oneSize(bench, MUR_ATOMIC_WIDTH_64, log2)) ||
            !oneSize(bench, MUR_ATOMIC_WIDTH_32, log2)) {
            return false;
        }
    }
    return true;
}
