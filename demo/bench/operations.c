/* The timed operations of a table.
 *
 * SPDX-License-Identifier: MIT */
#include "operations.h"
#include "common/say.h"

#include <string.h>

static uint32_t half(const Trial *trial) {
    return trial->pairs / 2;
}

static MurArray insertScratch(const Trial *trial, uint32_t count) {
    return trialScratch(trial, MUR_COMMAND_INSERT, count);
}

/* ---- Setups --------------------------------------------------------------------------------- */

static bool setupEmpty(Bench *bench, void *user) {
    (void)bench;
    return trialRecordClear(user);
}

static bool setupFull(Bench *bench, void *user) {
    const Trial *trial = user;
    const MurBatch items = trialBatch(trial, 0, half(trial));
    const bool done = trialRecordInsert(trial, &items);
    gpuComputeBarrier(&bench->gpu);
    return done;
}

static bool setupOthers(Bench *bench, void *user) {
    const Trial *trial = user;
    (void)bench;
    return trialRecordFill(trial, half(trial), trial->pairs - half(trial));
}

static bool recordErase(const Trial *trial, bool statuses, bool scratch) {
    MurBatch items = trialBatch(trial, 0, half(trial));
    items.values = (MurArray){0};
    if (scratch) {
        items.scratch = trialScratch(trial, MUR_COMMAND_ERASE, half(trial));
    }
    if (statuses) {
        items.statuses = trialArray(&trial->statuses);
    }
    return gpuCheck(murCmdErase(trial->bench->gpu.cmd, trial->table, &items), "erasing");
}

static bool setupErased(Bench *bench, void *user) {
    const bool done = recordErase(user, false, false);
    gpuComputeBarrier(&bench->gpu);
    return done;
}

/* ---- Timed ---------------------------------------------------------------------------------- */

static bool insert(const Trial *trial, uint32_t count, bool statuses, bool scratch) {
    MurBatch items = trialBatch(trial, 0, count);
    if (statuses) {
        items.statuses = trialArray(&trial->statuses);
    }
    if (scratch) {
        items.scratch = insertScratch(trial, count);
        items.flags = MUR_BATCH_EXCLUSIVE;
    }
    return trialRecordInsert(trial, &items);
}

static bool runInsert(Bench *bench, void *user) {
    const Trial *trial = user;
    (void)bench;
    return insert(trial, trial->pairs, false, false);
}

static bool runInsertStatuses(Bench *bench, void *user) {
    const Trial *trial = user;
    (void)bench;
    return insert(trial, trial->pairs, true, false);
}

static bool runInsertScratch(Bench *bench, void *user) {
    const Trial *trial = user;
    (void)bench;
    return insert(trial, trial->pairs, false, true);
}

static bool runInsertHalf(Bench *bench, void *user) {
    (void)bench;
    return insert(user, half(user), false, false);
}

static bool runInsertHalfScratch(Bench *bench, void *user) {
    (void)bench;
    return insert(user, half(user), false, true);
}

static bool runReinsert(Bench *bench, void *user) {
    (void)bench;
    return insert(user, half(user), true, false);
}

static bool runReinsertScratch(Bench *bench, void *user) {
    (void)bench;
    return insert(user, half(user), true, true);
}

static bool runBuild(Bench *bench, void *user) {
    const Trial *trial = user;
    MurBatch items = trialBatch(trial, 0, trial->pairs);
    items.scratch = trialScratch(trial, MUR_COMMAND_BUILD, trial->pairs);
    return gpuCheck(murCmdBuild(bench->gpu.cmd, trial->table, MUR_MODE_ASSIGN, &items),
                    "building");
}

static bool runFindHit(Bench *bench, void *user) {
    (void)bench;
    return trialRecordFind(user, 0);
}

static bool runFindMiss(Bench *bench, void *user) {
    const Trial *trial = user;
    (void)bench;
    return trialRecordFind(trial, trial->pairs);
}

static bool findScratch(const Trial *trial, uint32_t first) {
    MurBatch items = trialBatch(trial, first, trial->pairs);
    items.values = trialArray(&trial->values);
    items.scratch = trialScratch(trial, MUR_COMMAND_FIND, trial->pairs);
    return gpuCheck(murCmdFind(trial->bench->gpu.cmd, trial->table, &items), "finding");
}

