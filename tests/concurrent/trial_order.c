/* Checks the results of one invocation, in its own order. If no operation erases, a key that the
 * invocation found or inserted stays present, and an accumulated value changes in one direction
 * only: a coherent find returns the invocation's earlier write or a newer value, and of two finds
 * the second returns no older value (the litmus shape CoRR). If no other invocation uses its keys,
 * results are those of a sequential table.
 * SPDX-License-Identifier: MIT */
#include "trial_check.h"

#include <stdlib.h>

/* The state of a key, as the earlier results of one invocation imply it. */
typedef struct Known {
    uint32_t key;
    bool present;
    bool gone;
    uint32_t value; /* lower bound of the accumulated value; the empty value: none */
} Known;

static Known *find_known(Known *known, uint32_t *count, uint32_t key, uint32_t none) {
    for (uint32_t i = 0; i < *count; ++i) {
        if (known[i].key == key) {
            return &known[i];
        }
    }
    known[*count] = (Known){.key = key, .value = none};
    return &known[(*count)++];
}

static void check_find(Check *check, uint32_t id, Known *known) {
    const StormRecord *record = &check->trial->records[id];
    uint32_t none = trial_none(check->trial);
    bool found = record->status == MUR_FOUND;
    if (!found && known->present && !check->erases) {
        check_failed(check,
                     "operation %u no longer finds key %u, which its invocation saw before\n", id,
                     record->key);
    }
    if (found && known->gone) {
        check_failed(check, "operation %u finds key %u again, which nothing inserts\n", id,
                     record->key);
    }
    uint32_t mode = check->accumulate;
    bool ordered = !check->erases && mode != MUR_MODE_ASSIGN && check->trial->scheme != STORM_CARRY;
    if (found && ordered && known->value != none) {
        bool forward = mode == MUR_MODE_ADD ? record->value >= known->value
                       : mode == MUR_MODE_INSERT
                           ? record->value == known->value
                           : check_fold(mode, known->value, record->value) == record->value;
        if (!forward) {
            check_failed(check, "operation %u finds 0x%x under key %u after 0x%x\n", id,
                         record->value, record->key, known->value);
        }
    }
    known->present = found;
    known->gone = !found && check->neverInserts;
    known->value = found ? record->value : known->value;
}

static void learn(Check *check, uint32_t id, Known *known) {
    const StormRecord *record = &check->trial->records[id];
    if (record->op == STORM_FIND) {
        check_find(check, id, known);
    } else if (record->op == MUR_MODE_UPDATE && record->status == MUR_ABSENT) {
        if (known->present && !check->erases) {
            check_failed(check, "operation %u updates no key %u, which its invocation saw before\n",
                         id, record->key);
        }
    } else if (record->status == MUR_INSERTED || record->status == MUR_EXISTED) {
        known->present = true;
        if (check_took_effect(record)) {
            known->value = known->value == trial_none(check->trial)
                               ? record->given
                               : check_fold(check->accumulate, known->value, record->given);
        }
    } else if (record->op == STORM_ERASE || record->op == STORM_TAKE) {
        known->gone = check->neverInserts;
    }
}

static void check_views(Check *check) {
    const Trial *trial = check->trial;
    for (uint32_t item = 0; item < trial->operations / trial->rounds; ++item) {
        Known known[TRIAL_ROUNDS];
        uint32_t count = 0;
        for (uint32_t round = 0; round < trial->rounds; ++round) {
            uint32_t id = item * trial->rounds + round;
            learn(check, id, find_known(known, &count, trial->records[id].key, trial_none(trial)));
        }
    }
}

void check_expect(const StormRecord *record, uint32_t none, uint32_t *value, uint32_t *status,
                  uint32_t *returned) {
    bool present = *value != none;
    /* The GPU may omit the old value of an insert; trial_check.c checks whether it may. */
    uint32_t old = record->value == none && record->op != STORM_EXCHANGE ? none : *value;
    *returned = none;
    switch (record->op) {
    case STORM_FIND:
        *status = present ? MUR_FOUND : MUR_ABSENT;
        *returned = *value;
        break;
    case STORM_ERASE:
    case STORM_TAKE:
        *status = present ? MUR_ERASED : MUR_ABSENT;
        *returned = *value;
        *value = none;
        break;
    case MUR_MODE_UPDATE: /* only a present key can be contended */
        *status = !present                          ? MUR_ABSENT
                  : record->status == MUR_CONTENDED ? MUR_CONTENDED
                                                    : MUR_EXISTED;
        if (*status == MUR_EXISTED) {
            *returned = old;
            *value = record->given;
        }
        break;
    default:
        *status = present ? MUR_EXISTED : MUR_INSERTED;
        *returned = old;
        if (!(record->op == MUR_MODE_INSERT && present)) {
            *value = check_fold(record->op, *value, record->given);
        }
        break;
    }
}

static void check_replay(Check *check) {
    const Trial *trial = check->trial;
    uint32_t *values = malloc(sizeof *values * trial->keyCount);
    for (uint32_t key = 0; key < trial->keyCount; ++key) {
        values[key] = trial->initial[key];
    }
    for (uint32_t id = 0; id < trial->operations; ++id) {
        const StormRecord *record = &trial->records[id];
        uint32_t status, returned;
        check_expect(record, trial_none(trial), &values[record->key], &status, &returned);
        if (record->status != status || record->value != returned) {
            check_failed(check, "operation %u (%u on key %u): expected %s, 0x%x; got %s, 0x%x\n",
                         id, record->op, record->key, murStatusName(status), returned,
                         murStatusName(record->status), record->value);
        }
    }
    for (uint32_t key = 0; key < trial->keyCount; ++key) {
        if (values[key] != check->tallies[key].final) {
            check_failed(check, "key %u: expected 0x%x in the table, got 0x%x\n", key, values[key],
                         check->tallies[key].final);
        }
    }
    free(values);
}

void check_order(Check *check) {
    if (check->trial->pattern == STORM_OWN) {
        check_replay(check);
    } else {
        check_views(check);
    }
}
