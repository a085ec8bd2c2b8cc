/* Capacities from 1 to 2^16 + 1: exactly full, fuller, full of erased keys, wrapped around.
 *
 * SPDX-License-Identifier: MIT */
#include "limits.h"
#include "support/seed.h"
#include "support/watchdog.h"

#include <stdio.h>
#include <string.h>

enum { LARGEST_POWER = 16, SEED = 0x5EED, ABSENT = 100 };

/* 1 to 5, then 2^k - 1, 2^k, 2^k + 1. 0 ends the list. */
static uint32_t nth_capacity(uint32_t n, uint32_t largestPower) {
    if (n < 5) {
        return n + 1;
    }
    uint32_t power = 3 + (n - 5) / 3;
    return power > largestPower ? 0 : (1u << power) - 1 + (n - 5) % 3;
}

typedef void Choose(Items *items, uint32_t capacity);

static void any_home(Items *items, uint32_t capacity) {
    keys_with_any_home(items, 0, (uint64_t)capacity << 20, SEED);
}

static void middle_home(Items *items, uint32_t capacity) {
    keys_with_home(items, 0, capacity / 2, capacity, SEED);
}

static void last_home(Items *items, uint32_t capacity) {
    keys_with_home(items, 0, capacity - 1, capacity, SEED);
}

/* capacity keys, however chosen, fit a table of this capacity and are where probes find them. */
static void fill_exactly(Gpu *gpu, const Kind *kind, uint32_t capacity, Choose *choose) {
    char what[96];
    snprintf(what, sizeof what, "capacity %u, %s", capacity, kind->name);
    MurTable table = roomy_table(gpu, kind, capacity, SEED);
    Items items = items_new(capacity);
    choose(&items, capacity);
    insert_items(gpu, table, MUR_MODE_KEEP, &items);
    expect_statuses(&items, MUR_INSERTED, what);
    expect_table_holds(gpu, table, &items, what);
    murDestroyTable(table);
    items_free(&items);
}

static void fill_all_exactly(Gpu *gpu, uint32_t largestPower, Choose *choose) {
    uint32_t capacity;
    for (uint32_t n = 0; (capacity = nth_capacity(n, largestPower)) != 0; ++n) {
        for (uint32_t k = 0; k < KIND_COUNT; ++k) {
            /* Large ones take turns. */
            if (capacity < (test_full() ? 8192 : 128) || k == n % KIND_COUNT) {
                fill_exactly(gpu, &kinds[k], capacity, choose);
            }
        }
    }
}

static void exactly_full_of_any_keys_fits(void **state) {
    fill_all_exactly(*state, test_full() ? LARGEST_POWER : 11, any_home);
}

static void exactly_full_with_one_home_fits(void **state) {
    fill_all_exactly(*state, 11, middle_home);
}

static void exactly_full_with_the_last_home_fits(void **state) {
    fill_all_exactly(*state, 11, last_home);
}

/* One key for each home slot, then the padding's, then absent ones: filling a table to its last
 * slot with these costs little, where random keys would take quadratic time. */
static void spread_homes(Items *items, uint32_t capacity, uint32_t slotCount) {
    for (uint32_t i = 0; i < items->count; ++i) {
        uint32_t hash;
        if (i < capacity) {
            hash = hash_with_home(i, capacity, 0);
        } else if (i < slotCount) {
            hash = hash_with_home(capacity - 1, capacity, 1 + i - capacity);
        } else { /* not the last home */
            hash = hash_with_home((i - slotCount) * 251 % (capacity - 1), capacity, 4);
        }
        items->keys[i] = mur_key(hash, SEED);
        items->values[i] = 1 + i;
    }
}

/* A table filled to its last slot; ABSENT more items at the end of items were refused. */
static MurTable overfill(Gpu *gpu, const Kind *kind, uint32_t capacity, Items *items,
                         const char *what) {
    bool large = capacity > 1 << 12;
    MurTable table = large ? limited_table(gpu, kind, capacity, SEED, 0)
                           : boundless_table(gpu, kind, capacity, SEED);
    uint32_t slotCount = murGetTableRef(table).slotCount;
    *items = items_new(slotCount + ABSENT);
    if (large) {
        spread_homes(items, capacity, slotCount);
    } else {
        any_home(items, capacity);
    }
    Items kept = items_head(items, slotCount);
    Items refused = items_tail(items, slotCount);
    insert_items(gpu, table, MUR_MODE_ASSIGN, &kept);
    expect_statuses(&kept, MUR_INSERTED, what);
    assert_int_equal(table_stats(gpu, table).full, 0);
    insert_items(gpu, table, MUR_MODE_ASSIGN, &refused);
    expect_statuses(&refused, MUR_FULL, what);
    for (uint32_t i = 0; i < ABSENT; ++i) {
        assert_int_equal(refused.slots[i], MUR_NO_SLOT);
    }
    return table;
}

