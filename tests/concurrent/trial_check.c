/* Judges a trial by the concurrency contract. Most rules follow from the operations of the mix, so
 * cells of the contract's table need no checkers of their own:
 *
 * table: a hash has at most one slot, and every slot from the home slot to this slot is taken.
 * presence: initially present + "inserted" - "erased" is 0 or 1, as in the table.
 * values: each value was written to this key by an operation that took effect, and was erased at
 * most once.
 * results: sums, minima, maxima, unions equal those of the operations that took effect.
 * order: an invocation never observes an older state of a key: trial_order.c.
 * SPDX-License-Identifier: MIT */
#include "trial_check.h"

#include <stdlib.h>

void check_failed(Check *check, const char *format, ...) {
    if (check->failures++ == 0) {
        trial_describe(check->trial);
    }
    if (check->failures <= 8) {
        va_list arguments;
        va_start(arguments, format);
        vprint_error(format, arguments);
        va_end(arguments);
    }
}

/* Returns whether the mask has bit 1 << op for every operation op of the mix. */
static bool check_only(const Trial *trial, uint32_t allowed) {
    for (uint32_t op = 0; op < 16; ++op) {
        if (trial_has(trial, op) && !(allowed & (1u << op))) {
            return false;
        }
    }
    return true;
}

/* Checks that the hash in each used slot is that of a key of the trial. (The oracle has already
 * checked that probes for the hash reach the slot.) */
static void check_table(Check *check) {
    const Trial *trial = check->trial;
    const Oracle *table = &trial->table;
    uint32_t claimed = 0, ours = 0;
    for (uint32_t key = 0; key < trial->keyCount; ++key) {
        Tally *t = &check->tallies[key];
        t->slot = oracle_claimed(table, trial->keys[key]);
        t->final = (uint32_t)oracle_value(table, trial->keys[key]);
        if (t->slot < trial->ref.slotCount) {
            ++ours;
            check->wrapped |= t->slot < oracle_home(table, trial->keys[key]);
        }
    }
    for (uint32_t slot = 0; slot < trial->ref.slotCount; ++slot) {
        claimed += table->slot[slot].state == ORACLE_CLAIMED;
    }
    check->claimed = claimed > 0;
    if (claimed != ours) {
        check_failed(check, "%u slots are claimed, %u of them by keys of the trial\n", claimed,
                     ours);
    }
}

uint32_t check_fold(uint32_t op, uint32_t a, uint32_t b) {
    switch (op) {
    case MUR_MODE_ADD:
        return a + b;
    case MUR_MODE_MIN:
        return a < b ? a : b;
    case MUR_MODE_MAX:
        return a > b ? a : b;
    case MUR_MODE_OR:
        return a | b;
    default:
        return b;
    }
}

bool check_took_effect(const StormRecord *record) {
    bool writes = record->op <= MUR_MODE_UPDATE || record->op == STORM_EXCHANGE;
    bool told = record->status == MUR_INSERTED ||
                (record->status == MUR_EXISTED && record->op != MUR_MODE_INSERT);
    return writes && told;
}

/* Returns whether the operation returned a value that it removed or replaced. */
static bool takes(const Trial *trial, const StormRecord *record) {
    bool replaces = record->op == STORM_EXCHANGE ||
                    (trial->olds &&
                     (record->op == MUR_MODE_ASSIGN || record->op == MUR_MODE_UPDATE));
    return record->status == MUR_ERASED || (replaces && record->status == MUR_EXISTED);
}

static void tally(Check *check, const StormRecord *record) {
    Tally *t = &check->tallies[record->key];
    bool inserts = record->op <= MUR_MODE_OR || record->op == STORM_EXCHANGE;
    if (check_took_effect(record)) {
        t->writes++;
        t->given += record->given;
        t->assigned += record->op == MUR_MODE_ASSIGN || record->op == MUR_MODE_UPDATE;
        t->bits |= record->given;
        t->result = check_fold(check->accumulate, t->result, record->given);
    }
    t->inserts += inserts;
    t->inserted += record->status == MUR_INSERTED;
    t->erased += record->status == MUR_ERASED;
    t->full += record->status == MUR_FULL;
    t->taken += takes(check->trial, record) ? record->value : 0;
    if (record->slot != MUR_NO_SLOT && record->slot != t->slot) {
        check_failed(check, "key %u was said to be in slot %u; it is in slot %u\n", record->key,
                     record->slot, t->slot);
    }
    check->fulls += record->status == MUR_FULL;
}

static const char *wrong_tag(const Check *check, uint32_t key, uint32_t value) {
    const Trial *trial = check->trial;
    uint32_t id = (value >> 12) - 1;
    if ((value & 4095u) != storm_check(trial->keys[key])) {
        return "another key's value, or a torn one";
    }
    if (id == trial->operations) {
        return trial->initial[key] == value ? NULL : "the value of a key that was not there";
    }
    if (id > trial->operations || trial->records[id].key != key ||
        trial->records[id].given != value) {
        return "a value that no operation wrote";
    }
    return check_took_effect(&trial->records[id]) ? NULL : "a value that an insert did not write";
}

