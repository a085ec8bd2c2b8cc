/* Shrinking a failing sequence: greedy removal of ever smaller runs, then simplification, again and
 * again until nothing more can go (the idea of delta debugging, Zeller and Hildebrandt 2002).
 *
 * SPDX-License-Identifier: MIT */
#include "sequence.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_TRIALS = 4000 };

typedef struct Shrink {
    Sequence *best;
    Sequence trial;
    SequenceFails fails;
    void *context;
    uint32_t trials;
} Shrink;

/* Keeps the trial if it is another sequence and still fails. */
static bool keep_if_failing(Shrink *shrink) {
    if (shrink->trials >= MAX_TRIALS ||
        memcmp(&shrink->trial, shrink->best, sizeof shrink->trial) == 0) {
        return false;
    }
    ++shrink->trials;
    bool fails = shrink->fails(shrink->context, &shrink->trial);
    if (fails) {
        memcpy(shrink->best, &shrink->trial, sizeof shrink->trial);
    }
    return fails;
}

static Sequence *new_trial(Shrink *shrink) {
    memcpy(&shrink->trial, shrink->best, sizeof shrink->trial);
    return &shrink->trial;
}

static bool drop_commands(Shrink *shrink) {
    bool any = false;
    for (uint32_t i = shrink->best->commandCount; i-- > 0;) {
        Sequence *trial = new_trial(shrink);
        memmove(&trial->commands[i], &trial->commands[i + 1],
                (trial->commandCount - i - 1) * sizeof trial->commands[0]);
        --trial->commandCount;
        memset(&trial->commands[trial->commandCount], 0, sizeof trial->commands[0]);
        any |= keep_if_failing(shrink);
    }
    return any;
}

static void remove_items(Command *command, uint32_t first, uint32_t count) {
    if (command->kind == COMMAND_EXTRACT) {
        command->maxCount -= count; /* elements, not items */
        return;
    }
    memmove(&command->items[first], &command->items[first + count],
            (command->maxCount - first - count) * sizeof command->items[0]);
    command->maxCount -= count;
    memset(&command->items[command->maxCount], 0, count * sizeof command->items[0]);
}

static bool drop_items(Shrink *shrink, uint32_t at) {
    bool any = false;
    for (uint32_t run = shrink->best->commands[at].maxCount; run > 0; run /= 2) {
        uint32_t first = 0;
        while (first + run <= shrink->best->commands[at].maxCount) {
            remove_items(&new_trial(shrink)->commands[at], first, run);
            bool gone = keep_if_failing(shrink);
            any |= gone;
            first += gone ? 0 : run;
        }
    }
    return any;
}

static bool simplify_items(Shrink *shrink, uint32_t at) {
    bool any = false;
    bool batch = shrink->best->commands[at].kind != COMMAND_EXTRACT;
    bool set = kind_is_set(shrink->best->table.kind);
    for (uint32_t i = 0; batch && i < shrink->best->commands[at].maxCount; ++i) {
        const uint32_t simpler[] = {0, 1, i + 1};
        for (uint32_t s = 0; s < 3; ++s) {
            Item *item = &new_trial(shrink)->commands[at].items[i];
            if (item->value > simpler[s] && !set) {
                item->value = simpler[s];
                any |= keep_if_failing(shrink);
            }
            item = &new_trial(shrink)->commands[at].items[i];
            if (item->key > simpler[s]) {
                item->key = simpler[s];
                any |= keep_if_failing(shrink);
            }
        }
    }
    return any;
}

static bool simplify_command(Shrink *shrink, uint32_t at) {
    bool any = false;
    Command *command = &new_trial(shrink)->commands[at];
    command->counted = false;
    command->gpuCount = 0;
    any |= keep_if_failing(shrink);
    command = &new_trial(shrink)->commands[at];
    memset(command->predicates, 0, sizeof command->predicates);
    any |= keep_if_failing(shrink);
    command = &new_trial(shrink)->commands[at];
    bool erased = command->erases;
    command->erases = false;
    any |= erased && keep_if_failing(shrink);
    for (int i = 0; i < 6; ++i) {
        command = &new_trial(shrink)->commands[at];
        bool *arrays[] = {&command->keys,     &command->values,    &command->slots,
                          &command->statuses, &command->oldValues, &command->statusBits};
        *arrays[i] = false;
        bool idle = command->kind == COMMAND_FIND && !command->values && !command->slots &&
                    !command->statuses && !command->statusBits;
        any |= !idle && keep_if_failing(shrink);
    }
    return any;
}

static bool simplify_table(Shrink *shrink) {
    bool any = false;
    TableSpec *table = &new_trial(shrink)->table;
    table->ownMemory = false;
    table->gap = 0;
    table->defaultWidth = false;
    table->ages = false;
    any |= keep_if_failing(shrink);
    new_trial(shrink)->table.ordered = false;
    any |= keep_if_failing(shrink);
    new_trial(shrink)->table.seed = 0;
    any |= keep_if_failing(shrink);
    new_trial(shrink)->table.probeLimit = 0;
    any |= keep_if_failing(shrink);
    for (uint32_t step = shrink->best->table.capacity; step > 0; step /= 2) {
        while (shrink->best->table.capacity > step) {
            new_trial(shrink)->table.capacity -= step;
            if (!keep_if_failing(shrink)) {
                break;
            }
            any = true;
        }
    }
    return any;
}

void sequence_shrink(Sequence *sequence, SequenceFails fails, void *context) {
    Shrink *shrink = test_allocate(sizeof *shrink);
    shrink->best = sequence;
    shrink->fails = fails;
    shrink->context = context;
    shrink->trials = 0;
    bool any = true;
    while (any) {
        any = drop_commands(shrink);
        for (uint32_t i = 0; i < sequence->commandCount; ++i) {
            any |= drop_items(shrink, i);
            any |= simplify_command(shrink, i);
            any |= simplify_items(shrink, i);
        }
        any |= simplify_table(shrink);
    }
    free(shrink);
}
