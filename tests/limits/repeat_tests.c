/* The same key from many items of one command: one entry comes of them, one of them is told that it
 * inserted it, and the value is that of all of them. And keys that were erased.
 *
 * SPDX-License-Identifier: MIT */
#include "limits.h"

#include <string.h>

enum { CAPACITY = 2000, ITEMS = 1000 };

/* What is kept is a value, not a key that has none any more. */
EACH_KIND(erased_keys_are_inserted_again) {
    Pair pair = roomy_table(gpu, kind, CAPACITY);
    Bulk items = make_items(&pair, ANY_HOME, ITEMS);
    Bulk half = bulk_part(&items, 0, ITEMS / 2), rest = bulk_part(&items, ITEMS / 2, ITEMS / 2);
    pair_insert(gpu, &pair, MUR_MODE_KEEP, &items);
    expect_statuses(&items, MUR_INSERTED, "first");
    pair_insert(gpu, &pair, MUR_MODE_KEEP, &items);
    expect_statuses(&items, MUR_EXISTED, "again");
    pair_erase(gpu, &pair, &half);
    expect_statuses(&half, MUR_ERASED, "half of them");
    pair_insert(gpu, &pair, MUR_MODE_KEEP, &items);
    expect_statuses(&half, MUR_INSERTED, "the erased ones");
    expect_statuses(&rest, MUR_EXISTED, "the others");
    expect_table_holds(gpu, &pair, &items, kind->name);
    bulk_close(&items);
    pair_close(gpu, &pair);
}

/* ---- At once -------------------------------------------------------------------------------- */

typedef enum Spread { ONE_KEY, FEW_KEYS, SOME_TWICE } Spread;

typedef struct Join {
    const TableKind *kind;
    MurInsertMode mode;
    Spread spread;
    uint32_t keys;
    Bulk items;
} Join;

static uint32_t rank_of(const Join *join, uint32_t item) {
    return join->spread == SOME_TWICE ? item / 2 : item * 7 % join->keys;
}

static uint64_t key_of(const Join *join, uint32_t rank) {
    const uint32_t format = join->kind->format;
    return join->spread == SOME_TWICE
               ? oracle_key(format, oracle_hash_of(format, mur_hash(rank, 1), 0), SEED)
               : hard_key(format, SEED, rank);
}

static uint64_t value_of(const Join *join, uint32_t item) {
    const uint64_t low = mur_hash(item, 3) % 5 == 0 ? 7 : mur_hash(item, 3) | 1;
    return join->kind->format == MUR_FORMAT_K64V64 ? low | (uint64_t)mur_hash(item, 4) % 9 << 32
                                                   : low & 0x7FFFFFFF;
}

static void require_key(const Join *join, const Oracle *oracle, uint32_t rank) {
    const OracleResult found = oracle_find(oracle, key_of(join, rank));
    uint64_t expected = oracle->none;
    uint32_t inserted = 0;
    bool given = kind_is_set(join->kind), last = false;
    for (uint32_t i = 0; i < join->items.count; ++i) {
        if (rank_of(join, i) != rank) {
            continue;
        }
        const uint32_t status = join->items.statuses[i];
        const bool own = value_of(join, i) == found.value;
        assert_true(status == MUR_INSERTED || status == MUR_EXISTED);
        assert_int_equal(join->items.slots[i], found.slot);
        inserted += status == MUR_INSERTED;
        given = given || own;
        last = last || (own && status == MUR_EXISTED); /* who came first did not come last */
        expected = oracle_combine(oracle, join->mode, expected, value_of(join, i));
    }
    const bool joins = join->mode > MUR_MODE_KEEP;
    const bool replaces = join->mode == MUR_MODE_ASSIGN && !kind_is_set(join->kind);
    if (inserted != 1 || found.status != MUR_FOUND || (joins ? found.value != expected : !given) ||
        (replaces && !last)) {
        fail_msg("%s, mode %u, spread %d, key %u: 0x%llx, inserted %u times", join->kind->name,
                 join->mode, (int)join->spread, rank, (unsigned long long)found.value, inserted);
    }
}

