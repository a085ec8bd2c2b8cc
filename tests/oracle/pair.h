/* A table beside its oracle.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MUR_TEST_PAIR_H
#define MUR_TEST_PAIR_H

#include "bulk.h"
#include "oracle.h"
#include "support/gpu.h"
#include "support/kinds.h"

/* A case that runs once for each kind that the device offers (and the tier has: kind_is_usual), and
 * says which: of all, of those that are not in buckets, or one of each layout of these. What
 * follows is the body of a function of gpu and kind. */
#define EACH_KIND(name)        KIND_CASE(name, for_each_kind)
#define EACH_LINEAR_KIND(name) KIND_CASE(name, for_each_linear_kind)
#define EACH_LAYOUT(name)      KIND_CASE(name, for_each_layout)
#define KIND_CASE(name, run)                                \
    static void name##_of(Gpu *gpu, const TableKind *kind); \
    GPU_TEST(name) {                                        \
        run(gpu, name##_of);                                \
    }                                                       \
    static void name##_of(Gpu *gpu, const TableKind *kind)
typedef void (*KindTest)(Gpu *gpu, const TableKind *kind);
void for_each_kind(Gpu *gpu, KindTest test);
void for_each_linear_kind(Gpu *gpu, KindTest test);
void for_each_layout(Gpu *gpu, KindTest test);

typedef struct Pair {
    const TableKind *kind;
    MurTable table;
    GpuBuffer memory; /* host-visible; handle 0: another's */
    uint32_t *words;
    Oracle oracle;
} Pair;

typedef struct PairOptions {
    uint32_t capacity, seed;
    uint64_t probeLimit;
    bool ages; /* of tables in buckets */
} PairOptions;

void pair_open(Gpu *gpu, Pair *pair, const TableKind *kind, const PairOptions *options);
/* In a part of a buffer; returns the offset after it. */
VkDeviceSize pair_open_in(Gpu *gpu, Pair *pair, const TableKind *kind, const PairOptions *options,
                          const GpuBuffer *buffer, VkDeviceSize offset);
void pair_close(Gpu *gpu, Pair *pair);

/* Fails unless the table's memory is that of the oracle; the second: and its statistics. */
void pair_require_memory(const Pair *pair);
void pair_require_same(Gpu *gpu, const Pair *pair);
/* Takes the table's memory into the oracle; fails if no table can look like this. */
void pair_adopt(Pair *pair);

/* The blocking calls on a table beside its oracle, the whole of the arrays. */
void pair_insert(Gpu *gpu, const Pair *pair, MurInsertMode mode, Bulk *bulk);
void pair_find(Gpu *gpu, const Pair *pair, Bulk *bulk);
void pair_erase(Gpu *gpu, const Pair *pair, Bulk *bulk);

#endif