static bool runFindHitScratch(Bench *bench, void *user) {
    (void)bench;
    return findScratch(user, 0);
}

static bool runFindMissScratch(Bench *bench, void *user) {
    const Trial *trial = user;
    (void)bench;
    return findScratch(trial, trial->pairs);
}

static bool runErase(Bench *bench, void *user) {
    (void)bench;
    return recordErase(user, true, false);
}

static bool runEraseScratch(Bench *bench, void *user) {
    (void)bench;
    return recordErase(user, true, true);
}

/* ---- Verified ------------------------------------------------------------------------------- */

static bool statusesAre(const Trial *trial, const char *name, uint32_t count, uint32_t status) {
    return benchVerify(trial->bench, name, &trial->statuses, 0, count, EXPECT_CONSTANT, status);
}

static bool verifyPairs(const Trial *trial, const char *name) {
    return trialHoldsPairs(trial, name);
}

static bool verifyInserted(const Trial *trial, const char *name) {
    return statusesAre(trial, name, trial->pairs, MUR_INSERTED) && trialHoldsPairs(trial, name);
}

static bool verifyReinserted(const Trial *trial, const char *name) {
    return statusesAre(trial, name, half(trial), MUR_INSERTED) && trialHoldsPairs(trial, name);
}

static bool verifyErased(const Trial *trial, const char *name) {
    MurStats stats;
    if (!statusesAre(trial, name, half(trial), MUR_ERASED) || !trialStats(trial, &stats)) {
        return false;
    }
    return stats.live == trial->pairs - half(trial) ||
           sayError("%s: the table holds %u entries instead of %u", name, stats.live,
                    trial->pairs - half(trial));
}

static bool verifyHits(const Trial *trial, const char *name) {
    return benchVerify(trial->bench, name, &trial->values, 0, trial->pairs, EXPECT_VALUES, 0);
}

static bool verifyMisses(const Trial *trial, const char *name) {
    return benchVerify(trial->bench, name, &trial->values, 0, trial->pairs, EXPECT_CONSTANT,
                       UINT32_MAX);
}

static bool verifyHalf(const Trial *trial, const char *name) {
    return benchVerify(trial->bench, name, &trial->values, 0, half(trial), EXPECT_CONSTANT,
                       UINT32_MAX) &&
           benchVerify(trial->bench, name, &trial->values, half(trial), trial->pairs - half(trial),
                       EXPECT_VALUES, 0);
}

/* ---- Rows ----------------------------------------------------------------------------------- */

typedef enum Scratch {
    SCRATCH_NONE,
    SCRATCH_INSERT,
    SCRATCH_ERASE,
    SCRATCH_FIND,
    SCRATCH_BUILD
} Scratch;