/* Filling them takes quadratic time. */
static uint32_t small_power(void) {
    return test_full() ? 12 : 10;
}

static void for_each_overfilled(Gpu *gpu, uint32_t largestPower,
                                void (*check)(Gpu *gpu, MurTable table, Items *items)) {
    uint32_t capacity;
    for (uint32_t n = 0; (capacity = nth_capacity(n, largestPower)) != 0; ++n) {
        if (!test_full() && capacity > 1 << 12 && capacity <= 1 << LARGEST_POWER) {
            continue;
        }
        const Kind *kind = &kinds[n % KIND_COUNT];
        char what[96];
        snprintf(what, sizeof what, "capacity %u overfilled, %s", capacity, kind->name);
        Items items;
        MurTable table = overfill(gpu, kind, capacity, &items, what);
        check(gpu, table, &items);
        murDestroyTable(table);
        items_free(&items);
    }
}

static void check_full_content(Gpu *gpu, MurTable table, Items *items) {
    Items kept = items_head(items, items->count - ABSENT);
    Items refused = items_tail(items, items->count - ABSENT);
    expect_table_holds(gpu, table, &kept, "full");
    find_items(gpu, table, &refused);
    expect_statuses(&refused, MUR_ABSENT, "refused by a full table");
}

static void every_slot_can_be_filled_and_no_more(void **state) {
    for_each_overfilled(*state, LARGEST_POWER, check_full_content);
}

static void check_full_count(Gpu *gpu, MurTable table, Items *items) {
    MurStats stats = table_stats(gpu, table);
    assert_int_equal(stats.full, ABSENT);
    assert_int_equal(stats.refused, 0);
    assert_int_equal(stats.live, murGetTableRef(table).slotCount);
    assert_int_equal(stats.free, 1); /* the extra slot */
    Items refused = items_tail(items, items->count - ABSENT);
    insert_items(gpu, table, MUR_MODE_KEEP, &refused);
    expect_statuses(&refused, MUR_FULL, "once more");
    assert_int_equal(table_stats(gpu, table).full, 2 * ABSENT);
}

static void what_does_not_fit_is_counted_exactly(void **state) {
    for_each_overfilled(*state, small_power(), check_full_count);
}

static void check_full_update(Gpu *gpu, MurTable table, Items *items) {
    Items kept = items_head(items, items->count - ABSENT);
    for (uint32_t i = 0; i < kept.count; ++i) {
        kept.values[i] += 1;
    }
    insert_items(gpu, table, MUR_MODE_ASSIGN, &kept);
    expect_statuses(&kept, MUR_EXISTED, "update in a full table");
    expect_table_holds(gpu, table, &kept, "updated");
}

static void keys_of_a_full_table_can_be_updated(void **state) {
    for_each_overfilled(*state, small_power(), check_full_update);
}

static void check_tombstones(Gpu *gpu, MurTable table, Items *items) {
    Items kept = items_head(items, items->count - ABSENT);
    Items others = items_tail(items, items->count - ABSENT);
    erase_items(gpu, table, &kept);
    expect_statuses(&kept, MUR_ERASED, "erase all");
    MurStats stats = table_stats(gpu, table);
    assert_int_equal(stats.live, 0);
    assert_int_equal(stats.erased, kept.count);
    assert_int_equal(stats.free, 1);
    assert_int_equal(stats.probeMax, 0);
    uint32_t count;
    gpu_require(murBlockingExtract(gpu->blocking, table, 0, NULL, 0, NULL, NULL, NULL, &count));
    assert_int_equal(count, 0);
    Items found = items_new(kept.count);
    memcpy(found.keys, kept.keys, kept.count * sizeof *kept.keys);
    find_items(gpu, table, &found);
    expect_statuses(&found, MUR_ABSENT, "find among erased keys");
    erase_items(gpu, table, &found);
    expect_statuses(&found, MUR_ABSENT, "erase twice");
    items_free(&found);
    insert_items(gpu, table, MUR_MODE_KEEP, &others);
    expect_statuses(&others, MUR_FULL, "another key among erased ones");
}

static void a_table_of_erased_keys_is_empty_and_full(void **state) {
    for_each_overfilled(*state, small_power(), check_tombstones);
}

