/* Checks of the commands that insert items: inserts and builds, and rehashes, merges and
 * compactions, which insert the entries of their source.
 * SPDX-License-Identifier: MIT */
#include "bulk_judge.h"

#include <string.h>

bool command_replaces(const Command *command) {
    return command->kind == COMMAND_BUILD || command->kind == COMMAND_REHASH ||
           command->kind == COMMAND_COMPACT;
}

/* All valid items of one key in a batch. */
typedef struct Group {
    uint64_t key;
    uint32_t items;
    uint32_t inserted; /* items with MUR_INSERTED */
    uint64_t before;   /* the key's value before the batch */
    uint64_t now;      /* the key's value after the batch */
    uint64_t combined; /* the value before, combined with all values in batch order */
    uint64_t sum;      /* sum of the value before the batch and of all items, modulo 2^64 */
    uint32_t carries;  /* number of carries out of 64 bits in this sum */
    bool matched;      /* true if the value after the batch is from one of the items */
    bool matchedLast;  /* the same for an item that can be the last: it did not insert the key */
    uint64_t first;    /* value of the last item with MUR_INSERTED */
} Group;

/* Checks an update of an absent key, which must have no effect. */
static bool check_passed_over(const Check *check, uint32_t i) {
    return match(check, "status of an absent key", i, MUR_ABSENT,
                 given(check, check->at->statuses, i, MUR_ABSENT)) &&
           match(check, "slot of an absent key", i, MUR_NO_SLOT,
                 given(check, check->at->slots, i, MUR_NO_SLOT));
}

static bool check_insert_item(const Check *check, uint32_t i, uint32_t slot, Group *group) {
    const Item *item = &check->item[i];
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
    group->combined = oracle_combine(&check->before, check->mode, group->combined, item->value);
    group->sum += item->value;
    group->carries += group->sum < item->value;
    group->matched |= item->value == group->now;
    group->matchedLast |= item->value == group->now && status != MUR_INSERTED;
    group->first = status == MUR_INSERTED ? item->value : group->first;
    return match(check, "slot", i, slot, got);
}

/* Requires one MUR_INSERTED if the key was absent, and none if it was present. A sum that becomes 0
 * makes the key absent again, so each overflow of the sum may add one MUR_INSERTED. */
static bool check_inserted(const Check *check, const Group *group) {
    if (!check->at->statuses) {
        return true;
    }
    uint32_t least = group->before == check->before.none ? 1 : 0;
    uint32_t most = least;
    if (check->mode == MUR_MODE_ADD) {
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
    if (check->mode == MUR_MODE_UPDATE) {
        right = group->matched;
    } else if (check->mode == MUR_MODE_ASSIGN) {
        right = absent && told && group->items > 1 ? group->matchedLast : group->matched;
    } else if (check->mode == MUR_MODE_INSERT && absent) {
        right = told ? group->now == group->first : group->matched;
    }
    return right ||
           wrong(check,
                 "key 0x%llx: value 0x%llx, which its %u items cannot make of 0x%llx (in "
                 "order they make 0x%llx)",
                 (unsigned long long)group->key, (unsigned long long)group->now, group->items,
                 (unsigned long long)group->before, (unsigned long long)group->combined);
}

/* Requires that no slot is free for a key that was not inserted. */
static bool check_full(const Check *check, uint64_t key) {
    return oracle_probe(&check->after, key) == MUR_NO_SLOT ||
           wrong(check, "key 0x%llx was not inserted, but slot %u is within its reach and free",
                 (unsigned long long)key, oracle_probe(&check->after, key));
}

/* Checks all items of a key, and counts those that found the table full. */
static bool check_insert_key(Check *check, uint32_t begin, uint32_t end) {
    const uint32_t first = check->ranked[begin].item;
    const uint64_t key = check->ranked[begin].key;
    const uint32_t slot = oracle_claimed(&check->after, key);
    Group group = {
        .key = key,
        .before = oracle_value(&check->before, key),
        .now = oracle_value(&check->after, key),
        .combined = oracle_value(&check->before, key),
        .sum = check->before.none == 0 ? oracle_value(&check->before, key) : 0,
    };
    const bool passed = check->mode == MUR_MODE_UPDATE && group.before == check->before.none;
    uint32_t tried = 0;
    for (uint32_t r = begin; r < end; ++r) {
        const uint32_t i = check->ranked[r].item;
        if (check->item[i].value != check->before.none) {
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
        check->failed += tried;
        check->after.full += tried;
        return check_full(check, key);
    }
    return check_inserted(check, &group) && check_new_value(check, &group);
}

/* Returns whether the batch inserts the key. */
static bool is_in_batch(const Check *check, uint64_t key) {
    bool in = false;
    for (uint32_t r = ranked_first(check->ranked, check->items, key);
         r < check->items && check->ranked[r].key == key && !in; ++r) {
        in = check->item[check->ranked[r].item].value != check->before.none;
    }
    return in;
}

/* Requires that keys keep their slots, that keys outside of the batch keep their values, and that
 * only keys of the batch claim slots. */
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
        if (!is_in_batch(check, after->key)) {
            return wrong(check, "slot %u, key 0x%llx, changed; the batch does not insert that key",
                         s, (unsigned long long)after->key);
        }
    }
    return true;
}