static void join_items(Gpu *gpu, const TableKind *kind, MurInsertMode mode, Spread spread,
                       uint32_t count) {
    Join join = {kind, mode, spread, 0, bulk_open(kind->format, count)};
    join.keys = spread == ONE_KEY ? 1 : spread == FEW_KEYS ? HARD_KEYS : count / 2;
    Pair pair = roomy_table(gpu, kind, join.keys);
    for (uint32_t i = 0; i < count; ++i) {
        bulk_set(&join.items, i, key_of(&join, rank_of(&join, i)), value_of(&join, i));
    }
    pair_insert(gpu, &pair, mode, &join.items);
    pair_adopt(&pair);
    for (uint32_t rank = 0; rank < join.keys; ++rank) {
        require_key(&join, &pair.oracle, rank);
    }
    bulk_close(&join.items);
    pair_close(gpu, &pair);
}

EACH_KIND(one_entry_comes_of_many_items) {
    for (MurInsertMode mode = MUR_MODE_ASSIGN; mode <= MUR_MODE_OR; ++mode) {
        if (kind_offers(kind, mode)) {
            join_items(gpu, kind, mode, ONE_KEY, ITEMS);
            join_items(gpu, kind, mode, FEW_KEYS, 200); /* of one workgroup */
            join_items(gpu, kind, mode, FEW_KEYS, 5000);
            join_items(gpu, kind, mode, SOME_TWICE, ITEMS);
        }
    }
}

/* As if they came one after the other: the sum is 0, and so the key absent. */
EACH_KIND(sums_that_cancel_out_leave_nothing) {
    if (!kind_offers(kind, MUR_MODE_ADD)) {
        return;
    }
    Pair pair = roomy_table(gpu, kind, CAPACITY);
    Bulk items = bulk_open(kind->format, ITEMS);
    for (uint32_t i = 0; i < ITEMS; ++i) {
        const uint64_t value = i / 2 + 1;
        bulk_set(&items, i, i / 2 % 50, i % 2 ? 0 - value : value);
    }
    pair_insert(gpu, &pair, MUR_MODE_ADD, &items);
    for (uint32_t i = 0; i < ITEMS; ++i) {
        assert_true(items.statuses[i] == MUR_INSERTED || items.statuses[i] == MUR_EXISTED);
    }
    pair_find(gpu, &pair, &items);
    expect_statuses(&items, MUR_ABSENT, kind->name);
    assert_int_equal(gpu_stats(gpu, pair.table).live, 0);
    bulk_close(&items);
    pair_close(gpu, &pair);
}

/* Each item is told, and counted. */
static void fail_by_mode(Gpu *gpu, const TableKind *kind, MurInsertMode mode) {
    enum { THIRD = 300 };
    const bool set = kind_is_set(kind);
    Pair pair = boundless_table(gpu, kind, 50);
    /* Of buckets each is full when there are so many keys. */
    Bulk fill = make_items(&pair, ANY_HOME, pair.oracle.config.slotCount * (kind->flags ? 20 : 1));
    pair_insert(gpu, &pair, mode, &fill);
    const MurStats before = gpu_stats(gpu, pair.table);
    assert_int_equal(before.live, pair.oracle.config.slotCount);
    assert_int_equal(before.live + before.full, fill.count);
    uint32_t there = 0;
    while (fill.statuses[there] != MUR_INSERTED) {
        ++there;
    }
    Bulk items = bulk_open(kind->format, 3 * THIRD);
    for (uint32_t i = 0; i < items.count; ++i) {
        bulk_set(&items, i,
                 i % 3 == 1 ? bulk_key(&fill, there) : key_with_any_home(&pair, fill.count + 7),
                 i % 3 == 2 ? pair.oracle.none : 3);
    }
    pair_insert(gpu, &pair, mode, &items);
    for (uint32_t i = 0; i < items.count; ++i) {
        const uint32_t expected = i % 3 == 1          ? MUR_EXISTED
                                  : i % 3 == 0 || set ? MUR_FULL
                                                      : MUR_REFUSED;
        assert_int_equal(items.statuses[i], expected);
        assert_true(i % 3 == 1 || items.slots[i] == MUR_NO_SLOT);
    }
    const MurStats stats = gpu_stats(gpu, pair.table);
    assert_int_equal(stats.full - before.full, set ? 2 * THIRD : THIRD);
    assert_int_equal(stats.refused, set ? 0 : THIRD);
    bulk_close(&items);
    bulk_close(&fill);
    pair_close(gpu, &pair);
}

EACH_KIND(items_that_fail_do_so_one_by_one) {
    for (MurInsertMode mode = MUR_MODE_ASSIGN; mode <= MUR_MODE_OR; ++mode) {
        if (kind_offers(kind, mode)) {
            fail_by_mode(gpu, kind, mode);
        }
    }
}
