/* The timed operations of a table.
 *
 * SPDX-License-Identifier: MIT */
#include "operations.h"
#include "common/say.h"

#include <string.h>

typedef enum Command {
    COMMAND_INSERT = MUR_COMMAND_INSERT,
    COMMAND_BUILD = MUR_COMMAND_BUILD,
    COMMAND_FIND = MUR_COMMAND_FIND,
    COMMAND_ERASE = MUR_COMMAND_ERASE,
    COMMAND_REHASH
} Command;

/* What a command is given, and gives up. */
enum { ABSENT = 1, PART = 2, STATUSES = 4, SCRATCH = 8, EXCLUSIVE = 16 };

/* What is timed: an operation's command on its batch, made once. */
typedef struct Run {
    const Trial *trial;
    Command command;
    MurBatch items;
} Run;

/* ---- Recorded ------------------------------------------------------------------------------- */

static bool record(const Trial *trial, Command command, const MurBatch *items) {
    const VkCommandBuffer cmd = trial->bench->gpu.cmd;
    switch (command) {
    case COMMAND_INSERT:
        return trialRecordInsert(trial, items);
    case COMMAND_BUILD:
        return gpuCheck(murCmdBuild(cmd, trial->table, MUR_MODE_ASSIGN, items), "building");
    case COMMAND_FIND:
        return gpuCheck(murCmdFind(cmd, trial->table, items), "finding");
    case COMMAND_ERASE:
        return gpuCheck(murCmdErase(cmd, trial->table, items), "erasing");
    default:
        return gpuCheck(murCmdRehash(cmd, trial->table, trial->other, NULL), "rehashing");
    }
}

static bool run(Bench *bench, void *user) {
    const Run *timed = user;
    (void)bench;
    return record(timed->trial, timed->command, &timed->items);
}

static bool setupEmpty(Bench *bench, void *user) {
    const Run *timed = user;
    (void)bench;
    return trialRecordClear(timed->trial);
}

/* All pairs, when some of them may be erased. */
static bool setupFull(Bench *bench, void *user) {
    const Run *timed = user;
    const MurBatch items = trialBatch(timed->trial, 0, timed->trial->part);
    const bool done = record(timed->trial, COMMAND_INSERT, &items);
    gpuComputeBarrier(&bench->gpu);
    return done;
}

static bool setupErased(Bench *bench, void *user) {
    const Run *timed = user;
    MurBatch items = trialBatch(timed->trial, 0, timed->trial->part);
    items.values = (MurArray){0};
    const bool done = record(timed->trial, COMMAND_ERASE, &items);
    gpuComputeBarrier(&bench->gpu);
    return done;
}

static bool setupOthers(Bench *bench, void *user) {
    const Trial *trial = ((const Run *)user)->trial;
    (void)bench;
    return trialRecordFill(trial, trial->part, trial->pairs - trial->part);
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
    return statusesAre(trial, name, trial->part, MUR_INSERTED) && trialHoldsPairs(trial, name);
}

static bool verifyErased(const Trial *trial, const char *name) {
    MurStats stats;
    if (!statusesAre(trial, name, trial->part, MUR_ERASED) || !trialStats(trial, &stats)) {
        return false;
    }
    return stats.live == trial->pairs - trial->part ||
           sayError("%s: the table holds %u entries instead of %u", name, stats.live,
                    trial->pairs - trial->part);
}

static bool verifyHits(const Trial *trial, const char *name) {
    return benchVerify(trial->bench, name, &trial->values, 0, trial->pairs, EXPECT_VALUES, 0);
}

static bool verifyMisses(const Trial *trial, const char *name) {
    return benchVerify(trial->bench, name, &trial->values, 0, trial->pairs, EXPECT_CONSTANT,
                       UINT32_MAX);
}

static bool verifyRest(const Trial *trial, const char *name) {
    return benchVerify(trial->bench, name, &trial->values, 0, trial->part, EXPECT_CONSTANT,
                       UINT32_MAX) &&
           benchVerify(trial->bench, name, &trial->values, trial->part, trial->pairs - trial->part,
                       EXPECT_VALUES, 0);
}

static bool verifyMoved(const Trial *trial, const char *name) {
    Trial moved = *trial;
    moved.table = trial->other;
    return trialHoldsPairs(&moved, name);
}

/* ---- Rows ----------------------------------------------------------------------------------- */

