/* The first thing to run: the table end to end in a few commands, both atomic widths.
 *
 * SPDX-License-Identifier: MIT */
#include "support/gpu.h"

#include <stdlib.h>

enum { COUNT = 10000 };

static void round_trip(Gpu *gpu, MurAtomicWidth width) {
    const MurTableCreateInfo info = {.capacity = 1 << 15, .seed = 7, .atomicWidth = width};
    MurTable table = gpu_table(gpu, &info);
    uint32_t *keys = malloc(COUNT * sizeof *keys);
    uint32_t *values = malloc(COUNT * sizeof *values);
    uint32_t *statuses = malloc(COUNT * sizeof *statuses);
    uint32_t *slots = malloc(COUNT * sizeof *slots);
    for (uint32_t i = 0; i < COUNT; ++i) {
        keys[i] = 3 * i;
        values[i] = i;
    }
    gpu_require(murBlockingInsert(gpu->blocking, table, MUR_MODE_ASSIGN, COUNT, keys, values,
                                  statuses, slots));
    for (uint32_t i = 0; i < COUNT; ++i) {
        assert_int_equal(statuses[i], MUR_INSERTED);
        values[i] = 0;
    }
    gpu_require(murBlockingFind(gpu->blocking, table, COUNT, keys, values, statuses, NULL));
    for (uint32_t i = 0; i < COUNT; ++i) {
        assert_int_equal(values[i], i);
        assert_int_equal(statuses[i], MUR_FOUND);
        keys[i] += 1;
    }
    gpu_require(murBlockingFind(gpu->blocking, table, COUNT, keys, values, statuses, NULL));
    for (uint32_t i = 0; i < COUNT; ++i) {
        assert_int_equal(values[i], UINT32_MAX);
        assert_int_equal(statuses[i], MUR_ABSENT);
        keys[i] -= 1;
    }
    gpu_require(murBlockingErase(gpu->blocking, table, COUNT / 2, keys, values, statuses, NULL));
    for (uint32_t i = 0; i < COUNT / 2; ++i) {
        assert_int_equal(values[i], i);
        assert_int_equal(statuses[i], MUR_ERASED);
    }
    MurStats stats;
    gpu_require(murBlockingStats(gpu->blocking, table, &stats));
    assert_int_equal(stats.live, COUNT / 2);
    assert_int_equal(stats.erased, COUNT / 2);
    uint32_t count;
    gpu_require(
        murBlockingExtract(gpu->blocking, table, 0, NULL, COUNT, keys, values, slots, &count));
    assert_int_equal(count, COUNT / 2);
    uint64_t sum = 0;
    for (uint32_t i = 0; i < count; ++i) {
        assert_int_equal(keys[i], 3 * values[i]);
        sum += values[i];
    }
    assert_int_equal(sum, (uint64_t)(COUNT / 2) * (COUNT / 2 + COUNT - 1) / 2);
    free(keys);
    free(values);
    free(statuses);
    free(slots);
    murDestroyTable(table);
}

static void round_trip_with_32_bit_atomics(void **state) {
    round_trip(*state, MUR_ATOMIC_WIDTH_32);
}

static void round_trip_with_64_bit_atomics(void **state) {
    round_trip(*state, MUR_ATOMIC_WIDTH_64);
}

/* 64-bit keys, among them some whose hashes are alike in one half and hit the markers in the
 * other. */
static void round_trip_64(Gpu *gpu, MurAtomicWidth width) {
    const MurTableCreateInfo info = {
        .capacity = 1 << 15, .seed = 7, .atomicWidth = width, .format = MUR_FORMAT_K64V32};
    MurTable table = gpu_table(gpu, &info);
    uint64_t *keys = malloc(COUNT * sizeof *keys);
    uint64_t *extracted = malloc(COUNT * sizeof *extracted);
    uint32_t *values = malloc(COUNT * sizeof *values);
    uint32_t *statuses = malloc(COUNT * sizeof *statuses);
    for (uint32_t i = 0; i < COUNT; ++i) {
        const uint32_t low[] = {0, UINT32_MAX, UINT32_MAX - 1, i};
        const uint32_t high = i < 8 ? (i < 4 ? 0 : UINT32_MAX) : 3 * i;
        keys[i] = mur_key64((uint64_t)high << 32 | low[i % 4], info.seed);
        values[i] = i;
    }
    gpu_require(murBlockingInsert(gpu->blocking, table, MUR_MODE_ASSIGN, COUNT, keys, values,
                                  statuses, NULL));
    for (uint32_t i = 0; i < COUNT; ++i) {
        assert_int_equal(statuses[i], MUR_INSERTED);
        values[i] = 0;
    }
    gpu_require(murBlockingFind(gpu->blocking, table, COUNT, keys, values, statuses, NULL));
    for (uint32_t i = 0; i < COUNT; ++i) {
        assert_int_equal(values[i], i);
        assert_int_equal(statuses[i], MUR_FOUND);
    }
    gpu_require(murBlockingErase(gpu->blocking, table, COUNT / 2, keys, values, statuses, NULL));
    MurStats stats;
    gpu_require(murBlockingStats(gpu->blocking, table, &stats));
    assert_int_equal(stats.live, COUNT / 2);
    assert_int_equal(stats.erased, COUNT / 2);
    uint32_t count;
    gpu_require(
        murBlockingExtract(gpu->blocking, table, 0, NULL, COUNT, extracted, values, NULL, &count));
    assert_int_equal(count, COUNT / 2);
    for (uint32_t i = 0; i < count; ++i) {
        assert_true(values[i] >= COUNT / 2 && values[i] < COUNT);
        assert_true(extracted[i] == keys[values[i]]);
    }
    free(keys);
    free(extracted);
    free(values);
    free(statuses);
    murDestroyTable(table);
}

static void round_trip_of_64_bit_keys_with_32_bit_atomics(void **state) {
    round_trip_64(*state, MUR_ATOMIC_WIDTH_32);
}

static void round_trip_of_64_bit_keys_with_64_bit_atomics(void **state) {
    round_trip_64(*state, MUR_ATOMIC_WIDTH_64);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        gpu_test(round_trip_with_32_bit_atomics),
        gpu_test(round_trip_with_64_bit_atomics),
        gpu_test(round_trip_of_64_bit_keys_with_32_bit_atomics),
        gpu_test(round_trip_of_64_bit_keys_with_64_bit_atomics),
    };
    return cmocka_run_group_tests_name("smoke", tests, gpu_group_setup, gpu_group_teardown);
}
