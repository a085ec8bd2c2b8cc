/* The probe limit, to the slot.
 *
 * SPDX-License-Identifier: MIT */
#include "limits.h"

#include <stdio.h>

enum { CAPACITY = 1000 };

/* Slots that a probe from this home examines, as the header documents it: at least the limit, in
 * whole sectors, where the home's own sector counts from the home on. */
static uint32_t examined(const TableKind *kind, uint32_t home, uint32_t probeLimit) {
    const uint32_t slots = 8 / oracle_slot_words(kind->format); /* of a sector */
    return ((probeLimit + slots - 1) / slots + 1) * slots - home % slots;
}

/* A cluster exactly as long as the probe examines is found to its last key; one key more is full.
 */
static void probe_to_the_end(Gpu *gpu, const TableKind *kind, uint32_t home, uint32_t probeLimit) {
    char what[128];
    snprintf(what, sizeof what, "home %u, probe limit %u, %s", home, probeLimit, kind->name);
    Pair pair;
    pair_open(gpu, &pair, kind,
              &(PairOptions){.capacity = CAPACITY, .seed = SEED, .probeLimit = probeLimit});
    const uint32_t reach = examined(kind, home, probeLimit);
    assert_true(reach >= probeLimit);
    Bulk items = make_items(&pair, home, reach + 1);
    Bulk kept = bulk_part(&items, 0, reach), last = bulk_part(&items, reach, 1);
    pair_insert(gpu, &pair, MUR_MODE_KEEP, &kept);
    expect_statuses(&kept, MUR_INSERTED, what);
    expect_table_holds(gpu, &pair, &kept, what);
    assert_int_equal(oracle_stats(&pair.oracle).probeMax, reach);
    pair_insert(gpu, &pair, MUR_MODE_KEEP, &last);
    expect_statuses(&last, MUR_FULL, what);
    pair_find(gpu, &pair, &last);
    expect_statuses(&last, MUR_ABSENT, what);
    assert_int_equal(gpu_stats(gpu, pair.table).full, 1);
    bulk_close(&items);
    pair_close(gpu, &pair);
}

EACH_LAYOUT(a_probe_examines_exactly_its_limit) {
    static const uint32_t limits[] = {1, 2, 3, 4, 5, 7, 8, 9, 31, 32, 33, 100};
    for (uint32_t i = 0; i < sizeof limits / sizeof limits[0]; ++i) {
        probe_to_the_end(gpu, kind, 500 + i % 8, limits[i]);
        probe_to_the_end(gpu, kind, 500 + (i * 3 + 5) % 8, limits[i]);
    }
    /* Where the probe passes the last slot: more than the padding. */
    for (uint32_t home = CAPACITY - 4; home < CAPACITY; ++home) {
        probe_to_the_end(gpu, kind, home, 150);
    }
}

/* A cluster of keys that are all at home: the first foreign key goes to the last slot that its
 * probe examines, the next finds none. */
EACH_LAYOUT(the_default_limit_stops_a_huge_cluster) {
    enum { ROOMY = 40000, DEFAULT = 16384, HOME = 101 };
    const uint32_t length = examined(kind, HOME, DEFAULT);
    Pair pair;
    pair_open(gpu, &pair, kind, &(PairOptions){.capacity = ROOMY, .seed = SEED});
    Bulk items = bulk_open(kind->format, length + 10);
    for (uint32_t i = 0; i < items.count; ++i) {
        const uint32_t word = i < length - 1 ? word_with_home(HOME + i, ROOMY, 0)
                                             : word_with_home(HOME, ROOMY, 1 + i);
        bulk_set(&items, i, oracle_key(kind->format, oracle_hash_of(kind->format, word, i), SEED),
                 1 + i);
    }
    Bulk cluster = bulk_part(&items, 0, length - 1), last = bulk_part(&items, length - 1, 1);
    Bulk kept = bulk_part(&items, 0, length), refused = bulk_part(&items, length, 10);
    pair_insert(gpu, &pair, MUR_MODE_KEEP, &cluster);
    expect_statuses(&cluster, MUR_INSERTED, "cluster");
    pair_insert(gpu, &pair, MUR_MODE_KEEP, &last);
    expect_statuses(&last, MUR_INSERTED, "within the default limit");
    assert_int_equal(last.slots[0], HOME + length - 1);
    pair_insert(gpu, &pair, MUR_MODE_KEEP, &refused);
    expect_statuses(&refused, MUR_FULL, "beyond the default limit");
    expect_table_holds(gpu, &pair, &kept, kind->name);
    bulk_close(&items);
    pair_close(gpu, &pair);
}

EACH_LAYOUT(a_limit_above_the_slots_means_the_slots) {
    const uint64_t slotCount = oracle_slot_count(kind->format, CAPACITY);
    const uint64_t limits[] = {slotCount, slotCount + 1, UINT32_MAX, 1ull << 32, UINT64_MAX};
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; ++i) {
        Pair pair;
        pair_open(gpu, &pair, kind,
                  &(PairOptions){.capacity = CAPACITY, .seed = SEED, .probeLimit = limits[i]});
        assert_int_equal(murGetTableRef(pair.table).probeSectors,
                         slotCount * oracle_slot_words(kind->format) / 8 + 1);
        pair_close(gpu, &pair);
    }
}
