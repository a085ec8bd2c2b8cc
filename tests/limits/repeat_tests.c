/* The same key from many items of one command: one entry comes of them, one of them is told that it
 * inserted it, and the value is that of all of them.
 *
 * SPDX-License-Identifier: MIT */
#include "limits.h"

#include <stdio.h>
#include <string.h>

enum { SEED = 0x5EED, CAPACITY = 2000, ITEMS = 1500 };

typedef enum Spread { ONE_KEY, FEW_KEYS, SOME_TWICE } Spread;

/* Of the item's key. */
static uint32_t rank_of(Spread spread, uint32_t item) {
    return spread == ONE_KEY ? 0 : spread == FEW_KEYS ? mur_hash(item, 1) % 7 : item / 2;
}

static Items repeated_items(Spread spread) {
    Items items = items_new(ITEMS);
    for (uint32_t i = 0; i < ITEMS; ++i) {
        items.keys[i] = mur_hash(rank_of(spread, i), 99);
        items.values[i] = mur_hash(i, 3) % 5 == 0 ? 7 : 1 + mur_hash(i, 4) % 100000;
    }
    return items;
}

static uint32_t join(MurInsertMode mode, uint32_t sum, uint32_t value) {
    switch (mode) {
    case MUR_MODE_ADD:
        return sum + value;
    case MUR_MODE_MIN:
        return sum < value ? sum : value;
    case MUR_MODE_MAX:
        return sum > value ? sum : value;
    default:
        return sum | value;
    }
}

/* Does the entry of item i's key have a value that the items of the key could give it? */
static bool has_right_value(const Items *items, const Items *found, MurInsertMode mode,
                            uint32_t none, uint32_t item) {
    uint32_t sum = none;
    bool given = false;
    for (uint32_t i = 0; i < items->count; ++i) {
        if (items->keys[i] == items->keys[item]) {
            sum = join(mode, sum, items->values[i]);
            given = given || items->values[i] == found->values[item];
        }
    }
    return mode <= MUR_MODE_KEEP ? given : found->values[item] == sum;
}

static void check_answers(const Items *items, const char *what) {
    for (uint32_t i = 0; i < items->count; ++i) {
        uint32_t inserted = 0;
        for (uint32_t j = 0; j < items->count; ++j) {
            if (items->keys[j] == items->keys[i]) {
                inserted += items->statuses[j] == MUR_INSERTED;
                if ((items->statuses[j] != MUR_INSERTED && items->statuses[j] != MUR_EXISTED) ||
                    items->slots[j] != items->slots[i]) {
                    fail_msg("%s: item %u: status %u, slot %u; item %u: slot %u", what, j,
                             items->statuses[j], items->slots[j], i, items->slots[i]);
                }
            }
        }
        if (inserted != 1) {
            fail_msg("%s: %u items of the key of item %u are told \"inserted\"", what, inserted, i);
        }
    }
}

static void check_mode(Gpu *gpu, const Kind *kind, MurInsertMode mode, Spread spread) {
    char what[96];
    snprintf(what, sizeof what, "%s, mode %d, spread %d", kind->name, (int)mode, (int)spread);
    MurTable table = roomy_table(gpu, kind, CAPACITY, SEED);
    Items items = repeated_items(spread);
    insert_items(gpu, table, mode, &items);
    check_answers(&items, what);
    Items found = items_new(ITEMS);
    memcpy(found.keys, items.keys, ITEMS * sizeof *items.keys);
    find_items(gpu, table, &found);
    expect_statuses(&found, MUR_FOUND, what);
    for (uint32_t i = 0; i < ITEMS; ++i) {
        if (found.slots[i] != items.slots[i] ||
            !has_right_value(&items, &found, mode, no_value(kind), i)) {
            fail_msg("%s: item %u has value %u in slot %u", what, i, found.values[i],
                     found.slots[i]);
        }
    }
    murDestroyTable(table);
    items_free(&items);
    items_free(&found);
}

static bool offers(const Kind *kind, MurInsertMode mode) {
    const bool zero = kind->reserved == MUR_RESERVED_VALUE_ZERO;
    return mode <= MUR_MODE_KEEP || zero != (mode == MUR_MODE_MIN);
}

static void one_entry_comes_of_many_items(void **state) {
    for (uint32_t k = 0; k < KIND_COUNT; ++k) {
        for (MurInsertMode mode = MUR_MODE_ASSIGN; mode <= MUR_MODE_OR; ++mode) {
            for (Spread spread = ONE_KEY; offers(&kinds[k], mode) && spread <= SOME_TWICE;
                 ++spread) {
                check_mode(*state, &kinds[k], mode, spread);
            }
        }
    }
}

