/* SPDX-License-Identifier: MIT */
#include "bulk.h"

#include "oracle.h"

#include <stdlib.h>
#include <string.h>

static bool wide_values(uint32_t format) {
    return format == MUR_FORMAT_K64V64;
}

Bulk bulk_open(uint32_t format, uint32_t count) {
    Bulk bulk = {.format = format, .count = count};
    bulk.keys = calloc(count + 1, 8);
    bulk.values = calloc(count + 1, 8);
    bulk.statuses = calloc(count + 1, 4);
    bulk.slots = calloc(count + 1, 4);
    if (!bulk.keys || !bulk.values || !bulk.statuses || !bulk.slots) {
        abort();
    }
    return bulk;
}

void bulk_close(Bulk *bulk) {
    free(bulk->keys);
    free(bulk->values);
    free(bulk->statuses);
    free(bulk->slots);
}

static void put(void *array, uint32_t i, bool wide, uint64_t number) {
    if (wide) {
        ((uint64_t *)array)[i] = number;
    } else {
        ((uint32_t *)array)[i] = (uint32_t)number;
    }
}

static uint64_t get(const void *array, uint32_t i, bool wide) {
    return wide ? ((const uint64_t *)array)[i] : ((const uint32_t *)array)[i];
}

void bulk_set(Bulk *bulk, uint32_t i, uint64_t key, uint64_t value) {
    put(bulk->keys, i, MUR_IS_64(bulk->format), key);
    put(bulk->values, i, wide_values(bulk->format), value);
}

uint64_t bulk_key(const Bulk *bulk, uint32_t i) {
    return get(bulk->keys, i, MUR_IS_64(bulk->format));
}

uint64_t bulk_value(const Bulk *bulk, uint32_t i) {
    return oracle_is_set(bulk->format) ? 0 : get(bulk->values, i, wide_values(bulk->format));
}

void *bulk_values(const Bulk *bulk) {
    return oracle_is_set(bulk->format) ? NULL : bulk->values;
}

/* Computes over[b]: an upper bound of the number of keys with first bucket b that do not fit into
 * it. Keys whose first bucket is full may use bucket b as their second bucket. All keys fit if one
 * of the two buckets of each key has the bound 0. */
bool bulk_always_fits(const Bulk *bulk, uint32_t slotCount, uint32_t seed) {
    const Oracle table = {.config = {.format = bulk->format, .slotCount = slotCount, .seed = seed}};
    const uint32_t buckets = slotCount / 16;
    uint32_t *over = calloc(2 * (size_t)buckets, sizeof *over), *left = over + buckets;
    uint32_t b = 0;
    bool fits = over != NULL;
    while (fits && b < buckets) {
        uint32_t most = 0;
        memcpy(left, over, buckets * sizeof *over);
        for (uint32_t i = 0; i < bulk->count; ++i) {
            const uint32_t first = oracle_bucket(&table, bulk_key(bulk, i), 0) / 16;
            const uint32_t second = oracle_bucket(&table, bulk_key(bulk, i), 1) / 16;
            most += first == b || (second == b && left[first] > 0);
            left[first] -= second == b && left[first] > 0;
            fits = fits && (over[first] == 0 || over[second] == 0);
        }
        const bool more = most > 16 + over[b];
        over[b] = more ? most - 16 : over[b];
        b = more ? 0 : b + 1;
    }
    free(over);
    return fits;
}
