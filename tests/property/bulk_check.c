/* SPDX-License-Identifier: MIT */
#include "bulk_check.h"

#include "bulk_answers.h"

#include "oracle/oracle.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One command's arrays and table, before and after. */
typedef struct Check {
    const uint32_t *words;
    const Run *run;
    const Command *command;
    const Placement *at;
    uint32_t *image; /* the table after the command */
    uint32_t items;
    Oracle before;
    Oracle after;
    Failure *failure;
} Check;

/* Notes the failure and returns false. */
#define wrong(check, ...) \
    (snprintf((check)->failure->text, sizeof(check)->failure->text, __VA_ARGS__), false)

static bool match(const Check *check, const char *what, uint32_t item, uint64_t expected,
                  uint64_t got) {
    return expected == got || wrong(check, "item %u (key 0x%llx): %s: expected 0x%llx, got 0x%llx",
                                    item, (unsigned long long)check->command->items[item].key, what,
                                    (unsigned long long)expected, (unsigned long long)got);
}

/* Word i of an optional array, or what is expected of it if it is not given. */
static uint32_t given(const Check *check, uint32_t at, uint32_t i, uint32_t expected) {
    return at ? check->words[at + i] : expected;
}

static uint64_t given_key(const Check *check, uint32_t i, uint64_t expected) {
    const uint32_t at = check->at->keys;
    return at ? run_number(check->words + at, i, check->run->keyWords) : expected;
}

static uint64_t given_value(const Check *check, uint32_t i, uint64_t expected) {
    const uint32_t at = check->at->values;
    return at ? run_number(check->words + at, i, check->run->valueWords) : expected;
}

/* ---- The table as a whole -------------------------------------------------------------------- */

/* Every word of the table's memory, header included, is the one that the oracle expects. */
static bool check_image(const Check *check) {
    const Oracle *after = &check->after;
    size_t count = oracle_image_words(after);
    uint32_t *expected = test_allocate(count * sizeof *expected);
    oracle_image(after, expected);
    bool right = count == check->run->imageWords ||
                 wrong(check, "the table has %u words, not %zu", check->run->imageWords, count);
    oracle_sum_counters(after, check->image);
    for (size_t i = 0; i < count && right; ++i) {
        if (expected[i] != check->image[i]) {
            right = wrong(check, "%s word %zu of the table: expected 0x%08x, got 0x%08x",
                          i < MUR_HEADER_WORDS ? "header" : "slot",
                          i < MUR_HEADER_WORDS ? i : i - MUR_HEADER_WORDS, expected[i],
                          check->image[i]);
        }
    }
    free(expected);
    return right;
}

/* No word beyond the count of an output array has been touched, nor any word of an input array. */
static bool check_arrays(const Check *check) {
    const Command *command = check->command;
    const Placement *at = check->at;
    const uint32_t keyWords = check->run->keyWords, valueWords = check->run->valueWords;
    bool insert = command->kind == COMMAND_INSERT;
    bool extract = command->kind == COMMAND_EXTRACT;
    uint32_t written = check->items;
    if (extract) {
        uint32_t found = check->words[at->count];
        written = found < command->maxCount ? found : command->maxCount;
    }
    const struct {
        const char *name;
        uint32_t at, size, first;
    } arrays[] = {
        {"keys", at->keys, keyWords * command->maxCount,
         keyWords * (extract ? written : command->maxCount)},
        {"values", at->values, valueWords * command->maxCount,
         valueWords * (insert ? command->maxCount : written)},
        {"statuses", at->statuses, command->maxCount, written},
        {"slots", at->slots, command->maxCount, written},
        {"oldValues", at->oldValues, valueWords * command->maxCount, valueWords * written},
        {"statusBits", at->statusBits, (command->maxCount + 31) / 32, (written + 31) / 32},
        {"count", at->count, 1, 1},
        {"stats", at->stats, MUR_STATS_WORDS, MUR_STATS_WORDS},
        {"copy of the table", at->image, check->run->imageWords, check->run->imageWords},
    };
    for (size_t a = 0; a < sizeof arrays / sizeof arrays[0]; ++a) {
        for (uint32_t i = arrays[a].first; arrays[a].at && i < arrays[a].size + GUARD_WORDS; ++i) {
            if (check->words[arrays[a].at + i] != POISON) {
                return wrong(check, "word %u of %s was written; those to be written end at %u", i,
                             arrays[a].name, arrays[a].first);
            }
        }
    }
    for (uint32_t i = 0; !extract && at->keys && i < command->maxCount; ++i) {
        const Item *item = &command->items[i];
        if (!match(check, "input key", i, item->key, given_key(check, i, 0)) ||
            (insert &&
             !match(check, "input value", i, item->value, given_value(check, i, item->value)))) {
            return false;
        }
    }
    return !command->counted || check->words[at->count] == command->gpuCount ||
           wrong(check, "the GPU count was written");
}

