/* Calls on multi-value tables by thousands of invocations with few keys.
 * SPDX-License-Identifier: MIT */
#include "multi.h"

#include "support/seed.h"

GPU_SPIRV(calls_multi_32_address);
GPU_SPIRV(calls_multi_64_address);
GPU_SPIRV(calls_multi_read_address);
GPU_SPIRV(calls_multi_32_buffer);
GPU_SPIRV(calls_multi_64_buffer);
GPU_SPIRV(calls_multi_read_buffer);

/* There are few items, because lavapipe ends the loops of an invocation after 65,535 iterations. */
enum { ITEMS = 4000, KEYS = 12 };

static const uint32_t keys[KEYS] = {0, UINT32_MAX, MUR_TOMB, 1, 2, 3, 4, 5, 6, 7, 8, 9};

/* Returns whether only the long tier runs this variant. A shader with all calls takes seconds to
 * compile, and commands make the same calls. If the device has both widths, the normal tier runs
 * one width per access. */
static bool is_long(const Gpu *gpu, MurAtomicWidth width, Access access) {
    const bool bound = access == ACCESS_BUFFER;
    return !test_full() && gpu->int64Atomics && (width == MUR_ATOMIC_WIDTH_64) != bound;
}

static void open_calls(Gpu *gpu, Multi *multi, MurAtomicWidth width, Access access) {
    multi_open(gpu, multi, 3 * ITEMS, width, 0);
    multi->byShaders = true;
    multi->access = access;
    const bool wide = width == MUR_ATOMIC_WIDTH_64;
    if (access == ACCESS_BUFFER) {
        multi->write = wide ? CALL_KERNEL(gpu, calls_multi_64_buffer, access)
                            : CALL_KERNEL(gpu, calls_multi_32_buffer, access);
        multi->read = CALL_KERNEL(gpu, calls_multi_read_buffer, access);
    } else {
        multi->write = wide ? CALL_KERNEL(gpu, calls_multi_64_address, access)
                            : CALL_KERNEL(gpu, calls_multi_32_address, access);
        multi->read = CALL_KERNEL(gpu, calls_multi_read_address, access);
    }
}

/* Half of all pairs have key 0. No pair has the last key. */
static void all_calls(Gpu *gpu, MurAtomicWidth width, Access access) {
    enum { ERASED = 200 };
    if (is_long(gpu, width, access)) {
        return;
    }
    Multi multi;
    MultiPair pairs[ITEMS], twice[2 * ERASED];
    open_calls(gpu, &multi, width, access);
    multi_require_same(&multi, KEYS, keys);
    for (uint32_t i = 0; i < ITEMS; ++i) {
        pairs[i] = (MultiPair){keys[i % 2 == 0 ? 0 : i / 2 % (KEYS - 1)],
                               i % 100 == 99 ? UINT32_MAX : i};
    }
    multi_insert(&multi, ITEMS, pairs);
    assert_int_equal(multi.full, 0);
    multi_require_same(&multi, KEYS, keys);
    for (uint32_t i = 0; i < 2 * ERASED; ++i) { /* two invocations erase each of ERASED pairs */
        twice[i] = pairs[i / 2 * 3];
    }
    multi_erase(&multi, 2 * ERASED, twice);
    multi_require_same(&multi, KEYS, keys);
    multi_erase_keys(&multi, 3, (const uint32_t[]){keys[4], keys[KEYS - 1], keys[KEYS - 1]});
    multi_require_same(&multi, KEYS, keys);
    multi_random_sequence(&multi, 4);
    multi_close(&multi);
}

BOTH_WIDTHS(calls_by_address) {
    all_calls(gpu, width, ACCESS_ADDRESS);
}

BOTH_WIDTHS(calls_of_a_bound_table) {
    all_calls(gpu, width, ACCESS_BUFFER);
}

/* As full_for_good in content_tests.c: concurrent invocations must not increase the number of
 * ordinals of a full key. */
