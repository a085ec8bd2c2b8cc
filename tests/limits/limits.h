/* What the tests of limits share: kinds of tables, keys with chosen home slots, a check of a whole
 * table against what it should hold.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MUR_TEST_LIMITS_H
#define MUR_TEST_LIMITS_H

#include "support/gpu.h"

/* The kinds of tables that differ in code. */
typedef struct Kind {
    const char *name;
    MurAtomicWidth width;
    MurReservedValue reserved;
} Kind;

enum { KIND_COUNT = 4 };
extern const Kind kinds[KIND_COUNT];
uint32_t no_value(const Kind *kind);

/* Arrays of one length, as the blocking helper wants them. */
typedef struct Items {
    uint32_t count;
    uint32_t *keys;
    uint32_t *values;
    uint32_t *statuses;
    uint32_t *slots;
} Items;

Items items_new(uint32_t count);
void items_free(Items *items);

/* A table whose probes examine this many slots; probeLimit as in MurTableCreateInfo. */
MurTable limited_table(Gpu *gpu, const Kind *kind, uint64_t capacity, uint32_t seed,
                       uint64_t probeLimit);
/* A table that capacity keys always fit, whatever their hashes: probeLimit is the capacity. */
MurTable roomy_table(Gpu *gpu, const Kind *kind, uint64_t capacity, uint32_t seed);
/* A table of which a probe examines every slot. */
MurTable boundless_table(Gpu *gpu, const Kind *kind, uint64_t capacity, uint32_t seed);

/* The nth hash, upwards from 0, whose home slot this is. There are about 2^32 / capacity. */
uint32_t hash_with_home(uint32_t home, uint32_t capacity, uint32_t nth);

/* Fills keys[first ...] so that all have one home slot, or any; values are neither 0 nor 2^32 - 1.
 * No key is the one that lives in the extra slot. */
void keys_with_home(Items *items, uint32_t first, uint32_t home, uint32_t capacity, uint32_t seed);
void keys_with_any_home(Items *items, uint32_t first, uint64_t salt, uint32_t seed);

/* The first count items of an Items. */
Items items_head(const Items *items, uint32_t count);
/* The rest, from first on. */
Items items_tail(const Items *items, uint32_t first);

void insert_items(Gpu *gpu, MurTable table, MurInsertMode mode, Items *items);
void find_items(Gpu *gpu, MurTable table, Items *items);
void erase_items(Gpu *gpu, MurTable table, Items *items);
/* Fails the test unless each status is the one expected. what: for the message. */
void expect_statuses(const Items *items, uint32_t expected, const char *what);
MurStats table_stats(Gpu *gpu, MurTable table);

/* Fails the test unless the table holds exactly these items and nothing was ever erased: each is
 * found with its value, no two share a slot, no empty slot lies between a home and its key,
 * extraction gives the same, and the statistics are those of the slots. */
void expect_table_holds(Gpu *gpu, MurTable table, const Items *items, const char *what);

/* A list a source file. */
#define LIMITS_LISTS(X) \
    X(size)             \
    X(hash)             \
    X(murmur) X(capacity) X(probe) X(key) X(count) X(counter) X(repeat) X(extract) X(corruption)
#define LIMITS_DECLARE(name)                       \
    extern const struct CMUnitTest name##_tests[]; \
    extern const size_t name##_test_count;
LIMITS_LISTS(LIMITS_DECLARE)

#endif