/* ---- Insert ---------------------------------------------------------------------------------- */

/* All items of one key in a batch, without the refused ones. */
typedef struct Group {
    uint64_t key;
    uint32_t items;
    uint32_t inserted; /* items that said so */
    uint64_t before;   /* the key's value before the batch */
    uint64_t now;      /* and after it */
    uint64_t combined; /* what the values make by mode in order of the batch */
    uint64_t sum;      /* of the values and the value before, modulo 2^64 */
    uint32_t carries;  /* of that sum */
    bool matched;      /* the value after is one of the batch's */
    bool matchedLast;  /* it can be the last: some item has it that did not insert */
    uint64_t first;    /* value of the last item that said "inserted" */
} Group;

/* An update of a key that is not there. */
static bool check_passed_over(const Check *check, uint32_t i) {
    return match(check, "status of an absent key", i, MUR_ABSENT,
                 given(check, check->at->statuses, i, MUR_ABSENT)) &&
           match(check, "slot of an absent key", i, MUR_NO_SLOT,
                 given(check, check->at->slots, i, MUR_NO_SLOT));
}

static bool check_insert_item(const Check *check, uint32_t i, uint32_t slot, Group *group) {
    const Item *item = &check->command->items[i];
    uint32_t status = given(check, check->at->statuses, i, MUR_EXISTED);
    uint32_t got = given(check, check->at->slots, i, slot);
    if (slot == MUR_NO_SLOT) {
        status = given(check, check->at->statuses, i, MUR_FULL);
        return match(check, "status of a key that found no room", i, MUR_FULL, status) &&
               match(check, "slot of a key that found no room", i, MUR_NO_SLOT, got);
    }
    if (status != MUR_INSERTED && !match(check, "status", i, MUR_EXISTED, status)) {
        return false;
    }
    group->items += 1;
    group->inserted += status == MUR_INSERTED;
    group->combined = oracle_combine(&check->before, check->command->mode, group->combined,
                                     item->value);
    group->sum += item->value;
    group->carries += group->sum < item->value;
    group->matched |= item->value == group->now;
    group->matchedLast |= item->value == group->now && status != MUR_INSERTED;
    group->first = status == MUR_INSERTED ? item->value : group->first;
    return match(check, "slot", i, slot, got);
}

/* One "inserted" if the key was absent and none if it was there; a sum that comes by 0 on its way
 * is absent again, so there may be one more for every 2^32, or 2^64, that the values make. */
static bool check_inserted(const Check *check, const Group *group) {
    if (!check->at->statuses) {
        return true;
    }
    uint32_t least = group->before == check->before.none ? 1 : 0;
    uint32_t most = least;
    if (check->command->mode == MUR_MODE_ADD) {
        most += check->run->valueWords == 2 ? group->carries : (uint32_t)(group->sum >> 32);
    }
    return (group->inserted >= least && group->inserted <= most) ||
           wrong(check, "key 0x%llx: %u of its %u items said inserted; expected %u to %u",
                 (unsigned long long)group->key, group->inserted, group->items, least, most);
}

