/* Tables with many values a key: the calls in shaders, by thousands of invocations on few keys.
 *
 * SPDX-License-Identifier: MIT */
#include "multi.h"

#include "calls.h"
#include "support/seed.h"

GPU_SPIRV(multi_calls_32_address);
GPU_SPIRV(multi_calls_64_address);
GPU_SPIRV(multi_calls_read_address);
GPU_SPIRV(multi_calls_32_buffer);
GPU_SPIRV(multi_calls_64_buffer);
GPU_SPIRV(multi_calls_read_buffer);

/* Few enough that no invocation makes more than 65535 iterations in all its loops together: that is
 * where the software device leaves loops. */
enum { ITEMS = 4000, KEYS = 12 };

typedef struct Calls {
    Gpu *gpu;
    Multi multi;
    GpuKernel write, read;
    GpuBuffer data;
    CallsItem *items;
    uint32_t high; /* the high words of all keys, if not 0 */
    bool bound;
} Calls;

static const uint32_t keys[KEYS] = {0, UINT32_MAX, MUR_TOMB, 1, 2, 3, 4, 5, 6, 7, 8, 9};

static void run(Calls *calls, const GpuKernel *kernel, uint32_t operation, uint32_t count) {
    const MurTableRef ref = murGetTableRef(calls->multi.table);
    const bool wide = MUR_TABLE_FORMAT(ref.flags) == MUR_FORMAT_K64V32_MULTI;
    for (uint32_t i = 0; i < count; ++i) { /* keys are numbers until now */
        const uint64_t key = multi_key(&calls->multi, calls->items[i].key);
        calls->items[i].key = (uint32_t)key;
        calls->items[i].keyHigh = (uint32_t)(key >> 32) | calls->high;
    }
    const CallsPush push = {ref, count, operation, wide || calls->high != 0};
    gpu_begin(calls->gpu);
    gpu_dispatch(calls->gpu, kernel, &push, (count + 63) / 64);
    gpu_submit(calls->gpu);
}

/* A compiler takes seconds for a shader that makes all calls, and the commands make the same ones:
 * in the normal tier one width for each way to a table, where there are two. */
static bool is_long(const Gpu *gpu, MurAtomicWidth width, bool bound) {
    return !test_full() && gpu->int64Atomics && (width == MUR_ATOMIC_WIDTH_64) != bound;
}

static void open_calls(Gpu *gpu, Calls *calls, MurAtomicWidth width, bool bound) {
    *calls = (Calls){.gpu = gpu, .bound = bound};
    multi_open(gpu, &calls->multi, 3 * ITEMS, width, 0);
    calls->data = gpu_buffer(gpu, ITEMS * sizeof(CallsItem));
    calls->items = calls->data.mapped;
#define KERNEL(symbol) gpu_kernel(gpu, symbol, symbol##_size, sizeof(CallsPush), 2)
    if (width == MUR_ATOMIC_WIDTH_32) {
        calls->write = bound ? KERNEL(multi_calls_32_buffer) : KERNEL(multi_calls_32_address);
    } else {
        calls->write = bound ? KERNEL(multi_calls_64_buffer) : KERNEL(multi_calls_64_address);
    }
    calls->read = bound ? KERNEL(multi_calls_read_buffer) : KERNEL(multi_calls_read_address);
#undef KERNEL
    GpuKernel *kernels[] = {&calls->write, &calls->read};
    for (uint32_t i = 0; i < 2; ++i) {
        gpu_bind(gpu, kernels[i], 0, murGetTableMemory(calls->multi.table));
        gpu_bind(gpu, kernels[i], 1, (MurBufferRange){calls->data.buffer, 0, calls->data.size});
    }
}

static void close_calls(Calls *calls) {
    gpu_free(calls->gpu, &calls->data);
    multi_close(&calls->multi);
}

/* What a key should have. */
typedef struct Expected {
    uint32_t count, sum;
} Expected;

