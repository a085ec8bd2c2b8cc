/* Every key is legal: the special ones, and the one that lives in the extra slot; values at the
 * edges.
 *
 * SPDX-License-Identifier: MIT */
#include "limits.h"

#include <stdio.h>
#include <string.h>

enum { CAPACITY = 64 };
static const uint32_t seeds[] = {0, 1, 0x80000000, 0xFFFFFFFF, 0xC0FFEE};
enum { SEED_COUNT = sizeof seeds / sizeof seeds[0] };

/* The key that lives in the extra slot: its hash equals the empty marker. */
static uint32_t extra_key(uint32_t seed) {
    return mur_key(MUR_EMPTY, seed);
}

static Items special_keys(uint32_t seed) {
    const uint32_t keys[] = {0,          1,          0x7FFFFFFF,      0x80000000,
                             0xFFFFFFFE, 0xFFFFFFFF, mur_key(0, seed)};
    Items items = items_new(sizeof keys / sizeof keys[0]);
    items.count = 0;
    for (uint32_t i = 0; i < sizeof keys / sizeof keys[0]; ++i) {
        bool repeated = false; /* with some seeds two of them are the same */
        for (uint32_t j = 0; j < items.count; ++j) {
            repeated |= items.keys[j] == keys[i];
        }
        if (!repeated) {
            items.keys[items.count++] = keys[i];
        }
    }
    return items;
}

static void for_each_seed(Gpu *gpu, void (*check)(Gpu *gpu, const Kind *kind, uint32_t seed)) {
    for (uint32_t k = 0; k < KIND_COUNT; ++k) {
        for (uint32_t s = 0; s < SEED_COUNT; ++s) {
            check(gpu, &kinds[k], seeds[s]);
        }
    }
}

static void check_special(Gpu *gpu, const Kind *kind, uint32_t seed) {
    char what[96];
    snprintf(what, sizeof what, "special keys, seed 0x%x, %s", seed, kind->name);
    MurTable table = roomy_table(gpu, kind, CAPACITY, seed);
    Items items = special_keys(seed);
    find_items(gpu, table, &items);
    expect_statuses(&items, MUR_ABSENT, what);
    for (uint32_t i = 0; i < items.count; ++i) {
        items.values[i] = 0x1000 + i;
    }
    insert_items(gpu, table, MUR_MODE_KEEP, &items);
    expect_statuses(&items, MUR_INSERTED, what);
    expect_table_holds(gpu, table, &items, what);
    insert_items(gpu, table, MUR_MODE_KEEP, &items);
    expect_statuses(&items, MUR_EXISTED, what);
    erase_items(gpu, table, &items);
    expect_statuses(&items, MUR_ERASED, what);
    find_items(gpu, table, &items);
    expect_statuses(&items, MUR_ABSENT, what);
    murDestroyTable(table);
    items_free(&items);
}

static void special_keys_are_like_any_other(void **state) {
    for_each_seed(*state, check_special);
}

static void check_extra(Gpu *gpu, const Kind *kind, uint32_t seed) {
    char what[96];
    snprintf(what, sizeof what, "extra key, seed 0x%x, %s", seed, kind->name);
    MurTable table = roomy_table(gpu, kind, CAPACITY, seed);
    uint32_t slotCount = murGetTableRef(table).slotCount;
    Items items = items_new(1);
    items.keys[0] = extra_key(seed);
    items.values[0] = 77;
    find_items(gpu, table, &items);
    expect_statuses(&items, MUR_ABSENT, what);
    assert_int_equal(items.slots[0], MUR_NO_SLOT);
    assert_int_equal(items.values[0], no_value(kind));
    items.values[0] = 77;
    insert_items(gpu, table, MUR_MODE_KEEP, &items);
    expect_statuses(&items, MUR_INSERTED, what);
    assert_int_equal(items.slots[0], slotCount);
    expect_table_holds(gpu, table, &items, what); /* length 1 in the statistics, extracted too */
    assert_int_equal(table_stats(gpu, table).free, slotCount);
    erase_items(gpu, table, &items);
    expect_statuses(&items, MUR_ERASED, what);
    assert_int_equal(items.slots[0], slotCount);
    assert_int_equal(items.values[0], 77);
    assert_int_equal(table_stats(gpu, table).free, slotCount + 1); /* no tombstone */
    erase_items(gpu, table, &items);
    expect_statuses(&items, MUR_ABSENT, what);
    murDestroyTable(table);
    items_free(&items);
}