static void check_revival(Gpu *gpu, MurTable table, Items *items) {
    Items kept = items_head(items, items->count - ABSENT);
    Items before = items_new(kept.count);
    memcpy(before.slots, kept.slots, kept.count * sizeof *kept.slots);
    Items erased = kept;
    erased.values = before.values; /* erase writes them */
    erase_items(gpu, table, &erased);
    insert_items(gpu, table, MUR_MODE_KEEP, &kept);
    expect_statuses(&kept, MUR_INSERTED, "revive");
    assert_memory_equal(before.slots, kept.slots, kept.count * sizeof *kept.slots);
    expect_table_holds(gpu, table, &kept, "revived");
    items_free(&before);
}

static void erased_keys_revive_in_their_own_slots(void **state) {
    for_each_overfilled(*state, small_power(), check_revival);
}

static void check_clear(Gpu *gpu, MurTable table, Items *items) {
    (void)items;
    gpu_require(murBlockingClear(gpu->blocking, table));
    MurStats stats = table_stats(gpu, table);
    assert_int_equal(stats.free, murGetTableRef(table).slotCount + 1);
    assert_int_equal(stats.full, 0);
    assert_int_equal(stats.state & MUR_STATE_WRAPPED, 0);
}

static void clearing_a_full_table_resets_everything(void **state) {
    for_each_overfilled(*state, small_power(), check_clear);
}

/* How many keys with the last home slot fit before a cluster wraps. */
static uint32_t room_at_the_end(const MurTableRef *ref) {
    return ref->slotCount - (ref->capacity - 1);
}

/* A table whose last cluster has count keys, one at a time so that slots follow the items. */
static MurTable end_cluster(Gpu *gpu, const Kind *kind, uint32_t capacity, uint32_t count,
                            Items *items) {
    MurTable table = roomy_table(gpu, kind, capacity, SEED);
    *items = items_new(count);
    last_home(items, capacity);
    for (uint32_t i = 0; i < count; ++i) {
        gpu_require(murBlockingInsert(gpu->blocking, table, MUR_MODE_KEEP, 1, &items->keys[i],
                                      &items->values[i], &items->statuses[i], &items->slots[i]));
    }
    return table;
}

static void a_cluster_up_to_the_last_slot_does_not_wrap(void **state) {
    for (uint32_t k = 0; k < KIND_COUNT; ++k) {
        Items items;
        MurTable empty = roomy_table(*state, &kinds[k], 31, SEED);
        const MurTableRef ref = murGetTableRef(empty);
        uint32_t room = room_at_the_end(&ref);
        murDestroyTable(empty);
        MurTable table = end_cluster(*state, &kinds[k], 31, room, &items);
        assert_int_equal(items.slots[room - 1], ref.slotCount - 1);
        assert_int_equal(table_stats(*state, table).state & MUR_STATE_WRAPPED, 0);
        expect_table_holds(*state, table, &items, kinds[k].name);
        murDestroyTable(table);
        items_free(&items);
    }
}

static void one_key_more_wraps_to_slot_0(void **state) {
    for (uint32_t k = 0; k < KIND_COUNT; ++k) {
        Items items;
        MurTable empty = roomy_table(*state, &kinds[k], 31, SEED);
        const MurTableRef ref = murGetTableRef(empty);
        uint32_t room = room_at_the_end(&ref);
        murDestroyTable(empty);
        MurTable table = end_cluster(*state, &kinds[k], 31, room + 3, &items);
        for (uint32_t i = 0; i < 3; ++i) {
            assert_int_equal(items.slots[room + i], i);
        }
        MurStats stats = table_stats(*state, table);
        assert_int_equal(stats.state & MUR_STATE_WRAPPED, MUR_STATE_WRAPPED);
        assert_int_equal(stats.probeMax, room + 3);
        expect_table_holds(*state, table, &items, kinds[k].name);
        murDestroyTable(table);
        items_free(&items);
    }
}