static void require_visits(Calls *calls, const Expected expected[KEYS]) {
    const GpuKernel *kernels[] = {&calls->write, &calls->read};
    for (uint32_t k = calls->bound ? 1 : 0; k < 2; ++k) { /* of bound tables only one looks up */
        for (uint32_t i = 0; i < KEYS; ++i) {
            calls->items[i] = (CallsItem){.key = keys[i]};
        }
        run(calls, kernels[k], CALLS_VISIT, KEYS);
        for (uint32_t i = 0; i < KEYS; ++i) {
            const CallsItem *item = &calls->items[i];
            const Expected *right = &expected[i];
            const uint32_t status = (right->count ? MUR_FOUND : MUR_ABSENT) + (right->count << 8);
            if (item->status != status || item->count != right->count || item->sum != right->sum ||
                item->got != right->sum || (item->value == UINT32_MAX) != (right->count == 0)) {
                fail_msg("kernel %u, key %u: visited %u, sum %u, got %u, count %u, found %u; "
                         "expected %u values, sum %u",
                         k, keys[i], item->status >> 8, item->sum, item->got, item->count,
                         item->value, right->count, right->sum);
            }
        }
    }
}

/* Half of all pairs belong to key 0; each value comes once. */
static uint32_t key_of(uint32_t i) {
    return i % 2 == 0 ? 0 : i / 2 % (KEYS - 1); /* none for the last */
}

static void all_calls(Gpu *gpu, MurAtomicWidth width, bool bound) {
    Calls calls;
    if (is_long(gpu, width, bound)) {
        return;
    }
    open_calls(gpu, &calls, width, bound);
    Expected expected[KEYS] = {{0, 0}};
    require_visits(&calls, expected);
    for (uint32_t i = 0; i < ITEMS; ++i) {
        const uint32_t value = i % 100 == 99 ? UINT32_MAX : i;
        calls.items[i] = (CallsItem){.key = keys[key_of(i)], .value = value};
        expected[key_of(i)].count += value == i;
        expected[key_of(i)].sum += value == i ? i : 0;
    }
    run(&calls, &calls.write, CALLS_INSERT, ITEMS);
    for (uint32_t i = 0; i < ITEMS; ++i) {
        assert_int_equal(calls.items[i].status, i % 100 == 99 ? MUR_REFUSED : MUR_INSERTED);
    }
    require_visits(&calls, expected);

    /* Each third pair, by two invocations; key 4 as a whole. */
    enum { ERASED = 200 };
    for (uint32_t i = 0; i < 2 * ERASED; ++i) {
        const uint32_t value = i / 2 * 3;
        calls.items[i] = (CallsItem){.key = keys[key_of(value)], .value = value};
    }
    run(&calls, &calls.write, CALLS_ERASE, 2 * ERASED);
    for (uint32_t i = 0; i < ERASED; ++i) {
        const bool there = (3 * i) % 100 != 99;
        const int told = (calls.items[2 * i].status == MUR_ERASED) +
                         (calls.items[2 * i + 1].status == MUR_ERASED);
        assert_int_equal(told, there);
        expected[key_of(3 * i)].count -= there;
        expected[key_of(3 * i)].sum -= there ? 3 * i : 0;
    }
    require_visits(&calls, expected);
    for (uint32_t i = 0; i < 3; ++i) {
        calls.items[i] = (CallsItem){.key = keys[i == 0 ? 4 : KEYS - 1]};
    }
    run(&calls, &calls.write, CALLS_ERASE_KEY, 3);
    assert_int_equal(calls.items[0].count, expected[4].count);
    assert_int_equal(calls.items[1].count + calls.items[2].count, 0);
    expected[4] = (Expected){0, 0};
    require_visits(&calls, expected);
    close_calls(&calls);
}

BOTH_WIDTHS(calls_by_address) {
    all_calls(gpu, width, false);
}

BOTH_WIDTHS(calls_of_a_bound_table) {
    all_calls(gpu, width, true);
}

/* As full_keys_stay_full in content_tests.c: many invocations at once do not raise the number. */
BOTH_WIDTHS(a_full_key_stays_full) {
    Calls calls;
    if (is_long(gpu, width, false)) {
        return;
    }
    open_calls(gpu, &calls, width, false);
    calls.items[0] = (CallsItem){.key = keys[0], .value = 5};
    run(&calls, &calls.write, CALLS_INSERT, 1);
    multi_set_number(&calls.multi, keys[0], UINT32_MAX); /* the last before it would come round */
    for (uint32_t i = 0; i < ITEMS; ++i) {
        calls.items[i] = (CallsItem){.key = keys[i % 2], .value = i};
    }
    run(&calls, &calls.write, CALLS_INSERT, ITEMS);
    for (uint32_t i = 0; i < ITEMS; ++i) {
        assert_int_equal(calls.items[i].status, i % 2 ? MUR_INSERTED : MUR_FULL);
    }
    assert_int_equal(multi_number(&calls.multi, keys[0]), UINT32_MAX);
    for (uint32_t i = 0; i < 2; ++i) {
        calls.items[i] = (CallsItem){.key = keys[i]};
    }
    run(&calls, &calls.write, CALLS_VISIT, 2);
    assert_int_equal(calls.items[0].count, 1);
    assert_int_equal(calls.items[0].sum, 5);
    assert_int_equal(calls.items[1].count, ITEMS / 2);
    close_calls(&calls);
}

