/* The first test to run: the table end to end in a few commands, with 32- and 64-bit keys and both
 * atomic widths.
 * SPDX-License-Identifier: MIT */
#include "support/gpu.h"

enum { COUNT = 3000 };

/* Arrays of a batch; 32-bit keys fill half of theirs. */
static uint64_t keys[COUNT];
static uint32_t values[COUNT], statuses[COUNT], slots[COUNT];

/* Key i of two disjoint sets. Some 64-bit keys of set 0 have hashes with one equal half and a
 * sentinel in the other. */
static void take_keys(bool wide, uint32_t set, uint32_t seed) {
    for (uint32_t i = 0; i < COUNT; ++i) {
        const uint32_t low[] = {0, UINT32_MAX, UINT32_MAX - 1, i};
        const uint32_t high = i < 8 && set == 0 ? (i < 4 ? 0 : UINT32_MAX) : 3 * i + set;
        if (wide) {
            keys[i] = mur_key64((uint64_t)high << 32 | low[i % 4], seed);
        } else {
            ((uint32_t *)keys)[i] = 3 * i + set;
        }
    }
}

static void expect(uint32_t count, bool there, uint32_t status) {
    for (uint32_t i = 0; i < count; ++i) {
        assert_int_equal(values[i], there ? i : UINT32_MAX);
        assert_int_equal(statuses[i], status);
    }
}

static void round_trip(Gpu *gpu, uint32_t format, MurAtomicWidth width) {
    const bool wide = format == MUR_FORMAT_K64V32;
    const MurTableCreateInfo info = {
        .capacity = 1 << 15, .seed = 7, .atomicWidth = width, .type = format_type(format, 0)};
    MurTable table = gpu_table(gpu, &info);
    for (uint32_t i = 0; i < COUNT; ++i) {
        values[i] = i;
    }
    take_keys(wide, 0, info.seed);
    gpu_require(murBlockingInsert(gpu->blocking, table, MUR_MODE_ASSIGN, COUNT, keys, values,
                                  statuses, slots));
    expect(COUNT, true, MUR_INSERTED);
    gpu_require(murBlockingFind(gpu->blocking, table, COUNT, keys, values, statuses, NULL));
    expect(COUNT, true, MUR_FOUND);
    take_keys(wide, 1, info.seed);
    gpu_require(murBlockingFind(gpu->blocking, table, COUNT, keys, values, statuses, NULL));
    expect(COUNT, false, MUR_ABSENT);
    take_keys(wide, 0, info.seed);
    gpu_require(murBlockingErase(gpu->blocking, table, COUNT / 2, keys, values, statuses, NULL));
    expect(COUNT / 2, true, MUR_ERASED);
    const MurStats stats = gpu_stats(gpu, table);
    assert_int_equal(stats.live, COUNT / 2);
    assert_int_equal(stats.erased, COUNT / 2);
    static uint64_t extracted[COUNT];
    uint32_t count;
    gpu_require(
        murBlockingExtract(gpu->blocking, table, 0, NULL, COUNT, extracted, values, slots, &count));
    assert_int_equal(count, COUNT / 2);
    uint64_t sum = 0;
    for (uint32_t i = 0; i < count; ++i) {
        assert_in_range(values[i], COUNT / 2, COUNT - 1);
        assert_true(wide ? extracted[i] == keys[values[i]]
                         : ((uint32_t *)extracted)[i] == 3 * values[i]);
        sum += values[i];
    }
    assert_int_equal(sum, (uint64_t)(COUNT / 2) * (COUNT / 2 + COUNT - 1) / 2);
    murDestroyTable(table);
}

GPU_TEST(round_trips_with_32_bit_atomics) {
    round_trip(gpu, MUR_FORMAT_K32V32, MUR_ATOMIC_WIDTH_32);
    round_trip(gpu, MUR_FORMAT_K64V32, MUR_ATOMIC_WIDTH_32);
}

GPU_TEST(round_trips_with_64_bit_atomics) {
    round_trip(gpu, MUR_FORMAT_K32V32, MUR_ATOMIC_WIDTH_64);
    round_trip(gpu, MUR_FORMAT_K64V32, MUR_ATOMIC_WIDTH_64);
}