static bool check_new_value(const Check *check, const Group *group) {
    bool absent = group->before == check->before.none;
    bool told = check->at->statuses != 0;
    bool right = group->now == group->combined;
    if (check->command->mode == MUR_MODE_UPDATE) {
        right = group->matched;
    } else if (check->command->mode == MUR_MODE_ASSIGN) {
        right = absent && told && group->items > 1 ? group->matchedLast : group->matched;
    } else if (check->command->mode == MUR_MODE_KEEP && absent) {
        right = told ? group->now == group->first : group->matched;
    }
    return right ||
           wrong(check,
                 "key 0x%llx: value 0x%llx, which its %u items cannot make of 0x%llx (in "
                 "order they make 0x%llx)",
                 (unsigned long long)group->key, (unsigned long long)group->now, group->items,
                 (unsigned long long)group->before, (unsigned long long)group->combined);
}

/* A key that found no room: no slot within its reach is free. */
static bool check_full(const Check *check, uint64_t key) {
    return oracle_probe(&check->after, key) == MUR_NO_SLOT ||
           wrong(check, "key 0x%llx was not inserted, but slot %u is within its reach and free",
                 (unsigned long long)key, oracle_probe(&check->after, key));
}

static bool seen_before(const Check *check, uint32_t item) {
    for (uint32_t i = 0; i < item; ++i) {
        if (check->command->items[i].key == check->command->items[item].key) {
            return true;
        }
    }
    return false;
}

/* All items of the key of item first, its first; counts those that found no room. */
static bool check_insert_key(Check *check, uint32_t first) {
    const Item *items = check->command->items;
    const uint64_t key = items[first].key;
    const uint32_t slot = oracle_claimed(&check->after, key);
    Group group = {
        .key = key,
        .before = oracle_value(&check->before, key),
        .now = oracle_value(&check->after, key),
        .combined = oracle_value(&check->before, key),
        .sum = check->before.none == 0 ? oracle_value(&check->before, key) : 0,
    };
    const bool passed = check->command->mode == MUR_MODE_UPDATE &&
                        group.before == check->before.none;
    uint32_t tried = 0;
    for (uint32_t i = first; i < check->items; ++i) {
        if (items[i].key == key && items[i].value != check->before.none) {
            ++tried;
            if (!(passed ? check_passed_over(check, i)
                         : check_insert_item(check, i, slot, &group))) {
                return false;
            }
        }
    }
    if (tried == 0) {
        return true;
    }
    if (passed) {
        return match(check, "value of an absent key", first, check->before.none, group.now) &&
               match(check, "slot claimed by an update", first, oracle_claimed(&check->before, key),
                     slot);
    }
    if (slot == MUR_NO_SLOT) {
        check->after.full += tried;
        return check_full(check, key);
    }
    return check_inserted(check, &group) && check_new_value(check, &group);
}

/* Slots stay their keys', values of keys that are not in the batch stay, and only keys of the batch
 * claim slots. */
static bool check_untouched(const Check *check) {
    const uint32_t slotCount = check->before.config.slotCount;
    for (uint32_t s = 0; s < check->before.slots; ++s) {
        const OracleSlot *before = &check->before.slot[s], *after = &check->after.slot[s];
        const bool same = before->state == after->state &&
                          (before->state == ORACLE_TOMB || before->key == after->key);
        if (before->state != ORACLE_FREE && s < slotCount && !same) {
            return wrong(check, "slot %u was key 0x%llx's and is not any more", s,
                         (unsigned long long)before->key);
        }
        if ((same || s >= slotCount) && before->value == after->value) {
            continue;
        }
        bool inBatch = false;
        for (uint32_t i = 0; i < check->items && !inBatch; ++i) {
            inBatch = check->command->items[i].key == after->key &&
                      check->command->items[i].value != check->before.none;
        }
        if (!inBatch) {
            return wrong(check, "slot %u, key 0x%llx, changed; the batch does not insert that key",
                         s, (unsigned long long)after->key);
        }
    }
    return true;
}

