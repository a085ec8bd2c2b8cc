/* Arrays of a bulk call, with keys and values in the table's format.
 * SPDX-License-Identifier: MIT */
#ifndef MUR_TEST_BULK_H
#define MUR_TEST_BULK_H

#include <stdbool.h>
#include <stdint.h>

typedef struct Bulk {
    uint32_t format, count;
    void *keys, *values;
    uint32_t *statuses, *slots;
} Bulk;
Bulk bulk_open(uint32_t format, uint32_t count);
void bulk_close(Bulk *bulk);
void bulk_set(Bulk *bulk, uint32_t i, uint64_t key, uint64_t value);
uint64_t bulk_key(const Bulk *bulk, uint32_t i);
uint64_t bulk_value(const Bulk *bulk, uint32_t i); /* 0 for sets */
/* Returns the array of values; NULL for sets. */
void *bulk_values(const Bulk *bulk);
/* Returns whether these keys, which must differ, fit into the buckets in every order of inserts. */
bool bulk_always_fits(const Bulk *bulk, uint32_t slotCount, uint32_t seed);

#endif
