/* murCmdMerge: the union of two tables, by every mode, against the oracle.
 *
 * SPDX-License-Identifier: MIT */
#include "oracle/oracle.h"
#include "support/gpu.h"

#include <stdlib.h>

enum { KEYS = 3000 }; /* keys 0 ... KEYS / 2 - 1 are in the source, KEYS / 4 ... in both */

typedef struct MergeCase {
    MurInsertMode mode;
    bool zero, fromWide, toWide, newSeed, overfull;
} MergeCase;

static uint32_t key_of(uint32_t i, uint32_t seed) {
    return i == KEYS / 3 ? oracle_key(MUR_EMPTY, seed) : 77 * i;
}

/* Inserts keys first ... last - 1 on both sides and erases each fifth again. */
static void fill(Gpu *gpu, MurTable table, Oracle *oracle, uint32_t first, uint32_t last,
                 uint32_t salt) {
    uint32_t keys[KEYS] = {0}, values[KEYS] = {0}, erased[KEYS] = {0}, count = 0, gone = 0;
    for (uint32_t i = first; i < last; ++i, ++count) {
        keys[count] = key_of(i, 5);
        values[count] = mur_hash(i, salt) % 1000 + 1;
        assert_int_equal(oracle_insert(oracle, MUR_MODE_ASSIGN, keys[count], values[count]).status,
                         MUR_INSERTED);
        if (i % 5 == salt % 5) {
            oracle_erase(oracle, keys[count]);
            erased[gone++] = keys[count];
        }
    }
    gpu_require(
        murBlockingInsert(gpu->blocking, table, MUR_MODE_ASSIGN, count, keys, values, NULL, NULL));
    gpu_require(murBlockingErase(gpu->blocking, table, gone, erased, NULL, NULL, NULL));
}

static MurTable make(Gpu *gpu, const MergeCase *test, bool source, Oracle *oracle) {
    const bool wide = source ? test->fromWide : test->toWide;
    const MurTableCreateInfo info = {
        .capacity = source || !test->overfull ? KEYS : KEYS / 2,
        .seed = source && test->newSeed ? 123 : 5,
        .reservedValue = test->zero ? MUR_RESERVED_VALUE_ZERO : MUR_RESERVED_VALUE_MAX,
        .atomicWidth = wide ? MUR_ATOMIC_WIDTH_64 : MUR_ATOMIC_WIDTH_32,
        .uses = {murUseRehash()},
    };
    MurTable table = gpu_table(gpu, &info);
    const MurTableRef ref = murGetTableRef(table);
    const OracleConfig config = {
        .capacity = ref.capacity, .slotCount = ref.slotCount, .seed = ref.seed, .zero = test->zero};
    oracle_open(oracle, &config);
    return table;
}

/* Merges the model's source into the model's destination; what the result must say. */
static MurRehashResult merge_model(const Oracle *source, Oracle *destination, uint32_t mode) {
    MurRehashResult expected = {0};
    for (uint32_t slot = 0; slot <= source->config.slotCount; ++slot) {
        const OracleSlot *from = &source->slots[slot];
        if (from->value != source->none) {
            const OracleResult result = oracle_insert(destination, mode, from->key, from->value);
            expected.moved += result.status != MUR_FULL && result.status != MUR_ABSENT;
            expected.failed += result.status == MUR_FULL;
        } else {
            expected.dropped += from->claimed && slot != source->config.slotCount;
        }
    }
    return expected;
}

static void check_values(Gpu *gpu, MurTable table, const Oracle *oracle, bool overfull) {
    uint32_t keys[KEYS], values[KEYS], missing = 0, lacking = 0;
    for (uint32_t i = 0; i < KEYS; ++i) {
        keys[i] = key_of(i, 5);
    }
    gpu_require(murBlockingFind(gpu->blocking, table, KEYS, keys, values, NULL, NULL));
    for (uint32_t i = 0; i < KEYS; ++i) {
        const uint32_t expected = oracle_value(oracle, keys[i]);
        missing += values[i] == oracle->none;
        lacking += expected == oracle->none;
        if (values[i] != expected && !overfull) {
            fail_msg("key %u: got %u, expected %u", keys[i], values[i], expected);
        }
    }
    /* Which of them did not fit may differ, how many may not. */
    assert_int_equal(missing, lacking);
}