/* Requires that new bits of the front filter belong to keys of the batch whose two buckets differ,
 * that previous bits remain, and that the back filter is unchanged. */
static bool check_filters(const Check *check) {
    const Oracle *before = &check->before, *after = &check->after;
    const uint32_t bits = before->config.flags & MUR_TABLE_BUCKETS ? before->config.slotCount : 0;
    bool *explained = test_allocate(bits);
    for (uint32_t i = 0; i < check->items && bits; ++i) {
        const uint64_t key = check->item[i].key;
        explained[oracle_filter_bit(before, key)] |= oracle_bucket(before, key, 0) !=
                                                     oracle_bucket(before, key, 1);
    }
    uint32_t bit = 0;
    for (; bit < 2 * bits; ++bit) {
        const bool set = after->filters[bit / 32] >> bit % 32 & 1;
        const bool was = before->filters[bit / 32] >> bit % 32 & 1;
        if (set != was && !(set && bit / bits == before->filter && explained[bit % bits])) {
            break;
        }
    }
    free(explained);
    return bit == 2 * bits || wrong(check, "bit %u of the filters changed, for no key", bit);
}

/* Copies the state bits that the oracle cannot predict. The bit "wrapped" may also be set by an
 * item that failed to claim the last slot, but only if another item claimed it. */
static void adopt_state(Check *check) {
    Oracle *after = &check->after;
    uint32_t slotCount = after->config.slotCount;
    const bool ordered = (check->image[MUR_HEADER_STATE] & MUR_STATE_ORDERED) != 0;
    for (uint32_t s = 0; s < slotCount && !after->config.flags; ++s) {
        if (after->slot[s].state != check->before.slot[s].state) {
            after->ordered = false;
            after->wrapped |= s < oracle_home(after, after->slot[s].key);
        }
    }
    after->ordered = command_replaces(check->command) ? ordered : after->ordered;
    bool told = (check->image[MUR_HEADER_STATE] & MUR_STATE_WRAPPED) != 0;
    after->wrapped |= told && !after->config.flags &&
                      after->slot[slotCount - 1].state != ORACLE_FREE;
}

/* Checks a batch with at most one item, for which the oracle predicts every word. */
static bool check_single_insert(Check *check) {
    if (check->items == 0) {
        return true;
    }
    const Item *item = &check->command->items[0];
    OracleResult result = oracle_insert(&check->after, check->mode, item->key, item->value);
    check->failed = result.status == MUR_FULL;
    return match(check, "status", 0, result.status,
                 given(check, check->at->statuses, 0, result.status)) &&
           match(check, "slot", 0, result.slot, given(check, check->at->slots, 0, result.slot));
}

static bool check_invalid_item(Check *check, uint32_t i) {
    ++check->after.refused;
    const uint32_t status = given(check, check->at->statuses, i, MUR_INVALID_VALUE);
    const uint32_t slot = given(check, check->at->slots, i, MUR_NO_SLOT);
    return match(check, "status of a refused item", i, MUR_INVALID_VALUE, status) &&
           match(check, "slot of a refused item", i, MUR_NO_SLOT, slot);
}

