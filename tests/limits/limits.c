/* SPDX-License-Identifier: MIT */
#include "limits.h"

#include <stdlib.h>
#include <string.h>

const Kind kinds[KIND_COUNT] = {
    {"32-bit atomics, reserved 0xFFFFFFFF", MUR_ATOMIC_WIDTH_32, MUR_RESERVED_VALUE_MAX},
    {"64-bit atomics, reserved 0xFFFFFFFF", MUR_ATOMIC_WIDTH_64, MUR_RESERVED_VALUE_MAX},
    {"32-bit atomics, reserved 0", MUR_ATOMIC_WIDTH_32, MUR_RESERVED_VALUE_ZERO},
    {"64-bit atomics, reserved 0", MUR_ATOMIC_WIDTH_64, MUR_RESERVED_VALUE_ZERO},
};

uint32_t no_value(const Kind *kind) {
    return kind->reserved == MUR_RESERVED_VALUE_ZERO ? 0 : UINT32_MAX;
}

Items items_new(uint32_t count) {
    Items items = {.count = count};
    uint32_t **arrays[] = {&items.keys, &items.values, &items.statuses, &items.slots};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; ++i) {
        *arrays[i] = malloc((count + 1) * sizeof(uint32_t));
        assert_non_null(*arrays[i]);
        memset(*arrays[i], 0x5A, (count + 1) * sizeof(uint32_t));
    }
    return items;
}

void items_free(Items *items) {
    free(items->keys);
    free(items->values);
    free(items->statuses);
    free(items->slots);
}

MurTable limited_table(Gpu *gpu, const Kind *kind, uint64_t capacity, uint32_t seed,
                       uint64_t probeLimit) {
    const MurTableCreateInfo info = {
        .capacity = capacity,
        .seed = seed,
        .reservedValue = kind->reserved,
        .atomicWidth = kind->width,
        .probeLimit = probeLimit,
        .pName = kind->name,
    };
    return gpu_table(gpu, &info);
}

MurTable roomy_table(Gpu *gpu, const Kind *kind, uint64_t capacity, uint32_t seed) {
    return limited_table(gpu, kind, capacity, seed, capacity);
}

MurTable boundless_table(Gpu *gpu, const Kind *kind, uint64_t capacity, uint32_t seed) {
    return limited_table(gpu, kind, capacity, seed, UINT64_MAX); /* means slotCount */
}

uint32_t hash_with_home(uint32_t home, uint32_t capacity, uint32_t nth) {
    uint64_t first = (((uint64_t)home << 32) + capacity - 1) / capacity;
    uint64_t hash = first + nth;
    if (hash > UINT32_MAX || mur_home((uint32_t)hash, capacity) != home) {
        fail_msg("no %u hashes have home slot %u of %u", nth + 1, home, capacity);
    }
    return (uint32_t)hash;
}

static uint32_t some_value(uint32_t i) {
    return 1 + i % 0xFFFFFFF0u;
}

void keys_with_home(Items *items, uint32_t first, uint32_t home, uint32_t capacity, uint32_t seed) {
    for (uint32_t i = first; i < items->count; ++i) {
        uint32_t hash = hash_with_home(home, capacity, i);
        assert_true(hash != MUR_EMPTY);
        items->keys[i] = mur_key(hash, seed);
        items->values[i] = some_value(i);
    }
}

void keys_with_any_home(Items *items, uint32_t first, uint64_t salt, uint32_t seed) {
    for (uint32_t i = first; i < items->count; ++i) {
        uint32_t key = (i ^ (uint32_t)salt) * 0x9E3779B1u; /* odd: no two are the same */
        items->keys[i] = mur_hash(key, seed) == MUR_EMPTY ? 0xFFFFFFFFu ^ key : key;
        items->values[i] = some_value(i);
    }
}

Items items_head(const Items *items, uint32_t count) {
    Items head = *items;
    head.count = count;
    return head;
}

Items items_tail(const Items *items, uint32_t first) {
    return (Items){
        .count = items->count - first,
        .keys = items->keys + first,
        .values = items->values + first,
        .statuses = items->statuses + first,
        .slots = items->slots + first,
    };
}

void insert_items(Gpu *gpu, MurTable table, MurInsertMode mode, Items *items) {
    gpu_require(murBlockingInsert(gpu->blocking, table, mode, items->count, items->keys,
                                  items->values, items->statuses, items->slots));
}

void find_items(Gpu *gpu, MurTable table, Items *items) {
    gpu_require(murBlockingFind(gpu->blocking, table, items->count, items->keys, items->values,
                                items->statuses, items->slots));
}

void erase_items(Gpu *gpu, MurTable table, Items *items) {
    gpu_require(murBlockingErase(gpu->blocking, table, items->count, items->keys, items->values,
                                 items->statuses, items->slots));
}

void expect_statuses(const Items *items, uint32_t expected, const char *what) {
    for (uint32_t i = 0; i < items->count; ++i) {
        if (items->statuses[i] != expected) {
            fail_msg("%s: item %u of %u, key 0x%x: %s, expected %s", what, i, items->count,
                     items->keys[i], murStatusName(items->statuses[i]), murStatusName(expected));
        }
    }
}

MurStats table_stats(Gpu *gpu, MurTable table) {
    MurStats stats;
    gpu_require(murBlockingStats(gpu->blocking, table, &stats));
    return stats;
}