/* New bits of the filter that counts are there for keys of the batch that have two buckets, and
 * those of before stay; the other filter is as it was. */
static bool check_filters(const Check *check) {
    const Oracle *before = &check->before, *after = &check->after;
    const uint32_t bits = before->config.flags & MUR_TABLE_BUCKETS ? before->config.slotCount : 0;
    for (uint32_t bit = 0; bit < 2 * bits; ++bit) {
        const bool set = after->filters[bit / 32] >> bit % 32 & 1;
        bool explained = set == (before->filters[bit / 32] >> bit % 32 & 1);
        for (uint32_t i = 0; i < check->items && set && !explained; ++i) {
            const uint64_t key = check->command->items[i].key;
            explained = bit == before->filter * bits + oracle_filter_bit(before, key) &&
                        oracle_bucket(before, key, 0) != oracle_bucket(before, key, 1);
        }
        if (!explained) {
            return wrong(check, "bit %u of the filters changed, for no key", bit);
        }
    }
    return true;
}

/* The state bits. "Wrapped" may also come from an item that lost the race for the wrapped slot, but
 * then the last slot had been taken. */
static void adopt_state(Check *check) {
    Oracle *after = &check->after;
    uint32_t slotCount = after->config.slotCount;
    for (uint32_t s = 0; s < slotCount && !after->config.flags; ++s) {
        if (after->slot[s].state != check->before.slot[s].state) {
            after->ordered = false;
            after->wrapped |= s < oracle_home(after, after->slot[s].key);
        }
    }
    bool told = (check->image[MUR_HEADER_STATE] & MUR_STATE_WRAPPED) != 0;
    after->wrapped |= told && !after->config.flags &&
                      after->slot[slotCount - 1].state != ORACLE_FREE;
}

/* One item, or none: nothing is left to chance, so the oracle predicts every word. */
static bool check_single_insert(Check *check) {
    if (check->items == 0) {
        return true;
    }
    const Item *item = &check->command->items[0];
    OracleResult result = oracle_insert(&check->after, check->command->mode, item->key,
                                        item->value);
    return match(check, "status", 0, result.status,
                 given(check, check->at->statuses, 0, result.status)) &&
           match(check, "slot", 0, result.slot, given(check, check->at->slots, 0, result.slot));
}

static bool check_insert(Check *check) {
    if (check->items <= 1) {
        return check_single_insert(check);
    }
    const char *why = oracle_adopt(&check->after, check->image);
    check->after.ordered = check->before.ordered;
    check->after.wrapped = check->before.wrapped;
    check->after.refused = check->before.refused;
    check->after.full = check->before.full;
    if (why || !check_untouched(check) || !check_filters(check)) {
        return why && wrong(check, "%s", why);
    }
    adopt_state(check);
    for (uint32_t i = 0; i < check->items; ++i) {
        if (check->command->items[i].value == check->before.none) {
            ++check->after.refused;
            uint32_t status = given(check, check->at->statuses, i, MUR_REFUSED);
            uint32_t slot = given(check, check->at->slots, i, MUR_NO_SLOT);
            if (!match(check, "status of a refused item", i, MUR_REFUSED, status) ||
                !match(check, "slot of a refused item", i, MUR_NO_SLOT, slot)) {
                return false;
            }
        }
        if (!seen_before(check, i) && !check_insert_key(check, i)) {
            return false;
        }
    }
    return true;
}

/* ---- Find and erase -------------------------------------------------------------------------- */

