/* SPDX-License-Identifier: MIT */
#include "group.h"

#include "oracle/oracle.h"

#include <stdlib.h>

/* ---- Pairs of a case ------------------------------------------------------------------------ */

/* Returns key `number`. Eight 64-bit keys share each high half, every eighth key a low half. */
static uint64_t key_of(uint32_t format, uint32_t number) {
    const uint32_t step = 0x9E3779B1u;
    return MUR_IS_64(format) ? (uint64_t)(number / 8 * step) << 32 | number % 8 : number * step;
}

/* Returns a key whose home slot is close to those of all other keys of this function, so that the
 * command sorts all of them into one bin. */
static uint64_t key_of_a_bin(uint32_t format, uint32_t number) {
    const uint32_t word = 0xABCDE000u | (number & 0xFFFu);
    return oracle_key(format, oracle_hash_of(format, word, number), GROUP_SEED);
}

static uint64_t key_at(const GroupCase *test, uint32_t format, uint32_t frame, uint32_t i) {
    const uint32_t shift = 1000 * frame;
    switch (test->keys) {
    case KEYS_IN_TURN:
        return key_of(format, shift + i % test->of);
    case KEYS_IN_RUNS:
        return key_of(format, shift + i / test->of);
    case KEYS_ZIPF:
        return key_of(format, shift + (uint32_t)((uint64_t)mur_hash(i, frame) >>
                                                 (32 - mur_hash(i, 9) % test->of)));
    case KEYS_HARD:
        return hard_key(format, GROUP_SEED, (i + frame) % HARD_KEYS);
    default:
        return i < test->of ? key_of_a_bin(format, i) : key_of(format, shift + i);
    }
}

/* Returns value i. Every tenth value is an empty value (0 or all ones) or 7, so that some values
 * occur more than once. */
static uint32_t value_at(uint32_t frame, uint32_t i) {
    const uint32_t common[] = {0, UINT32_MAX, 7};
    return i % 10 == 9 ? common[i / 10 % 3] : mur_hash(i, frame + 1);
}

Pair *group_pairs(const GroupCase *test, uint32_t format, uint32_t frame, uint32_t *count) {
    const bool fewer = test->hasCount && test->gpuCount < test->maxCount;
    *count = fewer ? test->gpuCount : test->maxCount;
    Pair *pairs = test_allocate((test->maxCount + 1) * sizeof *pairs);
    for (uint32_t i = 0; i < test->maxCount; ++i) {
        pairs[i] = (Pair){key_at(test, format, frame, i), value_at(frame, i)};
    }
    return pairs;
}

/* ---- Invariants of groups ------------------------------------------------------------------- */

static int compare(const void *a, const void *b) {
    const Pair *first = a, *second = b;
    return first->key != second->key
               ? (first->key > second->key) - (first->key < second->key)
               : (first->value > second->value) - (first->value < second->value);
}

uint32_t group_end(const Pair *pairs, uint32_t count, uint32_t first) {
    uint32_t end = first;
    while (end < count && pairs[end].key == pairs[first].key) {
        ++end;
    }
    return end;
}

/* Checks that the group at this offset has the values of these pairs, and overlaps no other. */
static void check_group(const uint32_t *groups, uint64_t words, uint64_t place, const Pair *pairs,
                        uint32_t count, uint8_t *taken, bool ascending) {
    if (place == 0 || place >= words || groups[place] != count || words - place <= count) {
        fail_msg("key 0x%llx: %u values at word %llu of %llu, instead of %u",
                 (unsigned long long)pairs->key, place < words ? groups[place] : 0,
                 (unsigned long long)place, (unsigned long long)words, count);
    }
    Pair *values = test_allocate(count * sizeof *values);
    assert_false(taken[place]++);
    for (uint32_t i = 0; i < count; ++i) {
        assert_true(!ascending || count > MUR_GROUP_MAX_ASCENDING || i == 0 ||
                    groups[place + i] <= groups[place + 1 + i]);
        values[i] = (Pair){pairs->key, groups[place + 1 + i]};
        assert_false(taken[place + 1 + i]++);
    }
    qsort(values, count, sizeof *values, compare);
    for (uint32_t i = 0; i < count; ++i) {
        if (values[i].value != pairs[i].value) {
            fail_msg("key 0x%llx: value 0x%x instead of 0x%x", (unsigned long long)pairs->key,
                     values[i].value, pairs[i].value);
        }
    }
    free(values);
}

/* Checks that a probe for each key ends at its slot, and that the state flags are correct. */
static void check_slots(const MurTableCreateInfo *info, const MurHostTable *table) {
    const OracleConfig config = {.format = type_format(info->type),
                                 .capacity = table->ref.capacity,
                                 .slotCount = table->ref.slotCount,
                                 .seed = info->seed,
                                 .probeLimit = info->probeLimit,
                                 .zero = info->emptyValue == MUR_EMPTY_VALUE_ZERO,
                                 .wide = (table->ref.flags & MUR_TABLE_INT64) != 0};
    Oracle oracle;
    oracle_open(&oracle, &config);
    const char *wrong = oracle_adopt(&oracle, table->pImage);
    if (wrong || (oracle.ordered && oracle_disorder(&oracle) != MUR_NO_SLOT)) {
        fail_msg("%s", wrong ? wrong : "out of order");
    }
    oracle_close(&oracle);
}

void group_check(const GroupCase *test, const MurTableCreateInfo *info, const MurHostTable *table,
                 const uint32_t *groups, uint64_t words, Pair *pairs, uint32_t count,
                 bool ascending) {
    uint8_t *taken = test_allocate((size_t)words);
    uint64_t needed = 1, used = 1;
    uint32_t live = 0, longest = 0;
    qsort(pairs, count, sizeof *pairs, compare);
    for (uint32_t first = 0, end; first < count; first = end) {
        end = group_end(pairs, count, first);
        const MurHostResult found = murHostFind(table, pairs[first].key);
        const uint32_t size = end - first;
        if (found.status == MUR_FOUND) {
            check_group(groups, words, found.value, pairs + first, size, taken, ascending);
            used += 1 + size;
            ++live;
        }
        needed += 1 + size;
        longest = size > longest ? size : longest;
    }
    MurStats stats;
    murHostStats(table, &stats);
    const uint64_t left = count - (used - 1 - live);
    assert_int_equal(stats.live, live);
    assert_int_equal(stats.failedInserts, left);
    assert_int_equal(stats.invalidValues, 0);
    assert_int_equal(left != 0, test->capacity != 0 || needed > words);
    if (test->capacity == 0) {
        assert_int_equal(groups[0], needed);
        /* A group is left out only if it does not fit the remaining words. */
        assert_true(needed <= words || words - used <= longest);
    } else {
        assert_in_range(groups[0], used, needed);
        assert_true(live > 0);
    }
    check_slots(info, table);
    free(taken);
}