/* What the statistics should say of one entry. */
static void count_entry(MurStats *expected, const MurTableRef *ref, uint32_t hash, uint32_t slot) {
    uint32_t length = 1;
    if (slot < ref->slotCount) {
        uint32_t home = mur_home(hash, ref->capacity);
        length = (slot + ref->slotCount - home) % ref->slotCount + 1;
        if (slot < home) {
            expected->state |= MUR_STATE_WRAPPED;
        }
    }
    uint32_t bucket = 0;
    while (length >> (bucket + 1)) {
        ++bucket;
    }
    ++expected->live;
    ++expected->probeHistogram[bucket];
    expected->probeSum += length;
    expected->probeMax = length > expected->probeMax ? length : expected->probeMax;
}

static void expect_stats(Gpu *gpu, MurTable table, const MurStats *expected, const char *what) {
    MurStats stats = table_stats(gpu, table);
    uint32_t slots = murGetTableRef(table).slotCount + 1;
    stats.state &= MUR_STATE_WRAPPED; /* the order is not this test's */
    if (stats.live != expected->live || stats.erased != 0 || stats.free != slots - expected->live ||
        stats.state != expected->state || stats.probeSum != expected->probeSum ||
        stats.probeMax != expected->probeMax ||
        memcmp(stats.probeHistogram, expected->probeHistogram, sizeof stats.probeHistogram) != 0) {
        fail_msg("%s: statistics: live %u (expected %u), erased %u, free %u of %u, state %u (%u), "
                 "probe sum %llu (%llu), longest %u (%u), or the histogram",
                 what, stats.live, expected->live, stats.erased, stats.free, slots, stats.state,
                 expected->state, (unsigned long long)stats.probeSum,
                 (unsigned long long)expected->probeSum, stats.probeMax, expected->probeMax);
    }
}

/* No empty slot between a home and its key, or a probe would not get there. */
static void expect_reachable(const Items *found, const MurTableRef *ref, const bool *taken,
                             const char *what) {
    for (uint32_t i = 0; i < found->count; ++i) {
        uint32_t slot = mur_home(mur_hash(found->keys[i], ref->seed), ref->capacity);
        while (found->slots[i] < ref->slotCount && slot != found->slots[i]) {
            if (!taken[slot]) {
                fail_msg("%s: key 0x%x is in slot %u, behind the empty slot %u", what,
                         found->keys[i], found->slots[i], slot);
            }
            slot = slot + 1 == ref->slotCount ? 0 : slot + 1;
        }
    }
}

static void expect_found(Gpu *gpu, MurTable table, const Items *items, Items *found, bool *taken,
                         const char *what) {
    const MurTableRef ref = murGetTableRef(table);
    memcpy(found->keys, items->keys, items->count * sizeof *items->keys);
    find_items(gpu, table, found);
    expect_statuses(found, MUR_FOUND, what);
    for (uint32_t i = 0; i < items->count; ++i) {
        if (found->values[i] != items->values[i] || found->slots[i] > ref.slotCount + 1 ||
            taken[found->slots[i]]) {
            fail_msg(
                "%s: key 0x%x: value 0x%x, expected 0x%x, in slot %u of %u%s", what, items->keys[i],
                found->values[i], items->values[i], found->slots[i], ref.slotCount,
                found->slots[i] <= ref.slotCount + 1 && taken[found->slots[i]] ? ", taken" : "");
        }
        taken[found->slots[i]] = true;
    }
}

/* The extraction, by slot, must give what the lookups gave. */
static void expect_extracted(Gpu *gpu, MurTable table, const Items *found, const char *what) {
    uint32_t slotCount = murGetTableRef(table).slotCount;
    Items all = items_new(found->count);
    uint32_t *bySlot = calloc((size_t)slotCount + 1, sizeof *bySlot); /* 1 + index of the item */
    assert_non_null(bySlot);
    for (uint32_t i = 0; i < found->count; ++i) {
        bySlot[found->slots[i]] = i + 1;
    }
    uint32_t count;
    gpu_require(murBlockingExtract(gpu->blocking, table, 0, NULL, all.count, all.keys, all.values,
                                   all.slots, &count));
    if (count != found->count) {
        fail_msg("%s: %u entries extracted, expected %u", what, count, found->count);
    }
    for (uint32_t i = 0; i < count; ++i) {
        uint32_t item = all.slots[i] <= slotCount ? bySlot[all.slots[i]] : 0;
        if (item == 0 || all.keys[i] != found->keys[item - 1] ||
            all.values[i] != found->values[item - 1]) {
            fail_msg("%s: extracted {0x%x, 0x%x} from slot %u, which is not there, or twice", what,
                     all.keys[i], all.values[i], all.slots[i]);
        }
        bySlot[all.slots[i]] = 0;
    }
    free(bySlot);
    items_free(&all);
}

void expect_table_holds(Gpu *gpu, MurTable table, const Items *items, const char *what) {
    const MurTableRef ref = murGetTableRef(table);
    Items found = items_new(items->count);
    bool *taken = calloc((size_t)ref.slotCount + 1, sizeof *taken);
    assert_non_null(taken);
    expect_found(gpu, table, items, &found, taken, what);
    expect_reachable(&found, &ref, taken, what);
    expect_extracted(gpu, table, &found, what);
    MurStats expected = {0};
    for (uint32_t i = 0; i < found.count; ++i) {
        count_entry(&expected, &ref, mur_hash(found.keys[i], ref.seed), found.slots[i]);
    }
    expect_stats(gpu, table, &expected, what);
    free(taken);
    items_free(&found);
}