BOTH_WIDTHS(full_key_stays_full_in_shaders) {
    if (is_long(gpu, width, ACCESS_ADDRESS)) {
        return;
    }
    Multi multi;
    MultiPair pairs[ITEMS];
    open_calls(gpu, &multi, width, ACCESS_ADDRESS);
    multi_insert(&multi, 1, &(MultiPair){keys[0], 5});
    multi_number(&multi, keys[0], &(uint32_t){UINT32_MAX}); /* one more would wrap the counter */
    for (uint32_t i = 0; i < ITEMS; ++i) {
        pairs[i] = (MultiPair){keys[i % 2], i};
    }
    multi_insert(&multi, ITEMS, pairs);
    assert_int_equal(multi.full, ITEMS / 2);
    assert_int_equal(multi_number(&multi, keys[0], NULL), UINT32_MAX);
    multi_require_same(&multi, 2, keys);
    multi_close(&multi);
}

/* Calls for multi-value tables do nothing if the table has another type. */
GPU_TEST(calls_on_other_table_types_do_nothing) {
    Multi multi;
    open_calls(gpu, &multi, MUR_ATOMIC_WIDTH_32, ACCESS_ADDRESS);
    const MurTable own = multi.table;
    const MurTableCreateInfo infos[] = {
        {.capacity = 100, .atomicWidth = MUR_ATOMIC_WIDTH_32},
        {.capacity = 100, .atomicWidth = MUR_ATOMIC_WIDTH_32, .type = murTypeK64V32()},
        {.capacity = 100,
         .atomicWidth = MUR_ATOMIC_WIDTH_64,
         .type = murTypeK64V32(),
         .emptyValue = MUR_EMPTY_VALUE_ZERO},
    };
    const uint32_t values[] = {0, 1, UINT32_MAX};
    for (uint32_t t = 0; t < 3; ++t) {
        multi.table = gpu_table(gpu, &infos[t]);
        for (uint32_t call = CALL_MULTI_INSERT; call <= CALL_MULTI_ERASE_KEY; ++call) {
            Answer *answers = multi_call(&multi, &multi.write, call, 3, values, values);
            for (uint32_t i = 0; i < 3; ++i) {
                assert_int_equal(answers[i].slot, 0);
                assert_int_equal(answers[i].status,
                                 call == CALL_MULTI_ERASE_KEY ? 0 : MUR_UNSUPPORTED);
            }
            free(answers);
        }
        multi_require_visits(&multi, KEYS, keys);
        const MurStats stats = gpu_stats(gpu, multi.table);
        assert_true(stats.live == 0 && stats.erased == 0 && stats.invalidValues == 0);
        murDestroyTable(multi.table);
    }
    multi.table = own;
    multi_close(&multi);
}

/* A 64-bit key is absent from a table with 32-bit keys unless its high word is 0. Single-value
 * calls have no effect on a multi-value table with 64-bit keys. */
BOTH_WIDTHS(wide_keys_are_absent_from_narrow_tables) {
    if (is_long(gpu, width, ACCESS_ADDRESS)) {
        return;
    }
    Multi multi;
    open_calls(gpu, &multi, width, ACCESS_ADDRESS);
    const uint32_t key = 5, first = 0, value = 9;
    const MurTableRef ref = murGetTableRef(multi.table);
    const bool wide = MUR_TABLE_FORMAT(ref.flags) == MUR_FORMAT_K64V32_MULTI;
    multi_insert(&multi, 1, &(MultiPair){key, value});
    multi.keys = wide ? NULL : (const uint64_t[]){1ull << 32 | key};
    for (uint32_t call = CALL_MULTI_VISIT; call <= CALL_MULTI_SINGLE; ++call) {
        if (wide != (call == CALL_MULTI_SINGLE)) {
            continue;
        }
        Answer *answer = multi_call(&multi, &multi.write, call, 1, wide ? &key : &first, &value);
        assert_int_equal(answer->status, wide                           ? MUR_UNSUPPORTED * 0x101
                                         : call == CALL_MULTI_VISIT     ? MUR_ABSENT
                                         : call == CALL_MULTI_ERASE_KEY ? 0
                                                                        : MUR_UNSUPPORTED);
        assert_int_equal(answer->slot, 0);
        assert_int_equal(answer->value >> 32, 0);
        free(answer);
    }
    multi.keys = NULL;
    multi_require_same(&multi, 1, &key);
    multi_close(&multi);
}