bool check_insert(Check *check) {
    if (check->items <= 1 && check->command->kind == COMMAND_INSERT) {
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
    if (check->after.ordered && oracle_disorder(&check->after) != MUR_NO_SLOT) {
        return wrong(check, "slot %u is out of order", oracle_disorder(&check->after));
    }
    for (uint32_t i = 0; i < check->items; ++i) {
        if (check->item[i].value == check->before.none && !check_invalid_item(check, i)) {
            return false;
        }
    }
    for (uint32_t begin = 0, end; begin < check->items; begin = end) {
        end = ranked_end(check->ranked, check->items, begin);
        if (!check_insert_key(check, begin, end)) {
            return false;
        }
    }
    return true;
}

static bool check_map(const Check *check, const Oracle *source) {
    for (uint32_t slot = 0; slot < source->slots && check->at->slotMap; ++slot) {
        uint64_t key, value;
        const bool live = oracle_entry(source, slot, &key, &value) &&
                          !(check->mode == MUR_MODE_UPDATE &&
                            oracle_value(&check->before, key) == check->before.none);
        const uint32_t expected = live ? oracle_claimed(&check->after, key) : MUR_NO_SLOT;
        const uint32_t got = check->words[check->at->slotMap + slot];
        if (got != expected) {
            return wrong(check, "slot %u is mapped to slot 0x%x, expected 0x%x", slot, got,
                         expected);
        }
    }
    return true;
}

/* Checks the result of a rehash, merge or compaction. A merge by update neither counts nor inserts
 * entries with absent keys. The result may lack the flag "wrapped" of the table: an insert sets
 * this flag before it tries to claim a slot, which another insert may claim first. */
static bool check_moved(const Check *check, const MurStats *source, uint32_t failed) {
    MurRehashResult result;
    uint32_t passed = 0;
    for (uint32_t i = 0; i < check->items && check->mode == MUR_MODE_UPDATE; ++i) {
        passed += oracle_value(&check->before, check->item[i].key) == check->before.none;
    }
    memcpy(&result, &check->words[check->at->result], sizeof result);
    const uint32_t moved = check->items - failed - passed;
    const uint32_t merge = check->command->kind == COMMAND_MERGE ? MUR_STATE_WRAPPED : UINT32_MAX;
    const uint32_t state = oracle_stats(&check->after).state & merge;
    result.state &= merge;
    return (result.moved == moved && result.dropped == source->erased && result.failed == failed &&
            (result.state == state || result.state == (state & ~MUR_STATE_WRAPPED))) ||
           wrong(check, "result: moved %u, dropped %u, failed %u, state %u; not %u, %u, %u, %u",
                 result.moved, result.dropped, result.failed, result.state, moved, source->erased,
                 failed, state);
}

/* Checks a compaction that moved no entry, because one entry would not have fitted. */
static bool check_refused_compaction(Check *check, const Oracle *source) {
    MurRehashResult result;
    memcpy(&result, &check->words[check->at->result], sizeof result);
    const uint32_t moved = check->command->moved ? check->command->moved : result.moved;
    check->failed = result.failed;
    oracle_assign(&check->after, source);
    return (result.moved == moved && moved + result.failed == check->items) ||
           wrong(check, "compaction of %u entries: moved %u, failed %u", check->items, result.moved,
                 result.failed);
}

static bool check_stream(Check *check) {
    static const uint32_t words[] = {0, MUR_STREAM_SPARSE, MUR_STREAM_DENSE, MUR_STREAM_FAILED};
    const Command *command = check->command;
    const uint32_t word = check->image[MUR_HEADER_STREAM];
    check->streams[check->at->changed] = word;
    if (command->way == WAY_DIRECT) {
        return (word == 0 && !check->after.ordered) ||
               wrong(check, "a direct rehash is ordered, or streamed: %u", word);
    }
    return command->stream == STREAM_ANY ||
           (word == words[command->stream] &&
            check->after.ordered == (command->stream != STREAM_FAILED)) ||
           wrong(check, "ordered %d, stream %u, expected %u", check->after.ordered, word,
                 words[command->stream]);
}

bool check_relocation(Check *check) {
    const Command *command = check->command;
    const Oracle *source = &check->tables[check->at->current];
    const MurStats stats = oracle_stats(source);
    const bool compacts = command->kind == COMMAND_COMPACT;
    if (compacts && check->at->result && check->words[check->at->result + 2] != 0) {
        return check_refused_compaction(check, source);
    }
    return check_insert(check) && check_map(check, source) &&
           (!check->at->result || check_moved(check, &stats, check->failed)) &&
           (command->kind == COMMAND_MERGE || check_stream(check));
}
