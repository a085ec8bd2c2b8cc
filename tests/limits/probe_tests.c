/* The probe limit, to the slot.
 *
 * SPDX-License-Identifier: MIT */
#include "limits.h"

#include <stdio.h>

enum { SEED = 11, CAPACITY = 1000 };

/* Slots that a probe from this home examines, as the header documents it: at least the limit, in
 * whole sectors, where the home's own sector counts from the home on. */
static uint32_t examined(uint32_t home, uint32_t probeLimit) {
    uint32_t sectors = (probeLimit + MUR_SECTOR_SLOTS - 1) / MUR_SECTOR_SLOTS + 1;
    return sectors * MUR_SECTOR_SLOTS - home % MUR_SECTOR_SLOTS;
}

/* A cluster exactly as long as the probe examines is found to its last key; one key more is full.
 */
static void probe_to_the_end(Gpu *gpu, const Kind *kind, uint32_t home, uint32_t probeLimit) {
    char what[128];
    snprintf(what, sizeof what, "home %u, probe limit %u, %s", home, probeLimit, kind->name);
    MurTable table = limited_table(gpu, kind, CAPACITY, SEED, probeLimit);
    Items items = items_new(examined(home, probeLimit) + 1);
    assert_true(items.count - 1 >= probeLimit);
    keys_with_home(&items, 0, home, CAPACITY, SEED);
    Items kept = items_head(&items, items.count - 1);
    Items last = items_tail(&items, items.count - 1);
    insert_items(gpu, table, MUR_MODE_KEEP, &kept);
    expect_statuses(&kept, MUR_INSERTED, what);
    expect_table_holds(gpu, table, &kept, what);
    insert_items(gpu, table, MUR_MODE_KEEP, &last);
    expect_statuses(&last, MUR_FULL, what);
    find_items(gpu, table, &last);
    expect_statuses(&last, MUR_ABSENT, what);
    MurStats stats = table_stats(gpu, table);
    assert_int_equal(stats.full, 1);
    assert_int_equal(stats.probeMax, kept.count);
    murDestroyTable(table);
    items_free(&items);
}

static void a_probe_examines_exactly_its_limit(void **state) {
    static const uint32_t limits[] = {1, 2, 3, 4, 5, 7, 8, 9, 31, 32, 33, 100};
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; ++i) {
        for (uint32_t home = 500; home < 504; ++home) {
            probe_to_the_end(*state, &kinds[(i + home) % KIND_COUNT], home, limits[i]);
        }
    }
}

/* The same where the probe passes the last slot. */
static void a_probe_that_wraps_examines_exactly_its_limit(void **state) {
    for (uint32_t home = CAPACITY - 4; home < CAPACITY; ++home) {
        for (uint32_t k = 0; k < KIND_COUNT; ++k) {
            probe_to_the_end(*state, &kinds[k], home, 150); /* more than the padding */
        }
    }
}

static void a_key_beyond_the_limit_can_be_erased_never_inserted(void **state) {
    MurTable table = limited_table(*state, &kinds[0], CAPACITY, SEED, 8);
    Items items = items_new(12);
    keys_with_home(&items, 0, 0, CAPACITY, SEED);
    insert_items(*state, table, MUR_MODE_KEEP, &items);
    expect_statuses(&items, MUR_INSERTED, "fill");
    Items more = items_new(13);
    keys_with_home(&more, 0, 0, CAPACITY, SEED);
    Items last = items_tail(&more, 12);
    erase_items(*state, table, &items);
    insert_items(*state, table, MUR_MODE_KEEP, &last);
    expect_statuses(&last, MUR_FULL, "erased keys keep their slots");
    murDestroyTable(table);
    items_free(&items);
    items_free(&more);
}

/* A cluster of keys that are all at home: the first foreign key goes to the last slot that its
 * probe examines, the next finds none. */