/* As if they came one after the other: the sum is 0, and so the key absent. */
static void sums_that_cancel_out_leave_nothing(void **state) {
    for (uint32_t k = 0; k < KIND_COUNT; ++k) {
        if (!offers(&kinds[k], MUR_MODE_ADD)) {
            continue;
        }
        MurTable table = roomy_table(*state, &kinds[k], CAPACITY, SEED);
        Items items = repeated_items(FEW_KEYS);
        for (uint32_t i = 0; i < ITEMS; ++i) {
            items.keys[i] = i / 2 % 50;
            items.values[i] = i % 2 ? 0u - (i / 2 + 1) : i / 2 + 1;
        }
        insert_items(*state, table, MUR_MODE_ADD, &items);
        for (uint32_t i = 0; i < ITEMS; ++i) {
            assert_true(items.statuses[i] == MUR_INSERTED || items.statuses[i] == MUR_EXISTED);
        }
        find_items(*state, table, &items);
        expect_statuses(&items, MUR_ABSENT, kinds[k].name);
        assert_int_equal(table_stats(*state, table).live, 0);
        murDestroyTable(table);
        items_free(&items);
    }
}

/* Each item is told, and counted. */
static void items_that_fail_do_so_one_by_one(void **state) {
    for (uint32_t k = 0; k < KIND_COUNT; ++k) {
        for (MurInsertMode mode = MUR_MODE_ASSIGN; mode <= MUR_MODE_OR; ++mode) {
            if (!offers(&kinds[k], mode)) {
                continue;
            }
            MurTable table = boundless_table(*state, &kinds[k], 50, SEED);
            const uint32_t slots = murGetTableRef(table).slotCount;
            Items fill = items_new(slots);
            keys_with_any_home(&fill, 0, 5, SEED);
            insert_items(*state, table, mode, &fill);
            expect_statuses(&fill, MUR_INSERTED, "fill");
            Items items = items_new(900);
            for (uint32_t i = 0; i < items.count; ++i) {
                items.keys[i] = i % 3 == 1 ? fill.keys[0] : fill.keys[1] ^ 0x40000000u;
                items.values[i] = i % 3 == 2 ? no_value(&kinds[k]) : 3;
            }
            insert_items(*state, table, mode, &items);
            for (uint32_t i = 0; i < items.count; ++i) {
                assert_int_equal(items.statuses[i], i % 3 == 0   ? MUR_FULL
                                                    : i % 3 == 1 ? MUR_EXISTED
                                                                 : MUR_REFUSED);
                assert_true(i % 3 == 1 || items.slots[i] == MUR_NO_SLOT);
            }
            const MurStats stats = table_stats(*state, table);
            assert_int_equal(stats.full, 300);
            assert_int_equal(stats.refused, 300);
            murDestroyTable(table);
            items_free(&items);
            items_free(&fill);
        }
    }
}

/* What is kept is a value, not a key that has none any more. */
static void erased_keys_are_inserted_again(void **state) {
    for (uint32_t k = 0; k < KIND_COUNT; ++k) {
        MurTable table = roomy_table(*state, &kinds[k], CAPACITY, SEED);
        Items items = items_new(ITEMS);
        keys_with_any_home(&items, 0, 7, SEED);
        insert_items(*state, table, MUR_MODE_KEEP, &items);
        expect_statuses(&items, MUR_INSERTED, "first");
        insert_items(*state, table, MUR_MODE_KEEP, &items);
        expect_statuses(&items, MUR_EXISTED, "again");
        Items half = items_head(&items, ITEMS / 2);
        erase_items(*state, table, &half);
        keys_with_any_home(&items, 0, 7, SEED);
        insert_items(*state, table, MUR_MODE_KEEP, &items);
        Items rest = items_tail(&items, ITEMS / 2);
        expect_statuses(&half, MUR_INSERTED, "the erased ones");
        expect_statuses(&rest, MUR_EXISTED, "the others");
        assert_int_equal(table_stats(*state, table).live, ITEMS);
        murDestroyTable(table);
        items_free(&items);
    }
}

const struct CMUnitTest repeat_tests[] = {
    gpu_test(one_entry_comes_of_many_items),
    gpu_test(sums_that_cancel_out_leave_nothing),
    gpu_test(items_that_fail_do_so_one_by_one),
    gpu_test(erased_keys_are_inserted_again),
};
const size_t repeat_test_count = sizeof repeat_tests / sizeof repeat_tests[0];