static void wrapped_keys_can_be_erased_and_revived(void **state) {
    for (uint32_t k = 0; k < KIND_COUNT; ++k) {
        Items items;
        MurTable table = end_cluster(*state, &kinds[k], 31, 20, &items);
        Items wrapped = items_tail(&items, 15);
        uint32_t slots[5], values[5];
        memcpy(slots, wrapped.slots, sizeof slots);
        memcpy(values, wrapped.values, sizeof values);
        erase_items(*state, table, &wrapped);
        expect_statuses(&wrapped, MUR_ERASED, kinds[k].name);
        assert_memory_equal(wrapped.slots, slots, sizeof slots);
        assert_memory_equal(wrapped.values, values, sizeof values);
        find_items(*state, table, &wrapped);
        expect_statuses(&wrapped, MUR_ABSENT, kinds[k].name);
        memcpy(wrapped.values, values, sizeof values);
        insert_items(*state, table, MUR_MODE_KEEP, &wrapped);
        expect_statuses(&wrapped, MUR_INSERTED, kinds[k].name);
        expect_table_holds(*state, table, &items, kinds[k].name);
        murDestroyTable(table);
        items_free(&items);
    }
}

/* 2^20 slots are about what a software device fills in reasonable time: absent keys must be turned
 * away within the default probe limit, which is that of 2^17 slots, and quickly. */
static void a_large_full_table_turns_keys_away(void **state) {
    enum { TURNED_AWAY = 1024 };
    const uint32_t slots = test_full() ? 1 << 20 : 1 << 17, capacity = slots - 4096;
    const MurTableCreateInfo info = {.capacity = capacity, .seed = SEED};
    MurTable table = gpu_table(*state, &info);
    assert_int_equal(murGetTableRef(table).slotCount, slots);
    Items items = items_new(slots + TURNED_AWAY);
    spread_homes(&items, capacity, slots);
    Items kept = items_head(&items, slots);
    Items absent = items_tail(&items, slots);
    insert_items(*state, table, MUR_MODE_KEEP, &kept);
    expect_statuses(&kept, MUR_INSERTED, "fill");
    watchdog(10);
    insert_items(*state, table, MUR_MODE_KEEP, &absent);
    expect_statuses(&absent, MUR_FULL, "absent keys");
    assert_int_equal(table_stats(*state, table).full, TURNED_AWAY);
    find_items(*state, table, &absent);
    expect_statuses(&absent, MUR_ABSENT, "absent keys");
    murDestroyTable(table);
    items_free(&items);
}

/* Commands over a whole table round their grids up to workgroups of 256. Capacities in a row make
 * the last workgroup have one invocation, of a clear here, of an extraction there. */
static void whole_table_commands_reach_the_last_slot(void **state) {
    enum { FIRST = 860, LAST = 920 };
    bool clearEnds = false, scanEnds = false;
    for (uint32_t capacity = FIRST; capacity <= LAST; ++capacity) {
        char what[32];
        snprintf(what, sizeof what, "capacity %u", capacity);
        MurTable table = boundless_table(*state, &kinds[capacity % KIND_COUNT], capacity, SEED);
        uint32_t slotCount = murGetTableRef(table).slotCount;
        clearEnds |= (slotCount / 4 + 8) % 256 == 1;
        scanEnds |= (slotCount / 4 + 1) % 256 == 1;
        Items items = items_new(slotCount + 1);
        any_home(&items, capacity);
        items.keys[slotCount] = mur_key(MUR_EMPTY, SEED); /* lives in the extra slot */
        insert_items(*state, table, MUR_MODE_KEEP, &items);
        expect_statuses(&items, MUR_INSERTED, what);
        expect_table_holds(*state, table, &items, what);
        gpu_require(murBlockingClear(((Gpu *)*state)->blocking, table));
        assert_int_equal(table_stats(*state, table).free, slotCount + 1);
        murDestroyTable(table);
        items_free(&items);
    }
    assert_true(clearEnds && scanEnds); /* or the capacities are the wrong ones */
}

const struct CMUnitTest capacity_tests[] = {
    gpu_test(exactly_full_of_any_keys_fits),
    gpu_test(exactly_full_with_one_home_fits),
    gpu_test(exactly_full_with_the_last_home_fits),
    gpu_test(every_slot_can_be_filled_and_no_more),
    gpu_test(what_does_not_fit_is_counted_exactly),
    gpu_test(keys_of_a_full_table_can_be_updated),
    gpu_test(a_table_of_erased_keys_is_empty_and_full),
    gpu_test(erased_keys_revive_in_their_own_slots),
    gpu_test(clearing_a_full_table_resets_everything),
    gpu_test(a_cluster_up_to_the_last_slot_does_not_wrap),
    gpu_test(one_key_more_wraps_to_slot_0),
    gpu_test(wrapped_keys_can_be_erased_and_revived),
    gpu_test(whole_table_commands_reach_the_last_slot),
    gpu_test(a_large_full_table_turns_keys_away),
};
const size_t capacity_test_count = sizeof capacity_tests / sizeof capacity_tests[0];