static void the_extra_key_lives_in_slot_slot_count(void **state) {
    for_each_seed(*state, check_extra);
}

/* One insert after another of a mode: value by value what the key holds. */
typedef struct ModeCase {
    MurInsertMode mode;
    MurReservedValue reserved;
    uint32_t values[4];
    uint32_t holds[4];
} ModeCase;

static const ModeCase modes[] = {
    {MUR_MODE_ASSIGN, MUR_RESERVED_VALUE_MAX, {5, 0, 9, 9}, {5, 0, 9, 9}},
    {MUR_MODE_ASSIGN, MUR_RESERVED_VALUE_ZERO, {5, UINT32_MAX, 9, 9}, {5, UINT32_MAX, 9, 9}},
    {MUR_MODE_KEEP, MUR_RESERVED_VALUE_MAX, {0, 5, 9, 1}, {0, 0, 0, 0}},
    {MUR_MODE_KEEP, MUR_RESERVED_VALUE_ZERO, {UINT32_MAX, 5, 1, 2}, {-1u, -1u, -1u, -1u}},
    {MUR_MODE_MIN, MUR_RESERVED_VALUE_MAX, {-2u, 7, 8, 0}, {-2u, 7, 7, 0}},
    {MUR_MODE_MAX, MUR_RESERVED_VALUE_ZERO, {1, 7, 6, UINT32_MAX}, {1, 7, 7, UINT32_MAX}},
    {MUR_MODE_ADD, MUR_RESERVED_VALUE_ZERO, {1, 7, 0x80000000, 1}, {1, 8, 0x80000008, 0x80000009}},
    {MUR_MODE_OR, MUR_RESERVED_VALUE_ZERO, {1, 6, 0x80000000, 1}, {1, 7, 0x80000007, 0x80000007}},
};

static void apply_mode(Gpu *gpu, const Kind *kind, const ModeCase *mode, uint32_t key) {
    MurTable table = roomy_table(gpu, kind, CAPACITY, 0);
    Items item = items_new(1);
    item.keys[0] = key;
    for (uint32_t i = 0; i < 4; ++i) {
        item.values[0] = mode->values[i];
        insert_items(gpu, table, mode->mode, &item);
        uint32_t status = item.statuses[0];
        find_items(gpu, table, &item);
        if (status != (i ? MUR_EXISTED : MUR_INSERTED) || item.values[0] != mode->holds[i]) {
            fail_msg("mode %d, %s, key 0x%x, step %u: %s, value 0x%x, expected 0x%x", mode->mode,
                     kind->name, key, i, murStatusName(status), item.values[0], mode->holds[i]);
        }
    }
    murDestroyTable(table);
    items_free(&item);
}

static void apply_modes(Gpu *gpu, uint32_t key) {
    for (size_t m = 0; m < sizeof modes / sizeof modes[0]; ++m) {
        for (uint32_t k = 0; k < KIND_COUNT; ++k) {
            if (kinds[k].reserved == modes[m].reserved) {
                apply_mode(gpu, &kinds[k], &modes[m], key);
            }
        }
    }
}

static void the_extra_key_takes_every_mode(void **state) {
    apply_modes(*state, extra_key(0));
}

static void an_ordinary_key_takes_every_mode(void **state) {
    apply_modes(*state, 0);
    apply_modes(*state, 0x80000000);
}

static void the_extra_key_is_inserted_once_by_a_whole_batch(void **state) {
    for (uint32_t k = 0; k < KIND_COUNT; ++k) {
        MurTable table = roomy_table(*state, &kinds[k], CAPACITY, 9);
        Items items = items_new(1000);
        uint32_t inserted = 0;
        for (uint32_t i = 0; i < items.count; ++i) {
            items.keys[i] = extra_key(9);
            items.values[i] = 1 + i;
        }
        insert_items(*state, table, MUR_MODE_KEEP, &items);
        for (uint32_t i = 0; i < items.count; ++i) {
            inserted += items.statuses[i] == MUR_INSERTED;
            assert_true(items.statuses[i] == MUR_INSERTED || items.statuses[i] == MUR_EXISTED);
        }
        assert_int_equal(inserted, 1);
        assert_int_equal(table_stats(*state, table).live, 1);
        murDestroyTable(table);
        items_free(&items);
    }
}

