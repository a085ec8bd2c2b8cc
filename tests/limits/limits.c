/* SPDX-License-Identifier: MIT */
#include "limits.h"

#include <stdlib.h>

Pair roomy_table(Gpu *gpu, const TableKind *kind, uint32_t capacity) {
    Pair pair;
    capacity = kind->flags ? 4 * capacity + 1000 : capacity; /* where all fit into their buckets */
    pair_open(gpu, &pair, kind,
              &(PairOptions){.capacity = capacity, .seed = SEED, .probeLimit = capacity});
    return pair;
}

Pair boundless_table(Gpu *gpu, const TableKind *kind, uint32_t capacity) {
    Pair pair;
    pair_open(gpu, &pair, kind,
              &(PairOptions){.capacity = capacity, .seed = SEED, .probeLimit = UINT64_MAX});
    return pair;
}

uint32_t word_with_home(uint32_t home, uint32_t capacity, uint32_t nth) {
    const uint64_t first = (((uint64_t)home << 32) + capacity - 1) / capacity;
    const uint64_t word = first + nth;
    if (word > UINT32_MAX || mur_home((uint32_t)word, capacity) != home) {
        fail_msg("no %u hashes have home slot %u of %u", nth + 1, home, capacity);
    }
    return (uint32_t)word;
}

uint64_t key_with_home(const Pair *pair, uint32_t home, uint32_t i) {
    const OracleConfig *c = &pair->oracle.config;
    const uint32_t word = word_with_home(home, c->capacity, MUR_IS_64(c->format) ? i % 3 : i);
    return oracle_key(c->format, oracle_hash_of(c->format, word, i), c->seed);
}

uint64_t key_with_any_home(const Pair *pair, uint32_t i) {
    const OracleConfig *c = &pair->oracle.config;
    const uint32_t word = i * 0x9E3779B1u; /* odd: no two are the same */
    return oracle_key(c->format, oracle_hash_of(c->format, word < UINT32_MAX - 2 ? word : 1, i),
                      c->seed);
}

Bulk make_items(const Pair *pair, uint32_t home, uint32_t count) {
    Bulk items = bulk_open(pair->kind->format, count);
    for (uint32_t i = 0; i < count; ++i) {
        bulk_set(&items, i,
                 home == ANY_HOME ? key_with_any_home(pair, i) : key_with_home(pair, home, i),
                 i + 1);
    }
    return items;
}

void expect_statuses(const Bulk *items, uint32_t expected, const char *what) {
    for (uint32_t i = 0; i < items->count; ++i) {
        if (items->statuses[i] != expected) {
            fail_msg("%s: item %u of %u, key 0x%llx: %s, expected %s", what, i, items->count,
                     (unsigned long long)bulk_key(items, i), murStatusName(items->statuses[i]),
                     murStatusName(expected));
        }
    }
}

/* The extraction gives each entry of the oracle once. */
static void expect_extracted(Gpu *gpu, const Pair *pair, uint32_t entries, const char *what) {
    Bulk all = bulk_open(pair->kind->format, pair->oracle.slots);
    bool *seen = calloc(pair->oracle.slots, sizeof *seen);
    uint32_t count = 0;
    assert_non_null(seen);
    gpu_require(murBlockingExtract(gpu->blocking, pair->table, 0, NULL, all.count, all.keys,
                                   bulk_values(&all), all.slots, &count));
    assert_int_equal(count, entries);
    for (uint32_t i = 0; i < count; ++i) {
        uint64_t key = 0, value = 0;
        if (!oracle_entry(&pair->oracle, all.slots[i], &key, &value) || seen[all.slots[i]] ||
            bulk_key(&all, i) != key || (bulk_values(&all) && bulk_value(&all, i) != value)) {
            fail_msg("%s: extracted key 0x%llx from slot %u, which is not there, or twice", what,
                     (unsigned long long)bulk_key(&all, i), all.slots[i]);
        }
        seen[all.slots[i]] = true;
    }
    free(seen);
    bulk_close(&all);
}

void expect_table_holds(Gpu *gpu, Pair *pair, const Bulk *items, const char *what) {
    Bulk found = bulk_open(items->format, items->count);
    pair_adopt(pair);
    for (uint32_t i = 0; i < items->count; ++i) {
        bulk_set(&found, i, bulk_key(items, i), 0);
    }
    pair_find(gpu, pair, &found);
    expect_statuses(&found, MUR_FOUND, what);
    for (uint32_t i = 0; i < items->count; ++i) {
        const OracleResult there = oracle_find(&pair->oracle, bulk_key(items, i));
        if (there.status != MUR_FOUND || there.slot != items->slots[i] ||
            found.slots[i] != there.slot || bulk_value(&found, i) != bulk_value(items, i) ||
            (bulk_values(items) && there.value != bulk_value(items, i))) {
            fail_msg("%s: key 0x%llx: value 0x%llx in slot %u, expected 0x%llx in slot %u", what,
                     (unsigned long long)bulk_key(items, i),
                     (unsigned long long)bulk_value(&found, i), found.slots[i],
                     (unsigned long long)bulk_value(items, i), items->slots[i]);
        }
    }
    bulk_close(&found);
    assert_int_equal(oracle_stats(&pair->oracle).live, items->count);
    expect_extracted(gpu, pair, items->count, what);
    pair_require_same(gpu, pair);
}