static void the_default_limit_stops_a_huge_cluster(void **state) {
    enum { ROOMY = 40000, DEFAULT = 16384, HOME = 101 };
    for (uint32_t k = 0; k < KIND_COUNT; ++k) {
        MurTable table = limited_table(*state, &kinds[k], ROOMY, SEED, 0);
        uint32_t length = examined(HOME, DEFAULT);
        Items items = items_new(length + 10);
        for (uint32_t i = 0; i < items.count; ++i) {
            uint32_t hash = i < length - 1 ? hash_with_home(HOME + i, ROOMY, 0)
                                           : hash_with_home(HOME, ROOMY, 1 + i);
            items.keys[i] = mur_key(hash, SEED);
            items.values[i] = 1 + i;
        }
        Items cluster = items_head(&items, length - 1);
        Items kept = items_head(&items, length);
        Items last = items_tail(&kept, length - 1);
        Items refused = items_tail(&items, length);
        insert_items(*state, table, MUR_MODE_KEEP, &cluster);
        expect_statuses(&cluster, MUR_INSERTED, "cluster");
        insert_items(*state, table, MUR_MODE_KEEP, &last);
        expect_statuses(&last, MUR_INSERTED, "within the default limit");
        assert_int_equal(last.slots[0], HOME + length - 1);
        insert_items(*state, table, MUR_MODE_KEEP, &refused);
        expect_statuses(&refused, MUR_FULL, "beyond the default limit");
        expect_table_holds(*state, table, &kept, kinds[k].name);
        murDestroyTable(table);
        items_free(&items);
    }
}

static void a_limit_above_the_slots_means_the_slots(void **state) {
    MurTable roomy = boundless_table(*state, &kinds[0], CAPACITY, SEED);
    const uint64_t slotCount = murGetTableRef(roomy).slotCount;
    murDestroyTable(roomy);
    const uint64_t limits[] = {slotCount, slotCount + 1, UINT32_MAX, 1ull << 32, UINT64_MAX};
    uint32_t sectors = 0;
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; ++i) {
        MurTable table = limited_table(*state, &kinds[0], CAPACITY, SEED, limits[i]);
        const MurTableRef ref = murGetTableRef(table);
        if (ref.probeSectors != ref.slotCount / MUR_SECTOR_SLOTS + 1) {
            fail_msg("limit %llu: %u sectors of %u slots", (unsigned long long)limits[i],
                     ref.probeSectors, ref.slotCount);
        }
        assert_true(sectors == 0 || sectors == ref.probeSectors);
        sectors = ref.probeSectors;
        murDestroyTable(table);
    }
}

/* The last slots that a probe of a whole table examines are those before the home slot in its own
 * sector: fill all others first. */
static void a_probe_comes_back_to_the_slots_before_its_home(void **state) {
    for (uint32_t k = 0; k < KIND_COUNT; ++k) {
        MurTable table = boundless_table(*state, &kinds[k], 31, SEED);
        const MurTableRef ref = murGetTableRef(table);
        Items items = items_new(ref.slotCount);
        keys_with_home(&items, 0, 15, 31, SEED); /* the last slot of its sector */
        for (uint32_t i = 0; i < items.count; ++i) {
            Items one = items_head(&items, i + 1);
            one = items_tail(&one, i);
            insert_items(*state, table, MUR_MODE_KEEP, &one);
            assert_int_equal(items.slots[i], (15 + i) % ref.slotCount);
        }
        expect_table_holds(*state, table, &items, kinds[k].name);
        MurStats stats = table_stats(*state, table);
        assert_int_equal(stats.probeMax, ref.slotCount);
        murDestroyTable(table);
        items_free(&items);
    }
}

const struct CMUnitTest probe_tests[] = {
    gpu_test(a_probe_examines_exactly_its_limit),
    gpu_test(a_probe_that_wraps_examines_exactly_its_limit),
    gpu_test(a_key_beyond_the_limit_can_be_erased_never_inserted),
    gpu_test(the_default_limit_stops_a_huge_cluster),
    gpu_test(a_limit_above_the_slots_means_the_slots),
    gpu_test(a_probe_comes_back_to_the_slots_before_its_home),
};
const size_t probe_test_count = sizeof probe_tests / sizeof probe_tests[0];