static bool check_result(const Check *check, uint32_t i, OracleResult expected) {
    const Placement *at = check->at;
    return match(check, "status", i, expected.status,
                 given(check, at->statuses, i, expected.status)) &&
           match(check, "value", i, expected.value, given_value(check, i, expected.value)) &&
           match(check, "slot", i, expected.slot, given(check, at->slots, i, expected.slot));
}

static bool check_find(const Check *check) {
    for (uint32_t i = 0; i < check->items; ++i) {
        if (!check_result(check, i, oracle_find(&check->before, check->command->items[i].key))) {
            return false;
        }
    }
    return true;
}

/* Did this item, by any array that is given, erase the key? */
static bool says_erased(const Check *check, uint32_t i) {
    const Placement *at = check->at;
    return (at->statuses && check->words[at->statuses + i] == MUR_ERASED) ||
           (at->values && given_value(check, i, 0) != check->before.none) ||
           (at->slots && check->words[at->slots + i] != MUR_NO_SLOT);
}

/* Of all items of a key that is there exactly one erases it, and says so in every array. */
static bool check_erase(Check *check) {
    const Command *command = check->command;
    bool told = check->at->statuses || check->at->values || check->at->slots;
    for (uint32_t first = 0; first < check->items; ++first) {
        if (seen_before(check, first)) {
            continue;
        }
        const uint64_t key = command->items[first].key;
        OracleResult erased = oracle_erase(&check->after, key);
        if (command->frees && erased.slot < check->after.config.slotCount) {
            check->after.slot[erased.slot] = (OracleSlot){ORACLE_FREE, 0, check->after.none};
        }
        const OracleResult absent = {MUR_ABSENT, MUR_NO_SLOT, check->before.none};
        uint32_t erasers = 0;
        for (uint32_t i = first; i < check->items; ++i) {
            if (command->items[i].key == key) {
                bool eraser = says_erased(check, i);
                erasers += eraser;
                if (!check_result(check, i, eraser ? erased : absent)) {
                    return false;
                }
            }
        }
        uint32_t expected = erased.status == MUR_ERASED;
        if (told && erasers != expected) {
            return wrong(check, "key 0x%llx: %u items erased it, expected %u",
                         (unsigned long long)key, erasers, expected);
        }
    }
    return true;
}

/* ---- Extract and stats ----------------------------------------------------------------------- */

static bool is_match(const Check *check, uint32_t slot) {
    uint64_t key, value;
    bool match = oracle_entry(&check->before, slot, &key, &value);
    for (uint32_t i = 0; match && i < MUR_MAX_PREDICATES; ++i) {
        const MurPredicate *p = &check->command->predicates[i];
        match = oracle_satisfies(p->word, p->compare, p->mask, p->reference, key, value);
    }
    return match;
}

/* Takes an entry that agrees with element i of every array given and was not taken before. */
static bool take_entry(const Check *check, uint32_t i, bool *taken) {
    for (uint32_t s = 0; s < check->before.slots; ++s) {
        const OracleSlot *slot = &check->before.slot[s];
        if (!taken[s] && is_match(check, s) && given_key(check, i, slot->key) == slot->key &&
            given_value(check, i, slot->value) == slot->value &&
            given(check, check->at->slots, i, s) == s) {
            taken[s] = true;
            return true;
        }
    }
    return wrong(check, "element %u: key 0x%llx, value 0x%llx, slot %u: no such entry, or twice", i,
                 (unsigned long long)given_key(check, i, 0),
                 (unsigned long long)given_value(check, i, 0),
                 given(check, check->at->slots, i, 0));
}

static bool check_extract(Check *check) {
    uint32_t expected = 0;
    for (uint32_t s = 0; s < check->before.slots; ++s) {
        if (is_match(check, s)) {
            ++expected;
            if (check->command->erases) {
                oracle_erase(&check->after, check->before.slot[s].key);
            }
        }
    }
    uint32_t got = check->words[check->at->count];
    if (got != expected) {
        return wrong(check, "count: expected %u, got %u", expected, got);
    }
    bool *taken = test_allocate(check->before.slots * sizeof *taken);
    bool right = true;
    for (uint32_t i = 0; i < got && i < check->command->maxCount && right; ++i) {
        right = take_entry(check, i, taken);
    }
    free(taken);
    return right;
}