static const struct {
    const char *name;
    const char *variant; /* after the atomic width */
    bool (*setup)(Bench *bench, void *user);
    bool (*run)(Bench *bench, void *user);
    bool (*verify)(const Trial *trial, const char *name);
    bool half;  /* half of the pairs are timed */
    bool reads; /* random reads bound it, not compare-and-swaps */
    Scratch scratch;
} operations[OPERATION_COUNT] = {
    [OPERATION_INSERT] = {"insert", "", setupEmpty, runInsert, verifyPairs, false, false, 0},
    [OPERATION_INSERT_STATUSES] = {"insert", ", statuses", setupEmpty, runInsertStatuses,
                                   verifyInserted, false, false, 0},
    [OPERATION_INSERT_SCRATCH] = {"insert", ", exclusive, scratch", setupEmpty, runInsertScratch, verifyPairs,
                                  false, false, SCRATCH_INSERT},
    [OPERATION_BUILD] = {"build", "", NULL, runBuild, verifyPairs, false, false, SCRATCH_BUILD},
    [OPERATION_FIND_HIT] = {"find hit", "", NULL, runFindHit, verifyHits, false, true, 0},
    [OPERATION_FIND_MISS] = {"find miss", "", NULL, runFindMiss, verifyMisses, false, true, 0},
    [OPERATION_FIND_HIT_SCRATCH] = {"find hit", ", scratch", NULL, runFindHitScratch, verifyHits,
                                    false, true, SCRATCH_FIND},
    [OPERATION_FIND_MISS_SCRATCH] = {"find miss", ", scratch", NULL, runFindMissScratch,
                                     verifyMisses, false, true, SCRATCH_FIND},
    [OPERATION_ERASE] = {"erase half", ", statuses", setupFull, runErase, verifyErased, true, false,
                         0},
    [OPERATION_ERASE_SCRATCH] = {"erase half", ", statuses, scratch", setupFull, runEraseScratch,
                                 verifyErased, true, false, SCRATCH_ERASE},
    [OPERATION_FIND_ERASED] = {"find after erase", "", setupErased, runFindHit, verifyHalf, false,
                               true, 0},
    [OPERATION_REINSERT] = {"reinsert", ", statuses", setupErased, runReinsert, verifyReinserted,
                            true, false, 0},
    [OPERATION_REINSERT_SCRATCH] = {"reinsert", ", statuses, exclusive, scratch", setupErased,
                                    runReinsertScratch, verifyReinserted, true, false,
                                    SCRATCH_INSERT},
    [OPERATION_INSERT_HALF] = {"insert half", "", setupOthers, runInsertHalf, verifyPairs, true,
                               false, 0},
    [OPERATION_INSERT_HALF_SCRATCH] = {"insert half", ", exclusive, scratch", setupOthers,
                                       runInsertHalfScratch, verifyPairs, true, false,
                                       SCRATCH_INSERT},
};

static uint32_t itemsOf(const Trial *trial, Operation operation) {
    return operations[operation].half ? half(trial) : trial->pairs;
}

uint64_t operationScratch(const Trial *trial, Operation operation) {
    const uint32_t items = itemsOf(trial, operation);
    switch (operations[operation].scratch) {
    case SCRATCH_INSERT:
        return insertScratch(trial, items).size;
    case SCRATCH_ERASE:
        return trialScratch(trial, MUR_COMMAND_ERASE, items).size;
    case SCRATCH_FIND:
        return trialScratch(trial, MUR_COMMAND_FIND, items).size;
    case SCRATCH_BUILD:
        return trialScratch(trial, MUR_COMMAND_BUILD, items).size;
    default:
        return 0;
    }
}

bool operationMeasure(Trial *trial, Operation operation, Row *row) {
    const char *name = operations[operation].name;
    const bool replaces = operations[operation].scratch == SCRATCH_BUILD;
    const Timed timed = {operations[operation].setup, operations[operation].run, trial};
    const char *state;
    Timing timing;
    /* A build replaces the content: what tells of it is the state that it leaves. */
    if (!trialForget(trial) || (!replaces && !trialState(trial, timed.setup, trial, &state)) ||
        !benchTime(trial->bench, &timed, &timing) || !operations[operation].verify(trial, name) ||
        (replaces && !trialState(trial, NULL, NULL, &state))) {
        return false;
    }
    *row = trialRow(trial, name, state, itemsOf(trial, operation), timing);
    row->scratch = operationScratch(trial, operation);
    strncat(row->variant, operations[operation].variant,
            sizeof row->variant - strlen(row->variant) - 1);
    const Ceiling ceiling = operations[operation].reads           ? CEILING_READ_8
                            : trial->width == MUR_ATOMIC_WIDTH_64 ? CEILING_CAS_64
                                                                  : CEILING_CAS_32;
    return benchCeiling(trial->bench, ceiling, 8 * trial->capacity, row);
}

bool operationRow(Trial *trial, Operation operation) {
    Row row;
    const Scratch scratch = operations[operation].scratch;
    if (scratch != SCRATCH_NONE && scratch != SCRATCH_BUILD &&
        !operationScratch(trial, operation)) {
        return true;
    }
    return operationMeasure(trial, operation, &row) && benchRow(trial->bench, &row);
}

bool operationRows(Trial *trial, const Operation *list) {
    for (; *list != OPERATION_COUNT; ++list) {
        if (!operationRow(trial, *list)) {
            return false;
        }
    }
    return true;
}
