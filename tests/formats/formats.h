/* What the tests of formats share: the kinds of tables, keys that are hard on them, tables beside
 * their models.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MUR_TEST_FORMATS_H
#define MUR_TEST_FORMATS_H

#include "model.h"
#include "support/gpu.h"

typedef struct FormatKind {
    const char *name;
    uint32_t format;
    MurAtomicWidth width;
} FormatKind;

enum { KIND_COUNT = 5 };
extern const FormatKind format_kinds[KIND_COUNT];

/* Runs a test once for each kind; print_message names it. */
void for_each_kind(void **state, void (*test)(Gpu *gpu, const FormatKind *kind));

/* Key number i whose hash, for this seed, is awkward: halves that are 0, a marker, or next to one,
 * few different low halves, home slots together or at the ends. All different. */
enum { HARD_KEYS = 48 };
uint64_t hard_key(uint32_t format, uint32_t seed, uint32_t i);

/* A table, its memory and its model. */
typedef struct Pair {
    MurTable table;
    GpuBuffer memory; /* host-visible; handle 0: another's */
    const uint32_t *words;
    Model model;
} Pair;

typedef struct PairOptions {
    uint32_t capacity, seed;
    uint64_t probeLimit;
    bool zero;
    bool moves; /* the table is for rehash, too */
} PairOptions;

void pair_open(Gpu *gpu, Pair *pair, const FormatKind *kind, const PairOptions *options);
/* In a part of a buffer; returns the offset after it. */
VkDeviceSize pair_open_in(Gpu *gpu, Pair *pair, const FormatKind *kind, const PairOptions *options,
                          const GpuBuffer *buffer, VkDeviceSize offset);
void pair_close(Gpu *gpu, Pair *pair);

/* Fails unless the table's memory and statistics are those of the model. */
void pair_require_same(Gpu *gpu, const Pair *pair);
/* Takes the table's memory into the model; fails if no table can look like this. */
void pair_adopt(Pair *pair);

/* Arrays of a bulk call, keys and values as the format has them. */
typedef struct Bulk {
    uint32_t format, count;
    void *keys, *values;
    uint32_t *statuses, *slots;
} Bulk;
Bulk bulk_open(uint32_t format, uint32_t count);
void bulk_close(Bulk *bulk);
void bulk_set(Bulk *bulk, uint32_t i, uint64_t key, uint64_t value);
uint64_t bulk_key(const Bulk *bulk, uint32_t i);
uint64_t bulk_value(const Bulk *bulk, uint32_t i); /* sets: 0 */
/* NULL for sets. */
void *bulk_values(const Bulk *bulk);

#endif
