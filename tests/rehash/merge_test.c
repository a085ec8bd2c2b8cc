/* murCmdMerge: the union of two tables of every kind, by every mode, against the oracle.
 *
 * SPDX-License-Identifier: MIT */
#include "rehash_check.h"

enum { THERE = 700 };

/* The destination has keys from count / 2 on; those that do not fit are counted. */
static void merge(Gpu *gpu, const RehashCase *test, MurInsertMode mode) {
    RehashRun run = rehash_open(gpu, test);
    const MurRehash besides = rehash_arguments(&run);
    rehash_fill(test, &run.other, test->count / 2, test->count / 2 + THERE, 3);
    Oracle expected = oracle_copy(&run.other.oracle);
    MurRehashResult right = {.dropped = run.dropped};
    for (uint32_t slot = 0; slot < run.source.slots; ++slot) {
        uint64_t key, value;
        if (oracle_entry(&run.source, slot, &key, &value)) {
            const uint32_t status = oracle_insert(&expected, mode, key, value).status;
            right.moved += status != MUR_FULL && status != MUR_ABSENT;
            right.failed += status == MUR_FULL;
        }
    }
    gpu_begin(gpu);
    gpu_barrier(gpu);
    gpu_require(murCmdMerge(gpu->cmd, run.from.table, run.other.table, mode, &besides));
    gpu_submit(gpu);
    pair_adopt(&run.other);
    const MurRehashResult *result = run.result.mapped;
    assert_int_equal(result->moved, right.moved);
    assert_int_equal(result->dropped, right.dropped);
    assert_int_equal(result->failed, right.failed);
    assert_int_equal(result->state & MUR_STATE_WRAPPED,
                     run.other.oracle.wrapped ? MUR_STATE_WRAPPED : 0);
    assert_int_equal(right.failed != 0, test->overfull);
    assert_int_equal(run.other.oracle.full, right.failed);
    assert_int_equal(rehash_check_map(&run), right.moved);
    /* Which of them did not fit may differ, how many may not. */
    assert_int_equal(oracle_stats(&run.other.oracle).live, oracle_stats(&expected).live);
    for (uint32_t i = 0; i < test->count + THERE && !test->overfull; ++i) {
        const uint64_t key = rehash_key(test, i);
        const uint64_t found = oracle_value(&run.other.oracle, key);
        if (found != oracle_value(&expected, key)) {
            fail_msg("mode %d, key 0x%llx: 0x%llx, expected 0x%llx", (int)mode,
                     (unsigned long long)key, (unsigned long long)found,
                     (unsigned long long)oracle_value(&expected, key));
        }
    }
    rehash_check_source(&run);
    oracle_close(&expected);
    rehash_close(&run);
}

/* Of formats with both widths now and then from one to the other. */
static const TableKind *other_width(const TableKind *kind, uint32_t mode) {
    const uint32_t i = (uint32_t)(kind - table_kinds);
    return mode % 2 && i < KINDS_WITH_WIDTHS ? &table_kinds[i ^ 2] : kind_without_buckets(kind);
}

EACH_KIND(every_mode) {
    for (uint32_t mode = 0; mode <= MUR_MODE_UPDATE; ++mode) {
        const TableKind *to = other_width(kind, mode);
        const RehashCase test = {.name = "merge",
                                 .kind = kind,
                                 .toKind = to,
                                 .from = kind->flags ? 2000 : 1000, /* where all keys fit */
                                 .to = 2000,
                                 .count = 800,
                                 .erased = 3,
                                 .keys = KEYS_HARD,
                                 .newSeed = mode % 2 == 1};
        if (kind_offers(kind, mode) && gpu_offers(gpu, to->format, to->width)) {
            merge(gpu, &test, (MurInsertMode)mode);
        }
    }
}

EACH_LAYOUT(what_does_not_fit_is_counted) {
    const RehashCase test = {.name = "overfull",
                             .kind = kind,
                             .from = 1000,
                             .to = 800,
                             .count = 800,
                             .erased = 2,
                             .overfull = true};
    merge(gpu, &test, MUR_MODE_KEEP);
}
