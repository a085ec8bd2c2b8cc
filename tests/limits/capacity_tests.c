/* Capacities from 1 to 2^16 + 1: exactly full, fuller, full of erased keys, wrapped around.
 *
 * SPDX-License-Identifier: MIT */
#include "limits.h"
#include "support/seed.h"

#include <stdio.h>

enum { ABSENT = 100 };

/* 1 to 5, then 2^k - 1, 2^k, 2^k + 1. 0 ends the list. */
static uint32_t nth_capacity(uint32_t n, uint32_t largestPower) {
    if (n < 5) {
        return n + 1;
    }
    const uint32_t power = 3 + (n - 5) / 3;
    return power > largestPower ? 0 : (1u << power) - 1 + (n - 5) % 3;
}

/* Runs a test for each capacity: of kinds all for small ones, of large ones they take turns. */
static void for_each_capacity(Gpu *gpu, uint32_t largestPower,
                              void (*test)(Gpu *gpu, const TableKind *kind, uint32_t capacity)) {
    uint32_t capacity;
    for (uint32_t n = 0; (capacity = nth_capacity(n, largestPower)) != 0; ++n) {
        for (uint32_t k = 0; k < TABLE_KINDS; ++k) {
            const TableKind *kind = &table_kinds[k];
            const bool small = capacity < (test_full() ? 2048 : 64) && kind_is_usual(kind);
            if ((small || k == n % TABLE_KINDS) && gpu_offers(gpu, kind->format, kind->width)) {
                test(gpu, kind, capacity);
            }
        }
    }
}

/* capacity keys, however chosen, fit a table of this capacity and are where probes find them. */
static void fill_exactly(Gpu *gpu, const TableKind *kind, uint32_t capacity) {
    const uint32_t homes[] = {ANY_HOME, capacity / 2, capacity - 1};
    for (int i = 0; i < 3; ++i) {
        char what[96];
        snprintf(what, sizeof what, "capacity %u, home %u, %s", capacity, homes[i], kind->name);
        Pair pair = roomy_table(gpu, kind, capacity);
        Bulk items = make_items(&pair, homes[i], capacity);
        pair_insert(gpu, &pair, MUR_MODE_KEEP, &items);
        expect_statuses(&items, MUR_INSERTED, what);
        expect_table_holds(gpu, &pair, &items, what);
        bulk_close(&items);
        pair_close(gpu, &pair);
    }
}

GPU_TEST(exactly_full_fits_whatever_the_keys) {
    for_each_capacity(gpu, test_full() ? 12 : 10, fill_exactly);
}

/* Keys that do not fit are told so and counted; those that are there can be updated. */
static void require_full(Gpu *gpu, Pair *pair, Bulk *kept, Bulk *refused, const char *what) {
    for (uint32_t round = 1; round <= 2; ++round) {
        pair_insert(gpu, pair, round == 1 ? MUR_MODE_ASSIGN : MUR_MODE_KEEP, refused);
        expect_statuses(refused, MUR_FULL, what);
        assert_int_equal(refused->slots[0], MUR_NO_SLOT);
        assert_int_equal(gpu_stats(gpu, pair->table).full, round * refused->count);
    }
    pair_find(gpu, pair, refused);
    expect_statuses(refused, MUR_ABSENT, what);
    for (uint32_t i = 0; i < refused->count; ++i) { /* the find wrote values */
        bulk_set(refused, i, bulk_key(refused, i), 1);
    }
    for (uint32_t i = 0; i < kept->count; ++i) {
        bulk_set(kept, i, bulk_key(kept, i), i + 2);
    }
    pair_insert(gpu, pair, MUR_MODE_ASSIGN, kept);
    expect_statuses(kept, MUR_EXISTED, what);
    expect_table_holds(gpu, pair, kept, what);
}

/* All erased: the table is empty, and full for other keys. The same ones revive in their slots,
 * but in sets, where nothing fits any more. */
