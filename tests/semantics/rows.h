/* Cases as rows of data: tables, keys, commands and expectations (property/sequence.h), which the
 * runner of random sequences runs and judges against the oracle.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MUR_TEST_ROWS_H
#define MUR_TEST_ROWS_H

#include "oracle/pair.h"
#include "property/bulk_check.h"
#include "support/seed.h"

#include <kernels/push.h>

typedef struct Rows {
    Gpu *gpu;
    Runner *runner;
    uint32_t count;
    Sequence sequences[MAX_RUNS];
} Rows;

void rows_open(Rows **rows, Gpu *gpu);
void rows_close(Rows **rows);

/* Adds a row. Where it leaves them out: tables are of K32V32 with 64-bit atomics; the second
 * one has the kind of the first, without buckets; commands have way WAY_DEFAULT, and no item
 * fails for want of room. Finds, an extraction and statistics of the current table follow,
 * unless it is bare. Rows with a kind that the device lacks are left out. */
void row_add(Rows *rows, const Sequence *row);
#define ROW(...) row_add(*rows, &(const Sequence){__VA_ARGS__})

/* A case: the body adds rows to rows, of the fixture gpu. They run when it ends. */
#define ROWS(name) GPU_CASE(name, Rows *, rows, rows_open, rows_close)
/* The same for each kind, each kind not in buckets, or each layout of these. */
#define ROWS_OF_EACH(name, each)                                    \
    static void name##_of_kind(Rows **rows, const TableKind *kind); \
    static void name##_add(Gpu *gpu, const TableKind *kind) {       \
        Rows *opened, **rows = &opened;                             \
        rows_open(rows, gpu);                                       \
        name##_of_kind(rows, kind);                                 \
        rows_close(rows);                                           \
    }                                                               \
    GPU_TEST(name) {                                                \
        each(gpu, name##_add);                                      \
    }                                                               \
    static void name##_of_kind(Rows **rows, const TableKind *kind)

/* Of the cases of a sweep that are alike: all, or every second one in the normal tier. */
static inline uint32_t sweep_first(void) {
    return test_full() ? 0 : 1;
}
static inline uint32_t sweep_after(uint32_t i) {
    return i + (test_full() ? 1 : 2);
}

#endif