static const struct {
    const char *name;
    const char *variant; /* after the atomic width */
    bool (*setup)(Bench *bench, void *user);
    bool (*verify)(const Trial *trial, const char *name);
    Command command;
    int given;
} operations[OPERATION_COUNT] = {
    [OPERATION_INSERT] = {"insert", "", setupEmpty, verifyPairs, COMMAND_INSERT, 0},
    [OPERATION_INSERT_STATUSES] = {"insert", ", statuses", setupEmpty, verifyInserted,
                                   COMMAND_INSERT, STATUSES},
    [OPERATION_INSERT_SCRATCH] = {"insert", ", scratch", setupEmpty, verifyPairs, COMMAND_INSERT,
                                  SCRATCH},
    [OPERATION_INSERT_EXCLUSIVE] = {"insert", ", exclusive, scratch", setupEmpty, verifyPairs,
                                    COMMAND_INSERT, SCRATCH | EXCLUSIVE},
    [OPERATION_BUILD] = {"build", "", NULL, verifyPairs, COMMAND_BUILD, SCRATCH},
    [OPERATION_FIND_HIT] = {"find hit", "", NULL, verifyHits, COMMAND_FIND, 0},
    [OPERATION_FIND_MISS] = {"find miss", "", NULL, verifyMisses, COMMAND_FIND, ABSENT},
    [OPERATION_FIND_HIT_SCRATCH] = {"find hit", ", scratch", NULL, verifyHits, COMMAND_FIND,
                                    SCRATCH},
    [OPERATION_FIND_MISS_SCRATCH] = {"find miss", ", scratch", NULL, verifyMisses, COMMAND_FIND,
                                     SCRATCH | ABSENT},
    [OPERATION_ERASE] = {"erase half", ", statuses", setupFull, verifyErased, COMMAND_ERASE,
                         PART | STATUSES},
    [OPERATION_ERASE_SCRATCH] = {"erase half", ", statuses, scratch", setupFull, verifyErased,
                                 COMMAND_ERASE, PART | STATUSES | SCRATCH},
    [OPERATION_FIND_ERASED] = {"find after erase", "", setupErased, verifyRest, COMMAND_FIND, 0},
    [OPERATION_REINSERT] = {"reinsert", ", statuses", setupErased, verifyReinserted, COMMAND_INSERT,
                            PART | STATUSES},
    [OPERATION_REINSERT_SCRATCH] = {"reinsert", ", statuses, scratch", setupErased,
                                    verifyReinserted, COMMAND_INSERT, PART | STATUSES | SCRATCH},
    [OPERATION_INSERT_HALF] = {"insert half", "", setupOthers, verifyPairs, COMMAND_INSERT, PART},
    [OPERATION_INSERT_HALF_SCRATCH] = {"insert half", ", scratch", setupOthers, verifyPairs,
                                       COMMAND_INSERT, PART | SCRATCH},
    [OPERATION_INSERT_HALF_EXCLUSIVE] = {"insert half", ", exclusive, scratch", setupOthers,
                                         verifyPairs, COMMAND_INSERT, PART | SCRATCH | EXCLUSIVE},
    [OPERATION_REHASH] = {"rehash", "", NULL, verifyMoved, COMMAND_REHASH, 0},
};

static Run prepare(const Trial *trial, Operation operation) {
    const Command command = operations[operation].command;
    const int given = operations[operation].given;
    Run timed = {trial, command,
                 trialBatch(trial, given & ABSENT ? trial->pairs : 0,
                            given & PART ? trial->part : trial->pairs)};
    if (command == COMMAND_FIND) {
        timed.items.values = trialArray(&trial->values);
    } else if (command == COMMAND_ERASE) {
        timed.items.values = (MurArray){0};
    }
    timed.items.statuses = given & STATUSES ? trialArray(&trial->statuses) : (MurArray){0};
    timed.items.flags = given & EXCLUSIVE ? MUR_BATCH_EXCLUSIVE : 0;
    if (given & SCRATCH) {
        trialLend(trial, (MurCommand)command, &timed.items);
    }
    return timed;
}

uint64_t operationScratch(const Trial *trial, Operation operation) {
    return prepare(trial, operation).items.scratch.size;
}

static Ceiling ceilingOf(const Trial *trial, Command command) {
    return command == COMMAND_FIND               ? CEILING_READ_8
           : trial->width == MUR_ATOMIC_WIDTH_64 ? CEILING_CAS_64
                                                 : CEILING_CAS_32;
}

bool operationMeasure(Trial *trial, Operation operation, Row *row) {
    const char *name = operations[operation].name;
    Run prepared = prepare(trial, operation);
    const Timed timed = {operations[operation].setup, run, &prepared};
    /* A build replaces the content: what tells of it is the state that it leaves. */
    const bool replaces = prepared.command == COMMAND_BUILD;
    const char *state;
    Timing timing;
    if (!trialForget(trial) || (!replaces && !trialState(trial, timed.setup, &prepared, &state)) ||
        !benchTime(trial->bench, &timed, &timing) || !operations[operation].verify(trial, name) ||
        (replaces && !trialState(trial, NULL, NULL, &state))) {
        return false;
    }
    *row = trialRow(trial, name, state, prepared.items.maxCount, timing);
    row->scratch = prepared.items.scratch.size;
    strncat(row->variant, operations[operation].variant,
            sizeof row->variant - strlen(row->variant) - 1);
    return benchCeiling(trial->bench, ceilingOf(trial, prepared.command), 8 * trial->capacity, row);
}

bool operationRow(Trial *trial, Operation operation) {
    Row row;
    const bool without = (operations[operation].given & SCRATCH) != 0 &&
                         operations[operation].command != COMMAND_BUILD &&
                         operationScratch(trial, operation) == 0;
    return without || (operationMeasure(trial, operation, &row) && benchRow(trial->bench, &row));
}

bool operationRows(Trial *trial, const Operation *list) {
    for (; *list != OPERATION_COUNT; ++list) {
        if (!operationRow(trial, *list)) {
            return false;
        }
    }
    return true;
}
