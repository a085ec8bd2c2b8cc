/* Random sequences of bulk commands against the oracle.
 * SPDX-License-Identifier: MIT */
#include "bulk_check.h"
#include "support/seed.h"
#include "support/watchdog.h"

#include <stdlib.h>

enum { SEQUENCES = 2000 };

/* Returns whether only the second table needs 64-bit atomics that the device lacks. */
static bool lacks_second_table(const Gpu *gpu, const Sequence *sequence) {
    const TableSpec *tables = sequence->tables;
    return !gpu->int64Atomics && tables[1].uses && !kind_is_wide(tables[0].kind) &&
           kind_is_wide(tables[1].kind);
}

/* Runs sequences first, first + step, ... below end. Each run has as many as fit into memory. */
static void run_sequences(Gpu *gpu, uint64_t first, uint64_t step, uint64_t end) {
    Runner *runner = runner_open(gpu);
    Sequence *sequences = test_allocate(MAX_RUNS * sizeof *sequences);
    bool right = true;
    watchdog(120 + (first < end ? (unsigned)((end - first) / step / 100) : 0));
    for (uint64_t seed = first; seed < end && right;) {
        for (uint32_t n = 0; n < MAX_RUNS && seed < end; seed += step) {
            sequence_generate(&sequences[n], seed);
            if (lacks_second_table(gpu, &sequences[n])) {
                sequence_close(&sequences[n]);
                continue;
            }
            if (!runner_add(runner, &sequences[n])) {
                break;
            }
            ++n;
        }
        right = check_runs(runner);
        for (uint32_t n = 0; n < MAX_RUNS; ++n) {
            sequence_close(&sequences[n]);
        }
    }
    free(sequences);
    runner_close(runner);
    assert_true(right);
}

static void run_kind(Gpu *gpu, KindName kind) {
    const uint64_t seed = test_seed(0), count = test_full() ? 15000 : SEQUENCES;
    const uint32_t first = (uint32_t)(seed % ALL_KINDS);
    run_sequences(gpu, seed + (kind + ALL_KINDS - first) % ALL_KINDS, ALL_KINDS, seed + count);
}

/* Defines a case for a table type. Its sequences use every probe limit. */
#define KIND_CASE(name)             \
    GPU_TEST(sequences_of_##name) { \
        run_kind(gpu, KIND_##name); \
    }
TABLE_KIND_NAMES(KIND_CASE)
BUCKET_KIND_NAMES(KIND_CASE)