/* Calls on a table of another kind do nothing. */
GPU_TEST(another_table) {
    Calls calls;
    open_calls(gpu, &calls, MUR_ATOMIC_WIDTH_32, false);
    const MurTable own = calls.multi.table;
    const MurTableCreateInfo infos[] = {
        {.capacity = 100, .atomicWidth = MUR_ATOMIC_WIDTH_32},
        {.capacity = 100, .atomicWidth = MUR_ATOMIC_WIDTH_32, .format = MUR_FORMAT_K64V32},
        {.capacity = 100,
         .atomicWidth = MUR_ATOMIC_WIDTH_64,
         .format = MUR_FORMAT_K64V32,
         .reservedValue = MUR_RESERVED_VALUE_ZERO},
    };
    for (uint32_t t = 0; t < 3; ++t) {
        calls.multi.table = gpu_table(gpu, &infos[t]);
        for (uint32_t i = 0; i < 3; ++i) {
            const uint32_t value = i == 2 ? UINT32_MAX : i;
            calls.items[i] = (CallsItem){.key = i, .value = value, .status = 99, .count = 99};
        }
        run(&calls, &calls.write, CALLS_INSERT, 3);
        assert_true(calls.items[0].status == MUR_UNSUPPORTED &&
                    calls.items[1].status == MUR_UNSUPPORTED &&
                    calls.items[2].status == MUR_UNSUPPORTED);
        run(&calls, &calls.write, CALLS_ERASE, 2);
        assert_true(calls.items[0].status == MUR_UNSUPPORTED &&
                    calls.items[1].status == MUR_UNSUPPORTED);
        run(&calls, &calls.write, CALLS_ERASE_KEY, 2);
        assert_true(calls.items[0].count == 0 && calls.items[1].count == 0);
        const Expected none[KEYS] = {{0, 0}};
        require_visits(&calls, none);
        const MurStats stats = gpu_stats(gpu, calls.multi.table);
        assert_true(stats.live == 0 && stats.erased == 0 && stats.refused == 0);
        murDestroyTable(calls.multi.table);
    }
    calls.multi.table = own;
    close_calls(&calls);
}

/* A 64-bit key is none of a table of 32-bit keys, unless its high word is 0; and calls for one
 * value a key do nothing where there are many a 64-bit key. */
BOTH_WIDTHS(keys_that_are_wider) {
    Calls calls;
    if (is_long(gpu, width, false)) {
        return;
    }
    open_calls(gpu, &calls, width, false);
    calls.items[0] = (CallsItem){.key = 5, .value = 9};
    run(&calls, &calls.write, CALLS_INSERT, 1);
    assert_int_equal(calls.items[0].status, MUR_INSERTED);
    const MurTableRef ref = murGetTableRef(calls.multi.table);
    if (MUR_TABLE_FORMAT(ref.flags) == MUR_FORMAT_K64V32_MULTI) {
        calls.items[0] = (CallsItem){.key = 5, .value = 9};
        run(&calls, &calls.write, CALLS_PLAIN, 1);
        assert_int_equal(calls.items[0].status, MUR_UNSUPPORTED | MUR_UNSUPPORTED << 8);
    } else {
        calls.high = 1;
        for (uint32_t operation = CALLS_INSERT; operation <= CALLS_VISIT; ++operation) {
            calls.items[0] = (CallsItem){.key = 5, .value = 9, .count = 0};
            run(&calls, &calls.write, operation, 1);
            assert_int_equal(calls.items[0].status, operation <= CALLS_ERASE ? MUR_UNSUPPORTED : 0);
            assert_int_equal(calls.items[0].count, 0);
        }
        calls.high = 0;
    }
    calls.items[0] = (CallsItem){.key = 5};
    run(&calls, &calls.read, CALLS_VISIT, 1);
    assert_int_equal(calls.items[0].status, MUR_FOUND + (1 << 8));
    assert_int_equal(calls.items[0].sum, 9);
    close_calls(&calls);
}