/* Returns the reason why this value cannot belong to the key, or NULL if it can. */
static const char *check_value(const Check *check, uint32_t key, uint32_t value) {
    const Trial *trial = check->trial;
    if (trial->pattern == STORM_OWN) {
        return NULL; /* several writes have equal values; trial_order.c checks them */
    }
    const Tally *t = &check->tallies[key];
    switch (trial->scheme) {
    case STORM_TAGGED:
        return wrong_tag(check, key, value);
    case STORM_MULTIPLE:
        return value % storm_factor(trial->keys[key]) == 0 ? NULL
                                                           : "not a sum of this key's values";
    case STORM_BITS:
        return (value & 4095u) != storm_check(trial->keys[key])
                   ? "another key's value, or a torn one"
               : (value & ~t->bits) != 0 ? "bits that no operation set"
                                         : NULL;
    default:
        return (value & 0x1FFFFu) <= t->writes + 1 ? NULL : "more additions than there were";
    }
}

/* Returns whether the status is valid for the operation. MUR_FULL is valid only if every slot for
 * the key is taken in the final table. */
static bool status_fits(const Check *check, const StormRecord *record) {
    switch (record->op) {
    case STORM_FIND:
        return record->status == MUR_FOUND || record->status == MUR_ABSENT;
    case STORM_ERASE:
    case STORM_TAKE:
        return record->status == MUR_ERASED || record->status == MUR_ABSENT;
    case MUR_MODE_UPDATE:
        return record->status == MUR_EXISTED || record->status == MUR_ABSENT ||
               record->status == MUR_CONTENDED;
    default:
        return record->status == MUR_INSERTED || record->status == MUR_EXISTED ||
               (record->status == MUR_FULL && check->tallies[record->key].exhausted);
    }
}

/* Returns the operation that wrote the value, or UINT32_MAX if the value does not identify it. */
static uint32_t writer_of(const Check *check, uint32_t value) {
    const Trial *trial = check->trial;
    uint32_t writer = (value >> 12) - 1;
    bool known = trial->scheme == STORM_TAGGED && trial->pattern != STORM_OWN;
    return known && writer < trial->operations ? writer : UINT32_MAX;
}

static void check_record(Check *check, uint32_t id) {
    const Trial *trial = check->trial;
    const StormRecord *record = &trial->records[id];
    if (!status_fits(check, record)) {
        check_failed(check, "operation %u (%u on key %u) reports %s\n", id, record->op, record->key,
                     murStatusName(record->status));
    }
    bool has = record->status == MUR_FOUND || record->status == MUR_ERASED ||
               (record->status == MUR_EXISTED && (trial->olds || record->op == STORM_EXCHANGE));
    if (!has) {
        if (record->value != trial_none(trial)) {
            check_failed(check, "operation %u found nothing and returned 0x%x\n", id,
                         record->value);
        }
        return;
    }
    const char *why = record->value == trial_none(trial)
                          ? "nothing"
                          : check_value(check, record->key, record->value);
    if (why) {
        check_failed(check, "operation %u (%u on key %u) returned 0x%x: %s\n", id, record->op,
                     record->key, record->value, why);
    }
    uint32_t writer = writer_of(check, record->value);
    if (takes(trial, record) && writer != UINT32_MAX && check->taken[writer]++) {
        check_failed(check, "value 0x%x of key %u was taken twice, also by operation %u\n",
                     record->value, record->key, id);
    }
}

static void check_presence(Check *check, uint32_t key) {
    const Trial *trial = check->trial;
    const Tally *t = &check->tallies[key];
    uint32_t none = trial_none(trial);
    bool before = trial->initial[key] != none;
    bool after = t->final != none;
    int64_t balance = (int64_t)before + t->inserted - t->erased;
    if (balance != after) {
        check_failed(check, "key %u: initially %d, %u inserted, %u erased, finally %d\n", key,
                     before, t->inserted, t->erased, after);
    }
    if (trial->found[key] != t->final) {
        check_failed(check, "key %u has value 0x%x; a find afterwards returns 0x%x\n", key,
                     t->final, trial->found[key]);
    }
    if (!check->erases && t->inserted != (t->inserts > t->full && !before)) {
        check_failed(check, "key %u: initially %d, %u inserts, %u of them \"inserted\"\n", key,
                     before, t->inserts, t->inserted);
    }
    if (t->full && (t->slot != MUR_NO_SLOT || t->full != t->inserts)) {
        check_failed(check, "key %u is in slot %u; %u of %u inserts report full\n", key, t->slot,
                     t->full, t->inserts);
    }
    const char *why = after ? check_value(check, key, t->final) : NULL;
    if (why) {
        check_failed(check, "key %u has value 0x%x: %s\n", key, t->final, why);
    }
    uint32_t writer = (t->final >> 12) - 1;
    if (after && trial->scheme == STORM_TAGGED && writer < trial->operations &&
        check->taken[writer]) {
        check_failed(check, "key %u has value 0x%x, which was taken\n", key, t->final);
    }
}