static bool check_stats(const Check *check) {
    MurStats stats = oracle_stats(&check->before);
    uint32_t expected[MUR_STATS_WORDS];
    memcpy(expected, &stats, sizeof expected);
    for (uint32_t i = 0; i < MUR_STATS_WORDS; ++i) {
        uint32_t got = check->words[check->at->stats + i];
        if (got != expected[i]) {
            return wrong(check, "word %u of the stats: expected %u, got %u", i, expected[i], got);
        }
    }
    return true;
}

/* ---- A whole run ----------------------------------------------------------------------------- */

static bool check_command(Check *check) {
    bool right = true;
    switch (check->command->kind) {
    case COMMAND_CLEAR:
        oracle_clear(&check->after);
        break;
    case COMMAND_INSERT:
        right = check_insert(check);
        break;
    case COMMAND_FIND:
        right = check_find(check);
        break;
    case COMMAND_ERASE:
        right = check_erase(check);
        break;
    case COMMAND_EXTRACT:
        right = check_extract(check);
        break;
    case COMMAND_STATS:
        right = check_stats(check);
        break;
    case COMMAND_REBUILD:
        oracle_switch_filters(&check->after);
        break;
    }
    const bool asked = right && command_is_batch(check->command);
    const char *why = !asked ? NULL
                             : answers_wrong(check->words, check->command, check->at,
                                             &check->before, &check->after);
    right = right && (!why || wrong(check, "%s", why));
    return right && check_arrays(check) && check_image(check);
}

Oracle run_oracle(const Run *run) {
    const TableSpec *spec = &run->sequence->table;
    const OracleConfig config = {
        .format = spec->kind->format,
        .capacity = spec->capacity,
        .slotCount = run->ref.slotCount,
        .seed = spec->seed,
        .probeLimit = spec->probeLimit,
        .zero = spec->kind->zero,
        .wide = kind_is_wide(spec->kind),
        .flags = table_info(spec).flags,
    };
    Oracle oracle;
    oracle_open(&oracle, &config);
    oracle.ordered = spec->ordered;
    return oracle;
}

bool check_run(const Runner *runner, const Run *run, Failure *failure) {
    Check check = {
        .words = runner->words,
        .run = run,
        .image = runner->words + run->imageCleared,
        .before = run_oracle(run),
        .after = run_oracle(run),
        .failure = failure,
    };
    failure->command = MAX_COMMANDS;
    bool right = check_image(&check);
    for (uint32_t i = 0; i < run->sequence->commandCount && right; ++i) {
        failure->command = i;
        check.command = &run->sequence->commands[i];
        check.at = &run->placements[i];
        check.image = runner->words + check.at->image;
        check.items = command_items(check.command);
        right = check_command(&check);
        oracle_assign(&check.before, &check.after);
    }
    oracle_close(&check.before);
    oracle_close(&check.after);
    return right;
}

bool check_arena(const Runner *runner, Failure *failure) {
    VkDeviceSize end = 0;
    failure->command = MAX_COMMANDS;
    for (uint32_t i = 0; i < runner->runCount; ++i) {
        const Run *run = &runner->runs[i];
        if (run->memory.buffer != runner->arena.buffer) {
            continue;
        }
        for (; end < run->memory.offset; end += 4) {
            if (runner->arenaWords[end / 4] != POISON) {
                snprintf(failure->text, sizeof failure->text,
                         "byte %llu of the tables' memory, in a gap before sequence %llu's table, "
                         "was written",
                         (unsigned long long)end, (unsigned long long)run->sequence->seed);
                return false;
            }
        }
        end = run->memory.offset + run->memory.size;
    }
    return true;
}