static void require_revival(Gpu *gpu, Pair *pair, Bulk *kept, Bulk *others, const char *what) {
    const bool set = kind_is_set(pair->kind);
    Bulk again = make_items(pair, ANY_HOME, kept->count);
    pair_erase(gpu, pair, &again);
    expect_statuses(&again, MUR_ERASED, what);
    assert_memory_equal(again.slots, kept->slots, 4 * kept->count);
    for (uint32_t i = 0; i < kept->count; ++i) {
        assert_true(set || bulk_value(&again, i) == bulk_value(kept, i));
        oracle_erase(&pair->oracle, bulk_key(kept, i));
    }
    pair_require_same(gpu, pair);
    pair_find(gpu, pair, &again);
    expect_statuses(&again, MUR_ABSENT, what);
    pair_erase(gpu, pair, &again);
    expect_statuses(&again, MUR_ABSENT, what);
    pair_insert(gpu, pair, MUR_MODE_KEEP, others);
    expect_statuses(others, MUR_FULL, what);
    bulk_close(&again);
    const Bulk before = *kept;
    Bulk revived = make_items(pair, ANY_HOME, kept->count);
    pair_insert(gpu, pair, MUR_MODE_KEEP, &revived);
    expect_statuses(&revived, set ? MUR_FULL : MUR_INSERTED, what);
    if (!set) {
        assert_memory_equal(revived.slots, before.slots, 4 * kept->count);
        expect_table_holds(gpu, pair, &revived, what);
    }
    bulk_close(&revived);
}

static void life_of_a_full_table(Gpu *gpu, const TableKind *kind, uint32_t capacity) {
    char what[96];
    snprintf(what, sizeof what, "capacity %u overfilled, %s", capacity, kind->name);
    Pair pair = boundless_table(gpu, kind, capacity);
    const uint32_t slotCount = pair.oracle.config.slotCount;
    Bulk items = make_items(&pair, ANY_HOME, slotCount + ABSENT);
    Bulk kept = bulk_part(&items, 0, slotCount), others = bulk_part(&items, slotCount, ABSENT);
    pair_insert(gpu, &pair, MUR_MODE_ASSIGN, &kept);
    expect_statuses(&kept, MUR_INSERTED, what);
    expect_table_holds(gpu, &pair, &kept, what);
    require_full(gpu, &pair, &kept, &others, what);
    require_revival(gpu, &pair, &kept, &others, what);
    gpu_require(murBlockingClear(gpu->blocking, pair.table));
    oracle_clear(&pair.oracle);
    pair_require_same(gpu, &pair);
    bulk_close(&items);
    pair_close(gpu, &pair);
}

/* Filling them takes quadratic time. */
GPU_TEST(every_slot_can_be_filled_and_no_more) {
    for_each_capacity(gpu, test_full() ? 12 : 9, life_of_a_full_table);
}

static void fill_to_the_last_slot(Gpu *gpu, const TableKind *kind, uint32_t capacity) {
    Pair pair = boundless_table(gpu, kind, capacity);
    const uint32_t slotCount = pair.oracle.config.slotCount;
    const uint32_t extra = kind->format == MUR_FORMAT_K64V32 ? 0 : pair.oracle.slots - slotCount;
    Bulk items = make_items(&pair, ANY_HOME, slotCount + extra);
    for (uint32_t i = 0; i < extra; ++i) {
        bulk_set(&items, slotCount + i, oracle_extra_key(kind->format, i, SEED), 1000 + i);
    }
    pair_insert(gpu, &pair, MUR_MODE_KEEP, &items);
    expect_statuses(&items, MUR_INSERTED, kind->name);
    assert_int_equal(murGetMaxEntries(pair.table), pair.oracle.slots);
    assert_true(slotCount + extra <= murGetMaxEntries(pair.table) && slotCount > capacity);
    expect_table_holds(gpu, &pair, &items, kind->name);
    gpu_require(murBlockingClear(gpu->blocking, pair.table));
    oracle_clear(&pair.oracle);
    pair_require_same(gpu, &pair);
    bulk_close(&items);
    pair_close(gpu, &pair);
}

/* Commands over a whole table round their grids up to workgroups of 256. Capacities in a row make
 * the last workgroup have one invocation, of a clear here, of an extraction there. */
GPU_TEST(whole_table_commands_reach_the_last_slot) {
    enum { FIRST = 860, LAST = 920 };
    bool clearEnds = false, scanEnds = false;
    for (uint32_t capacity = FIRST; capacity <= LAST; ++capacity) {
        const uint32_t sectors = oracle_slot_count(MUR_FORMAT_K32V32, capacity) / 4;
        clearEnds |= (sectors + 8) % 256 == 1;
        scanEnds |= (sectors + 1) % 256 == 1;
        fill_to_the_last_slot(gpu, &table_kinds[capacity % KINDS_OF_K32V32], capacity);
        const TableKind *other = &table_kinds[4 + capacity % (TABLE_KINDS - 4)];
        if (gpu_offers(gpu, other->format, other->width)) {
            fill_to_the_last_slot(gpu, other, capacity);
        }
    }
    assert_true(clearEnds && scanEnds); /* or the capacities are the wrong ones */
}
