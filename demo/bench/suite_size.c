/* Suites size and load: the operations of a table by its size, format and load.
 * SPDX-License-Identifier: MIT */
#include "operations.h"

/* Operations from an empty table on. */
static const Operation fromEmpty[] = {OPERATION_INSERT,         OPERATION_INSERT_STATUSES,
                                      OPERATION_INSERT_SCRATCH, OPERATION_INSERT_EXCLUSIVE,
                                      OPERATION_BUILD,          OPERATION_COUNT};
/* Operations on a full table. The erase removes half of it, and the second operation after it
 * restores the table. */
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
static const Operation finding[] = {OPERATION_FIND_HIT, OPERATION_FIND_MISS,
                                    OPERATION_FIND_HIT_SCRATCH, OPERATION_FIND_MISS_SCRATCH,
                                    OPERATION_COUNT};
/* Operations of the formats that have no builds. */
static const Operation ofFormat[] = {OPERATION_INSERT,         OPERATION_INSERT_STATUSES,
                                     OPERATION_INSERT_SCRATCH, OPERATION_INSERT_STATUSES_SCRATCH,
                                     OPERATION_FIND_HIT,       OPERATION_FIND_MISS,
                                     OPERATION_CONTAINS_HIT,   OPERATION_CONTAINS_MISS,
                                     OPERATION_COUNT};

/* Adds the rows of a table: of a list, and of another list in both states (NULL: none). */
static bool oneTable(Bench *bench, const char *suite, MurTableCreateInfo info, double load,
                     const Operation *list, const Operation *inStates) {
    Trial trial = {0};
    const bool done =
        (info.atomicWidth == MUR_ATOMIC_WIDTH_64 && !trialWide(bench)) ||
        (trialOpen(&trial, bench, suite, info, (uint32_t)((double)info.capacity * load)) &&
         operationRows(&trial, list) && (!inStates || operationRowsInStates(&trial, inStates)));
    if (trial.bench) {
        trialClose(&trial);
    }
    return done;
}

/* Tests every second power of two, and from 2^26 on every power: these sizes exceed caches by far,
 * and approach the memory's size. Other formats have two sizes. */
bool suiteSize(Bench *bench) {
    static const struct {
        MurType (*type)(void);
        MurAtomicWidth width;
    } formats[] = {{murTypeK64V32, MUR_ATOMIC_WIDTH_64},
                   {murTypeK64V32, MUR_ATOMIC_WIDTH_32},
                   {murTypeK64V64, MUR_ATOMIC_WIDTH_64},
                   {murTypeK64, MUR_ATOMIC_WIDTH_64},
                   {murTypeK32, MUR_ATOMIC_WIDTH_32}};
    const uint32_t last = bench->options.maxLog2, first = bench->options.quick ? 10 : 24;
    bool done = true;
    for (uint32_t log2 = bench->options.minLog2; log2 <= last && done; log2 += log2 < 26 ? 2 : 1) {
        for (int wide = 1; done && wide >= 0; --wide) {
            const MurAtomicWidth width = wide ? MUR_ATOMIC_WIDTH_64 : MUR_ATOMIC_WIDTH_32;
            done = oneTable(bench, "size",
                            trialInfo(2ull << log2, width, TRIAL_SCRATCH | TRIAL_BUILD), 0.5,
                            fromEmpty, inUse);
        }
    }
    for (uint32_t log2 = first; log2 <= first + 2 && log2 <= last; log2 += 2) {
        for (size_t i = 0; i < sizeof formats / sizeof formats[0] && done; ++i) {
            MurTableCreateInfo info = trialInfo(2ull << log2, formats[i].width, TRIAL_SCRATCH);
            info.type = formats[i].type();
            done = oneTable(bench, "size", info, 0.5, ofFormat, NULL);
        }
    }
    return done;
}

bool suiteLoad(Bench *bench) {
    static const double loads[] = {0.5, 0.6, 0.7, 0.8, 0.9, 0.95};
    const MurTableCreateInfo info = trialInfo(bench->options.quick ? 1u << 10 : 1u << 25,
                                              trialWidth(bench), TRIAL_SCRATCH | TRIAL_BUILD);
    bool done = true;
    for (size_t i = 0; i < sizeof loads / sizeof loads[0] && done; ++i) {
        done = oneTable(bench, "load", info, loads[i], fromEmpty, finding);
    }
    return done;
}