static void the_extra_key_fits_a_full_table(void **state) {
    for (uint32_t k = 0; k < KIND_COUNT; ++k) {
        MurTable table = boundless_table(*state, &kinds[k], CAPACITY, 3);
        uint32_t slotCount = murGetTableRef(table).slotCount;
        Items items = items_new(slotCount + 1);
        keys_with_any_home(&items, 0, 0, 3);
        items.keys[slotCount] = extra_key(3);
        insert_items(*state, table, MUR_MODE_KEEP, &items);
        expect_statuses(&items, MUR_INSERTED, kinds[k].name);
        expect_table_holds(*state, table, &items, kinds[k].name);
        assert_int_equal(table_stats(*state, table).free, 0);
        murDestroyTable(table);
        items_free(&items);
    }
}

static void the_reserved_value_is_refused_and_counted(void **state) {
    for (uint32_t k = 0; k < KIND_COUNT; ++k) {
        MurTable table = roomy_table(*state, &kinds[k], CAPACITY, 3);
        Items items = items_new(300);
        keys_with_any_home(&items, 0, 0, 3);
        items.keys[7] = extra_key(3);
        for (uint32_t i = 0; i < items.count; ++i) {
            items.values[i] = no_value(&kinds[k]);
        }
        for (uint32_t round = 1; round <= 2; ++round) {
            insert_items(*state, table, round == 1 ? MUR_MODE_KEEP : MUR_MODE_ASSIGN, &items);
            expect_statuses(&items, MUR_REFUSED, kinds[k].name);
            MurStats stats = table_stats(*state, table);
            assert_int_equal(stats.refused, round * items.count);
            assert_int_equal(stats.full, 0);
            assert_int_equal(stats.live + stats.erased, 0);
        }
        for (uint32_t i = 0; i < items.count; ++i) {
            assert_int_equal(items.slots[i], MUR_NO_SLOT);
        }
        murDestroyTable(table);
        items_free(&items);
    }
}

/* The other end of the values: legal. */
static void every_other_value_is_kept(void **state) {
    const uint32_t values[] = {0, 1, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFE, 0xFFFFFFFF};
    for (uint32_t k = 0; k < KIND_COUNT; ++k) {
        MurTable table = roomy_table(*state, &kinds[k], CAPACITY, 3);
        Items items = items_new(6);
        uint32_t count = 0;
        for (uint32_t i = 0; i < 6; ++i) {
            if (values[i] != no_value(&kinds[k])) {
                items.keys[count] = i;
                items.values[count++] = values[i];
            }
        }
        assert_int_equal(count, 5);
        Items legal = items_head(&items, count);
        insert_items(*state, table, MUR_MODE_ASSIGN, &legal);
        expect_statuses(&legal, MUR_INSERTED, kinds[k].name);
        expect_table_holds(*state, table, &legal, kinds[k].name);
        murDestroyTable(table);
        items_free(&items);
    }
}

static void a_sum_of_zero_is_absence(void **state) {
    for (uint32_t k = 0; k < KIND_COUNT; ++k) {
        if (kinds[k].reserved != MUR_RESERVED_VALUE_ZERO) {
            continue;
        }
        MurTable table = roomy_table(*state, &kinds[k], CAPACITY, 3);
        Items items = items_new(2);
        items.keys[0] = 12;
        items.keys[1] = extra_key(3);
        for (uint32_t step = 0; step < 3; ++step) {
            const uint32_t amounts[] = {5, -5u, 1};
            const uint32_t statuses[] = {MUR_INSERTED, MUR_EXISTED, MUR_INSERTED};
            items.values[0] = items.values[1] = amounts[step];
            insert_items(*state, table, MUR_MODE_ADD, &items);
            expect_statuses(&items, statuses[step], kinds[k].name);
            find_items(*state, table, &items);
            expect_statuses(&items, step == 1 ? MUR_ABSENT : MUR_FOUND, kinds[k].name);
        }
        murDestroyTable(table);
        items_free(&items);
    }
}

const struct CMUnitTest key_tests[] = {
    gpu_test(special_keys_are_like_any_other),
    gpu_test(the_extra_key_lives_in_slot_slot_count),
    gpu_test(the_extra_key_takes_every_mode),
    gpu_test(an_ordinary_key_takes_every_mode),
    gpu_test(the_extra_key_is_inserted_once_by_a_whole_batch),
    gpu_test(the_extra_key_fits_a_full_table),
    gpu_test(the_reserved_value_is_refused_and_counted),
    gpu_test(every_other_value_is_kept),
    gpu_test(a_sum_of_zero_is_absence),
};
const size_t key_test_count = sizeof key_tests / sizeof key_tests[0];
