/* SPDX-License-Identifier: MIT */
#include "bulk_judge.h"

#include <stdlib.h>
#include <string.h>

bool match(const Check *check, const char *what, uint32_t item, uint64_t expected, uint64_t got) {
    return expected == got || wrong(check, "item %u (key 0x%llx): %s: expected 0x%llx, got 0x%llx",
                                    item, (unsigned long long)check->item[item].key, what,
                                    (unsigned long long)expected, (unsigned long long)got);
}

uint32_t given(const Check *check, uint32_t at, uint32_t i, uint32_t expected) {
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

/* Requires that every word of table memory, including the header, equals the oracle's. */
static bool check_image(const Check *check, uint32_t side, uint32_t *image) {
    const Oracle *table = &check->tables[side];
    const uint32_t has = check->run->sides[side].imageWords;
    size_t count = oracle_image_words(table);
    uint32_t *expected = test_allocate(count * sizeof *expected);
    oracle_image(table, expected);
    expected[MUR_HEADER_STREAM] = check->streams[side];
    bool right = count == has || wrong(check, "the table has %u words, not %zu", has, count);
    oracle_sum_counters(table, image);
    for (size_t i = 0; i < count && right; ++i) {
        if (expected[i] != image[i]) {
            right = wrong(check, "table %u, %s word %zu: expected 0x%08x, got 0x%08x", side,
                          i < MUR_HEADER_WORDS ? "header" : "slot",
                          i < MUR_HEADER_WORDS ? i : i - MUR_HEADER_WORDS, expected[i], image[i]);
        }
    }
    free(expected);
    return right;
}

/* Requires that input arrays, and output arrays after their used parts, are unchanged. */
static bool check_arrays(const Check *check) {
    const Command *command = check->command;
    const Placement *at = check->at;
    const uint32_t keyWords = check->run->keyWords, valueWords = check->run->valueWords;
    bool insert = command_inserts(command);
    bool extract = command->kind == COMMAND_EXTRACT;
    uint32_t written = command_items(command);
    const uint32_t slots = check->tables[at->current].slots;
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
        {"result", at->result, MUR_REHASH_WORDS, MUR_REHASH_WORDS},
        {"slotMap", at->slotMap, slots, slots},
        {"scratch", at->scratch, at->scratchWords,
         command->scratch == SCRATCH_SHORT ? 0 : at->scratchWords},
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

static bool check_result(const Check *check, uint32_t i, OracleResult expected) {
    const Placement *at = check->at;
    return match(check, "status", i, expected.status,
                 given(check, at->statuses, i, expected.status)) &&
           match(check, "value", i, expected.value, given_value(check, i, expected.value)) &&
           match(check, "slot", i, expected.slot, given(check, at->slots, i, expected.slot));
}

static bool check_find(const Check *check) {
    for (uint32_t i = 0; i < check->items; ++i) {
        if (!check_result(check, i, oracle_find(&check->before, check->item[i].key))) {
            return false;
        }
    }
    return true;
}

/* Returns whether any array reports that this item erased the key. */
static bool says_erased(const Check *check, uint32_t i) {
    const Placement *at = check->at;
    return (at->statuses && check->words[at->statuses + i] == MUR_ERASED) ||
           (at->values && given_value(check, i, 0) != check->before.none) ||
           (at->slots && check->words[at->slots + i] != MUR_NO_SLOT);
}

/* Requires that exactly one item of a present key erases it, and that every array reports this. */
static bool check_erase_key(Check *check, uint32_t begin, uint32_t end) {
    const bool told = check->at->statuses || check->at->values || check->at->slots;
    const uint64_t key = check->ranked[begin].key;
    const OracleResult erased = oracle_erase(&check->after, key);
    const OracleResult absent = {MUR_ABSENT, MUR_NO_SLOT, check->before.none};
    if (check->command->exclusive && check->after.config.flags &&
        erased.slot < check->after.config.slotCount) {
        check->after.slot[erased.slot] = (OracleSlot){ORACLE_FREE, 0, check->after.none};
    }
    uint32_t erasers = 0;
    for (uint32_t r = begin; r < end; ++r) {
        const uint32_t i = check->ranked[r].item;
        const bool eraser = says_erased(check, i);
        erasers += eraser;
        if (!check_result(check, i, eraser ? erased : absent)) {
            return false;
        }
    }
    const uint32_t expected = erased.status == MUR_ERASED;
    return !told || erasers == expected ||
           wrong(check, "key 0x%llx: %u items erased it, expected %u", (unsigned long long)key,
                 erasers, expected);
}

static bool check_erase(Check *check) {
    bool right = true;
    for (uint32_t begin = 0, end; begin < check->items && right; begin = end) {
        end = ranked_end(check->ranked, check->items, begin);
        right = check_erase_key(check, begin, end);
    }
    return right;
}

static bool is_match(const Check *check, uint32_t slot) {
    uint64_t key, value;
    bool match = oracle_entry(&check->before, slot, &key, &value);
    for (uint32_t i = 0; match && i < MUR_MAX_PREDICATES; ++i) {
        const MurPredicate *p = &check->command->predicates[i];
        match = oracle_satisfies(p->word, p->compare, p->mask, p->reference, key, value);
    }
    return match;
}

/* Marks an unmarked entry that agrees with element i of all output arrays. Returns false if there
 * is none. */
static bool take_entry(const Check *check, uint32_t i, bool *taken) {
    const uint32_t slots = check->before.slots;
    const uint32_t only = check->at->slots  ? check->words[check->at->slots + i]
                          : check->at->keys ? oracle_claimed(&check->before, given_key(check, i, 0))
                                            : MUR_NO_SLOT;
    const bool known = check->at->slots || check->at->keys;
    for (uint32_t s = known ? only : 0; s < slots && (!known || s == only); ++s) {
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

static bool check_by_kind(Check *check) {
    switch (check->command->kind) {
    case COMMAND_CLEAR:
        oracle_clear(&check->after);
        return true;
    case COMMAND_INSERT:
    case COMMAND_BUILD:
        return check_insert(check);
    case COMMAND_FIND:
        return check_find(check);
    case COMMAND_ERASE:
        return check_erase(check);
    case COMMAND_EXTRACT:
        return check_extract(check);
    case COMMAND_STATS:
        return check_stats(check);
    case COMMAND_REBUILD:
        oracle_switch_filters(&check->after);
        return true;
    case COMMAND_PUT:
        oracle_close(&check->after);
        check->after = run_put(check->run, check->command, check->at->changed);
        return true;
    default:
        return check_relocation(check);
    }
}

/* Returns the entries of a table as items of a batch. */
static Item *entries_of(const Oracle *table, uint32_t *count) {
    Item *items = test_allocate(table->slots * sizeof *items);
    *count = 0;
    for (uint32_t slot = 0; slot < table->slots; ++slot) {
        Item *item = &items[*count];
        *count += oracle_entry(table, slot, &item->key, &item->value);
    }
    return items;
}

/* Checks expectations that a command's results do not show, for example that a table is sorted. */
static bool check_expectations(const Check *check) {
    const Command *command = check->command;
    const Placement *at = check->at;
    const bool ordered = check->after.ordered, all = check->failed == check->items;
    bool used = false;
    for (uint32_t i = 0; i < at->scratchWords && !used; ++i) {
        used = check->words[at->scratch + i] != POISON;
    }
    const bool right[] = {
        command->fit != FIT_ALL || check->failed == 0,
        command->fit != FIT_NONE || all,
        command->fit != FIT_SOME || (!all && check->failed != 0),
        command->order == ORDER_ANY || ordered == (command->order == ORDER_YES),
        command->scratch == SCRATCH_ANY || used == (command->scratch == SCRATCH_USED),
    };
    for (uint32_t i = 0; i < sizeof right / sizeof right[0]; ++i) {
        if (!right[i]) {
            return wrong(check,
                         "%u of %u items failed, ordered %d, scratch memory %u used %d: not "
                         "expected",
                         check->failed, check->items, ordered, at->scratchWords, used);
        }
    }
    return true;
}

static bool judge(Check *check) {
    const bool relocates = command_relocates(check->command);
    bool right = check_by_kind(check);
    right = right && (!command_is_batch(check->command) || check_answers(check));
    right = right && check_arrays(check) && check_expectations(check);
    if (command_replaces(check->command) || check->command->kind == COMMAND_CLEAR) {
        check->known[check->at->changed] = true;
    }
    if (!relocates && (command_replaces(check->command) || check->command->kind == COMMAND_CLEAR ||
                       check->command->kind == COMMAND_PUT)) {
        check->streams[check->at->changed] = 0;
    }
    return right;
}

static bool check_command(Check *check) {
    const Command *command = check->command;
    const uint32_t changed = check->at->changed;
    Item *entries = NULL;
    check->image = check->words + check->at->images[changed];
    check->mode = command->kind == COMMAND_REHASH || command->kind == COMMAND_COMPACT
                      ? MUR_MODE_ASSIGN
                      : command->mode;
    check->item = command->items;
    check->items = command_is_batch(command) ? command_items(command) : 0;
    if (command_relocates(command)) {
        check->item = entries = entries_of(&check->tables[check->at->current], &check->items);
    }
    check->ranked = ranked_open(check->item, check->items);
    check->failed = 0;
    check->before = oracle_copy(&check->tables[changed]);
    if (command_replaces(command)) {
        oracle_clear(&check->before);
    }
    check->after = oracle_copy(&check->before);
    bool right = judge(check);
    oracle_assign(&check->tables[changed], &check->after);
    check->known[changed] = check->known[changed] || command->kind == COMMAND_PUT;
    for (uint32_t s = 0; s < 2 && right; ++s) {
        right = !check->known[s] || check_image(check, s, check->words + check->at->images[s]);
    }
    oracle_close(&check->before);
    oracle_close(&check->after);
    free(check->ranked);
    free(entries);
    return right;
}

bool check_run(const Runner *runner, const Run *run, const char *where) {
    Check check = {.words = runner->words, .run = run, .index = MAX_COMMANDS};
    bool right = true;
    for (uint32_t s = 0; s < 2 && run->sides[s].imageWords; ++s) {
        const OracleConfig config = table_config(run->sides[s].spec);
        oracle_open(&check.tables[s], &config);
        check.known[s] = run_is_cleared(run, s);
        check.tables[s].ordered = run->sides[s].spec->ordered && check.known[s];
        right = right && (!check.known[s] ||
                          check_image(&check, s, runner->words + run->sides[s].imageCleared));
    }
    for (uint32_t i = 0; i < run->sequence->commandCount && right; ++i) {
        check.index = i;
        check.command = &run->sequence->commands[i];
        check.at = &run->placements[i];
        right = check_command(&check);
    }
    for (uint32_t s = 0; s < 2 && run->sides[s].imageWords; ++s) {
        oracle_close(&check.tables[s]);
    }
    if (!right) {
        print_error("on %s: ", where);
        sequence_print(run->sequence);
    }
    return right;
}

/* Returns whether the memory between the tables is unchanged. */
static bool check_arena(const Runner *runner) {
    VkDeviceSize end = 0;
    for (uint32_t i = 0; i < 2 * runner->runCount; ++i) {
        const Run *run = &runner->runs[i / 2];
        const MurBufferRange *memory = &run->sides[i % 2].memory;
        if (memory->buffer != runner->arena.buffer) {
            continue;
        }
        for (; end < memory->offset; end += 4) {
            if (runner->arenaWords[end / 4] != POISON) {
                print_error(
                    "byte %llu of the tables' memory, in a gap before a table, was written\n",
                    (unsigned long long)end);
                sequence_print(run->sequence);
                return false;
            }
        }
        end = memory->offset + memory->size;
    }
    return true;
}

bool check_runs(Runner *runner) {
    bool right = true;
    if (runner->runCount) {
        runner_submit(runner);
    }
    for (uint32_t i = 0; i < runner->runCount && right; ++i) {
        right = check_run(runner, &runner->runs[i], "the GPU");
    }
    right = right && check_arena(runner);
    runner_reset(runner);
    return right;
}