/* Checks results that the contract makes exact. */
static void check_result(Check *check, uint32_t key) {
    const Trial *trial = check->trial;
    const Tally *t = &check->tallies[key];
    uint32_t none = trial_none(trial);
    uint32_t start = trial->initial[key] == none ? 0 : trial->initial[key];
    uint32_t final = t->final == none ? 0 : t->final;
    const uint32_t keeping = 1u << MUR_MODE_INSERT | 1u << STORM_FIND;
    const uint32_t erasing = 1u << STORM_ERASE | 1u << STORM_TAKE;
    const uint32_t replacing = trial->olds ? 1u << MUR_MODE_ASSIGN | 1u << MUR_MODE_UPDATE : 0;
    if (check_only(trial, keeping | erasing | replacing | 1u << MUR_MODE_ADD |
                              1u << STORM_EXCHANGE | 1u << STORM_COMPARE) &&
        t->taken + final != start + t->given) {
        check_failed(check, "key %u: 0x%x taken + 0x%x left are not 0x%x initially + 0x%x given\n",
                     key, t->taken, final, start, t->given);
    }
    if (check->accumulate != MUR_MODE_ASSIGN && !check->erases && t->final != t->result) {
        check_failed(check, "key %u: 0x%x in the table, 0x%x expected\n", key, t->final, t->result);
    }
    uint32_t writer = writer_of(check, t->final);
    if (check_only(trial, keeping | 1u << MUR_MODE_ASSIGN | 1u << MUR_MODE_UPDATE) && t->assigned &&
        (writer == UINT32_MAX || trial->records[writer].op == MUR_MODE_INSERT)) {
        check_failed(check, "key %u: 0x%x in the table is not one of %u that replaced others\n",
                     key, t->final, t->assigned);
    }
}

/* Returns the accumulating mode if the mix has only one, MUR_MODE_INSERT if no operation replaces a
 * value, or MUR_MODE_ASSIGN if results depend on the order. */
static uint32_t accumulating_mode(const Trial *trial) {
    uint32_t others = 1u << STORM_FIND | 1u << MUR_MODE_INSERT | 1u << STORM_ERASE |
                      1u << STORM_TAKE;
    for (uint32_t mode = MUR_MODE_ADD; mode <= MUR_MODE_OR; ++mode) {
        if (trial_has(trial, mode) && check_only(trial, others | 1u << mode)) {
            return mode;
        }
    }
    return check_only(trial, others) ? MUR_MODE_INSERT : MUR_MODE_ASSIGN;
}

static void check_header(Check *check) {
    const Oracle *table = &check->trial->table;
    if (table->full != check->fulls || table->refused != 0) {
        check_failed(check,
                     "the header counts %llu full and %llu refused inserts, not %llu and 0\n",
                     (unsigned long long)table->full, (unsigned long long)table->refused,
                     (unsigned long long)check->fulls);
    }
    /* A linear table has MUR_STATE_ORDERED until the first insert, and MUR_STATE_WRAPPED if a key
     * is in a slot before its home slot. */
    const bool orders = !check->trial->buckets;
    if (table->ordered != (orders && !check->claimed) ||
        (orders && check->wrapped && !table->wrapped)) {
        check_failed(check, "state: ordered %d, wrapped %d; keys %s slots, %s before their home\n",
                     table->ordered, table->wrapped, check->claimed ? "claimed" : "claimed no",
                     check->wrapped ? "some" : "none");
    }
}

void trial_check(const Trial *trial) {
    Check check = {.trial = trial, .accumulate = accumulating_mode(trial)};
    check.erases = trial_has(trial, STORM_ERASE) || trial_has(trial, STORM_TAKE) ||
                   trial_has(trial, STORM_COMPARE);
    check.neverInserts = check_only(trial, 1u << STORM_FIND | 1u << STORM_ERASE | 1u << STORM_TAKE |
                                               1u << MUR_MODE_UPDATE);
    check.tallies = calloc(trial->keyCount, sizeof *check.tallies);
    check.taken = calloc(trial->operations, sizeof *check.taken);
    for (uint32_t key = 0; key < trial->keyCount; ++key) {
        check.tallies[key].result = trial->initial[key];
        check.tallies[key].bits = trial->initial[key];
    }
    check_table(&check);
    for (uint32_t id = 0; id < trial->operations; ++id) {
        tally(&check, &trial->records[id]);
    }
    for (uint32_t key = 0; key < trial->keyCount; ++key) {
        Tally *t = &check.tallies[key];
        t->exhausted = t->full && oracle_probe(&trial->table, trial->keys[key]) == MUR_NO_SLOT;
    }
    for (uint32_t id = 0; id < trial->operations; ++id) {
        check_record(&check, id);
    }
    for (uint32_t key = 0; key < trial->keyCount; ++key) {
        check_presence(&check, key);
        check_result(&check, key);
    }
    check_header(&check);
    check_order(&check);
    free(check.tallies);
    free(check.taken);
    assert_int_equal(check.failures, 0);
}
