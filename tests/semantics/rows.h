/* Cases as rows of data: tables, keys, commands and expectations (property/sequence.h). The runner
 * of random sequences runs them and compares them with the oracle.
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

/* Adds a row: one sequence of commands. Defaults: tables have the type K32V32 with 64-bit atomics;
 * the second table has the linear type of the first; commands use WAY_DEFAULT; all items must fit.
 * At the end, the runner adds finds, an extraction and statistics of the current table, except to
 * bare rows. Skips rows with types that the device does not support. */
void row_add(Rows *rows, const Sequence *row);
#define ROW(...) row_add(*rows, &(const Sequence){__VA_ARGS__})

/* A case whose body adds rows. Its parameters are gpu and rows. The rows run after the body. */
#define ROWS(name) GPU_CASE(name, Rows *, rows, rows_open, rows_close)
/* Cases like ROWS for each type, for each linear type, or for one linear type per layout. */
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

/* First case and step of a loop over similar cases: the normal tier runs every second case. */
static inline uint32_t sweep_first(void) {
    return test_full() ? 0 : 1;
}
static inline uint32_t sweep_after(uint32_t i) {
    return i + (test_full() ? 1 : 2);
}

#endif
