/* A table and its oracle.
 * SPDX-License-Identifier: MIT */
#ifndef MUR_TEST_PAIR_H
#define MUR_TEST_PAIR_H

#include "bulk.h"
#include "oracle.h"
#include "support/gpu.h"
#include "support/kinds.h"

/* Cases that run once per table type, if the device supports the type and the tier has it
 * (kind_is_usual). They print its name. The types are all types, all linear types, or one linear
 * type per layout. The body is a function with the parameters gpu and kind. */
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
    GpuBuffer memory; /* host-visible; zero if another buffer contains the table */
    uint32_t *words;
    Oracle oracle;
} Pair;

typedef struct PairOptions {
    uint32_t capacity, seed;
    uint64_t probeLimit;
    bool ages; /* the table has ages; only bucketed tables can */
} PairOptions;

void pair_open(Gpu *gpu, Pair *pair, const TableKind *kind, const PairOptions *options);
/* Opens the table at an offset of a buffer. Returns the offset after the table. */
VkDeviceSize pair_open_in(Gpu *gpu, Pair *pair, const TableKind *kind, const PairOptions *options,
                          const GpuBuffer *buffer, VkDeviceSize offset);
void pair_close(Gpu *gpu, Pair *pair);

/* Fail if table memory differs from the oracle's. pair_require_same also compares statistics. */
void pair_require_memory(const Pair *pair);
void pair_require_same(Gpu *gpu, const Pair *pair);
/* Copies table memory to the oracle. Fails the test if the memory is not that of a valid table. */
void pair_adopt(Pair *pair);

/* Blocking calls with all arrays, on a table and its oracle. Fail if the results differ. */
void pair_insert(Gpu *gpu, const Pair *pair, MurInsertMode mode, Bulk *bulk);
void pair_find(Gpu *gpu, const Pair *pair, Bulk *bulk);
void pair_erase(Gpu *gpu, const Pair *pair, Bulk *bulk);

#endif
