/* The timed operations of a table.
 * SPDX-License-Identifier: MIT */
#include "operations.h"
#include "shaders/push.h"

typedef enum Command {
    COMMAND_INSERT = MUR_COMMAND_INSERT,
    COMMAND_BUILD = MUR_COMMAND_BUILD,
    COMMAND_FIND = MUR_COMMAND_FIND,
    COMMAND_ERASE = MUR_COMMAND_ERASE,
    COMMAND_REHASH,
    COMMAND_MUR_INSERT, /* and later: shaders */
    COMMAND_MUR_FIND
} Command;

/* Inputs and outputs of a command. */
enum { STATUSES = 1, EXCLUSIVE = 2, SCRATCH = 4, BITS = 8, ABSENT = 16, PART = 32, COHERENT = 64 };

/* State of the table before each run. */
typedef enum Before { AS_IS, EMPTY, FULL, ERASED, OTHERS } Before;

#define OPERATION(id, words, its, gives, finds) \
    [OPERATION_##id] = {.name = words, .command = COMMAND_##its, .given = gives, .before = finds},
static const struct {
    const char *name;
    Command command;
    int given;
    Before before;
} operations[OPERATION_COUNT] = {OPERATIONS(OPERATION)};
#undef OPERATION

/* An operation's command with its batch, created once. */
typedef struct Run {
    const Trial *trial;
    Command command;
    int given;
    Before before;
    MurBatch items;
} Run;

static bool finds(Command command) {
    return command == COMMAND_FIND || command == COMMAND_MUR_FIND;
}

static Run prepare(const Trial *trial, Operation operation) {
    const Command command = operations[operation].command;
    const int given = operations[operation].given;
    const MurArray statuses = trialArray(&trial->statuses);
    const bool set = trial->source.valueWords == 0;
    Run timed = {.trial = trial, .command = command, .given = given};
    MurBatch *items = &timed.items;
    timed.before = operations[operation].before;
    *items = trialBatch(trial, given & ABSENT ? trial->pairs : 0,
                        given & PART ? trial->part : trial->pairs);
    if (given & BITS || command == COMMAND_ERASE || set) {
        items->values = (MurArray){0};
    } else if (finds(command)) {
        items->values = trialArray(&trial->values);
    }
    if (given & BITS) {
        items->statusBits = statuses;
    } else if (given & STATUSES || (set && command == COMMAND_FIND)) {
        items->statuses = statuses;
    }
    items->flags = given & EXCLUSIVE ? MUR_BATCH_EXCLUSIVE : 0;
    if (given & SCRATCH) {
        trialLend(trial, (MurCommand)command, items);
    }
    return timed;
}

uint64_t operationScratch(const Trial *trial, Operation operation) {
    return prepare(trial, operation).items.scratch.size;
}

static bool dispatchCalls(const Run *timed) {
    const Trial *trial = timed->trial;
    const InShaderPush push = {.table = murGetTableRef(trial->table),
                               .keys = timed->items.keys.address,
                               .values = timed->items.values.address,
                               .count = timed->items.maxCount,
                               .keyMask = UINT32_MAX};
    const Kernel kernel = timed->command == COMMAND_MUR_INSERT
                              ? (trial->width == MUR_ATOMIC_WIDTH_64 ? KERNEL_in_insert_64
                                                                     : KERNEL_in_insert_32)
                          : timed->given & COHERENT ? KERNEL_in_find_coherent
                                                    : KERNEL_in_find_plain;
    return benchDispatch(trial->bench, kernel, &push, push.count);
}

BENCH_STEP(run, const Run, timed) {
    const Trial *trial = timed->trial;
    const MurBatch *items = &timed->items;
    const VkCommandBuffer cmd = bench->gpu.cmd;
    switch (timed->command) {
    case COMMAND_INSERT:
        return trialRecordInsert(trial, items);
    case COMMAND_BUILD:
        return gpuCheck(murCmdBuild(cmd, trial->table, trial->mode, items), "building");
    case COMMAND_FIND:
        return gpuCheck(murCmdFind(cmd, trial->table, items), "finding");
    case COMMAND_ERASE:
        return gpuCheck(murCmdErase(cmd, trial->table, items), "erasing");
    case COMMAND_REHASH:
        return gpuCheck(murCmdRehash(cmd, trial->table, trial->other, NULL), "rehashing");
    default:
        return dispatchCalls(timed);
    }
}

BENCH_STEP(setup, const Run, timed) {
    const Trial *trial = timed->trial;
    const MurBatch part = trialBatch(trial, 0, trial->part);
    bool done = true;
    switch (timed->before) {
    case EMPTY:
        return trialRecordClear(trial);
    case FULL: /* some entries may be erased */
        done = trialRecordInsert(trial, &part);
        gpuComputeBarrier(&bench->gpu);
        return done;
    case ERASED:
        return trialRecordErase(trial, 0, trial->part);
    case OTHERS:
        return trialRecordFill(trial, trial->part, trial->pairs - trial->part);
    default:
        return true;
    }
}

/* Checks that one item inserted each entry, and that the other items found it present. */
static bool inserted(const Run *timed, const char *name) {
    const Trial *trial = timed->trial;
    const uint32_t items = timed->items.maxCount;
    const uint32_t expected = timed->before == AS_IS ? 0
                              : timed->given & PART  ? items
                                                     : trial->entries;
    uint32_t made, there;
    return !(timed->given & STATUSES) ||
           (benchCount(trial->bench, &trial->statuses, items, MUR_INSERTED, &made) &&
            benchCount(trial->bench, &trial->statuses, items, MUR_EXISTED, &there) &&
            ((made == expected && made + there == items) ||
             sayError("%s: %u of %u items inserted and %u existed, %u keys are new", name, made,
                      items, there, expected)));
}

static bool found(const Run *timed, const char *name) {
    const Trial *trial = timed->trial;
    Bench *bench = trial->bench;
    const bool absent = (timed->given & ABSENT) != 0, set = trial->source.valueWords == 0;
    const GpuBuffer *results = timed->given & BITS || set ? &trial->statuses : &trial->values;
    const uint32_t words = timed->given & BITS ? trial->pairs / 32
                           : set               ? trial->pairs
                                               : trial->pairs * trial->source.valueWords;
    if (timed->given & BITS) {
        return benchIsAll(bench, name, results, 0, words, absent ? 0 : UINT32_MAX);
    }
    return absent ? benchIsAll(bench, name, results, 0, words, set ? MUR_ABSENT : UINT32_MAX)
                  : trialFound(trial, name, timed->before == ERASED ? trial->part : 0);
}

static bool verify(const Run *timed, const char *name, MurStats *stats) {
    Trial trial = *timed->trial;
    switch (timed->command) {
    case COMMAND_FIND:
    case COMMAND_MUR_FIND:
        return found(timed, name);
    case COMMAND_ERASE:
        return benchIsAll(trial.bench, name, &trial.statuses, 0, trial.part, MUR_ERASED) &&
               trialHolds(&trial, name, trial.part, stats);
    case COMMAND_REHASH:
        trial.table = trial.other;
        return trialHolds(&trial, name, 0, stats);
    default:
        return inserted(timed, name) && trialHolds(&trial, name, 0, stats);
    }
}

bool operationMeasure(Trial *trial, Operation operation, Row *row) {
    const char *name = operations[operation].name;
    Run prepared = prepare(trial, operation);
    const int given = prepared.given;
    /* A build replaces the content, so its row has the state after it. */
    const bool replaces = prepared.command == COMMAND_BUILD;
    const char *state;
    MurStats stats = {0};
    Timing timing;
    if (!trialTime(trial, &(Timed){setup, run, &prepared}, replaces ? NULL : &state, &timing) ||
        !verify(&prepared, name, &stats) || (replaces && !trialState(trial, NULL, NULL, &state))) {
        return false;
    }
    *row = trialRow(trial, trial->name ? trial->name : name, state, prepared.items.maxCount,
                    timing);
    row->scratch = prepared.items.scratch.size;
    benchSay(row, "%s%s%s%s%s", given & BITS ? ", status bits" : "",
             given & STATUSES ? ", statuses" : "", given & EXCLUSIVE ? ", exclusive" : "",
             given & SCRATCH && !replaces ? ", scratch" : "",
             prepared.command == COMMAND_MUR_INSERT ? ", mur_insert"
             : prepared.command != COMMAND_MUR_FIND ? ""
             : given & COHERENT                     ? ", mur_find, coherent"
                                                    : ", mur_find, MUR_READ_ONLY");
    if (prepared.command >= COMMAND_MUR_INSERT) {
        row->bulk = trial->bulk;
    } else {
        trial->bulk = row->rate;
    }
    const bool reads = finds(prepared.command) ||
                       (prepared.command != COMMAND_BUILD && prepared.before == AS_IS);
    return trialCeiling(trial, reads, row);
}

bool operationRows(Trial *trial, const Operation *list) {
    bool done = true;
    for (; *list != OPERATION_COUNT && done; ++list) {
        Row row;
        const bool without = (operations[*list].given & SCRATCH) != 0 && *list != OPERATION_BUILD &&
                             operationScratch(trial, *list) == 0;
        done = without || (operationMeasure(trial, *list, &row) && benchRow(trial->bench, &row));
    }
    return done;
}

bool operationRowsInStates(Trial *trial, const Operation *list) {
    trial->fill = FILL_DIRECT;
    bool done = trialFill(trial) && operationRows(trial, list);
    trial->fill = FILL_ORDERED;
    return done && (!trialCanOrder(trial) || (trialFill(trial) && operationRows(trial, list)));
}