/* Each entry's slot in the source leads to its slot in the destination, all others nowhere. */
static void check_map(Gpu *gpu, MurTable from, MurTable to, bool updates, const uint32_t *map) {
    uint32_t entries = 0;
    uint32_t keys[KEYS], before[KEYS], after[KEYS], mapped = 0;
    for (uint32_t i = 0; i < KEYS; ++i) {
        keys[i] = key_of(i, 5);
    }
    gpu_require(murBlockingFind(gpu->blocking, from, KEYS, keys, NULL, NULL, before));
    gpu_require(murBlockingFind(gpu->blocking, to, KEYS, keys, NULL, NULL, after));
    for (uint32_t i = 0; i < KEYS; ++i) {
        if (before[i] != MUR_NO_SLOT) {
            entries += updates && after[i] == MUR_NO_SLOT ? 0 : 1;
            if (map[before[i]] != after[i] || (after[i] == MUR_NO_SLOT && !updates)) {
                fail_msg("slot map: key %u: %u to %u, found in %u", keys[i], before[i],
                         map[before[i]], after[i]);
            }
        }
    }
    for (uint32_t slot = 0; slot <= murGetTableRef(from).slotCount; ++slot) {
        mapped += map[slot] != MUR_NO_SLOT;
    }
    assert_int_equal(mapped, entries);
}

static void run(Gpu *gpu, const MergeCase *test) {
    Oracle source, destination;
    MurTable from = make(gpu, test, true, &source);
    MurTable to = make(gpu, test, false, &destination);
    fill(gpu, from, &source, 0, KEYS / 2, 1);
    fill(gpu, to, &destination, KEYS / 4, test->overfull ? KEYS / 2 + KEYS / 4 : KEYS, 2);
    GpuBuffer map = gpu_buffer(gpu, 4 * ((VkDeviceSize)source.config.slotCount + 2));
    GpuBuffer result = gpu_buffer(gpu, sizeof(MurRehashResult));
    const MurRehash arguments = {.slotMap = gpu_array(&map), .result = gpu_array(&result)};
    gpu_begin(gpu);
    gpu_require(murCmdMerge(gpu->cmd, from, to, test->mode, &arguments));
    gpu_submit(gpu);
    const MurRehashResult expected = merge_model(&source, &destination, (uint32_t)test->mode);
    const MurRehashResult *got = result.mapped;
    assert_int_equal(got->moved, expected.moved);
    assert_int_equal(got->dropped, expected.dropped);
    assert_int_equal(got->failed, expected.failed);
    assert_int_equal(expected.failed != 0, test->overfull);
    check_values(gpu, to, &destination, test->overfull);
    if (!test->overfull) {
        check_map(gpu, from, to, test->mode == MUR_MODE_UPDATE, map.mapped);
    }
    MurStats stats;
    gpu_require(murBlockingStats(gpu->blocking, to, &stats));
    assert_int_equal(stats.full, expected.failed);
    assert_int_equal(got->state & MUR_STATE_WRAPPED, stats.state & MUR_STATE_WRAPPED);
    gpu_free(gpu, &map);
    gpu_free(gpu, &result);
    murDestroyTable(from);
    murDestroyTable(to);
    oracle_close(&source);
    oracle_close(&destination);
}

static void every_mode(void **state) {
    static const MurInsertMode zero[] = {MUR_MODE_ASSIGN, MUR_MODE_KEEP, MUR_MODE_ADD,
                                         MUR_MODE_MAX,    MUR_MODE_OR,   MUR_MODE_UPDATE};
    static const MurInsertMode max[] = {MUR_MODE_ASSIGN, MUR_MODE_KEEP, MUR_MODE_MIN,
                                        MUR_MODE_UPDATE};
    for (uint32_t i = 0; i < 10; ++i) {
        const MergeCase test = {.mode = i < 6 ? zero[i] : max[i - 6],
                                .zero = i < 6,
                                .fromWide = i % 2 == 0,
                                .toWide = i % 3 == 0,
                                .newSeed = i % 4 < 2};
        if (!(test.fromWide || test.toWide) ||
            gpu_offers(*state, MUR_FORMAT_K32V32, MUR_ATOMIC_WIDTH_64)) {
            run(*state, &test);
        }
    }
}

static void what_does_not_fit_is_counted(void **state) {
    for (uint32_t i = 0; i < 2; ++i) {
        const MergeCase test = {.mode = MUR_MODE_KEEP, .toWide = i == 1, .overfull = true};
        if (!(test.fromWide || test.toWide) ||
            gpu_offers(*state, MUR_FORMAT_K32V32, MUR_ATOMIC_WIDTH_64)) {
            run(*state, &test);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        gpu_test(every_mode),
        gpu_test(what_does_not_fit_is_counted),
    };
    return cmocka_run_group_tests_name("merge", tests, gpu_group_setup, gpu_group_teardown);
}
