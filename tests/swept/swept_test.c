/* Inserting and then erasing part of the table by part: statuses, slots, sums and what was erased, against
 * a count of each key, for batches of less than a tile to several, and tables of two parts to four.
 *
 * SPDX-License-Identifier: MIT */
#include "support/gpu.h"

#include <internal.h>

#include <stdlib.h>

#define UNTOUCHED 0xA5A5A5A5u /* what arrays of results hold before a command */
/* Items that one workgroup takes at a time, at most. */
enum { SEED = 0x5EED, GROUPS = 3, TILE = 64 * MUR_WORKGROUP_SIZE, SPECIAL = 1 };

typedef struct Case {
    uint64_t capacity;
    uint64_t probeLimit;
    uint32_t count;
    uint32_t maxCount; /* 0: count, given by the host; else count comes from the GPU */
    uint32_t distinct; /* keys */
    uint32_t before;   /* of those keys are in the table, */
    uint32_t erased;   /* and so many of these erased again */
    uint32_t refused;  /* each item of this number has the reserved value; 0: none */
    uint32_t groups;   /* 0: GROUPS */
    MurAtomicWidth width;
    bool noStatuses, noSlots;
    bool overfull; /* some keys find no slot */
} Case;

typedef struct Run {
    Gpu *gpu;
    const Case *test;
    MurTable table;
    GpuBuffer keys, values, statuses, slots, count;
    uint32_t *sums;      /* by key; 0: absent */
    uint32_t sideBySide; /* of the device */
} Run;

static uint32_t key_of(const Case *test, uint32_t item) {
    const uint32_t i = item % test->distinct;
    return mur_key(i == SPECIAL ? MUR_EMPTY : mur_hash(i, 99), SEED);
}

static void prepare(Run *run) {
    const Case *test = run->test;
    uint32_t *keys = run->keys.mapped;
    uint32_t *values = run->values.mapped;
    for (uint32_t i = 0; i < test->before; ++i) {
        keys[i] = key_of(test, i);
        values[i] = 7 + i;
        run->sums[i] = i < test->erased ? 0 : values[i];
    }
    if (test->before) {
        gpu_require(murBlockingInsert(run->gpu->blocking, run->table, MUR_INSERT_ASSIGN,
                                      test->before, keys, values, NULL, NULL));
    }
    if (test->erased) {
        gpu_require(
            murBlockingErase(run->gpu->blocking, run->table, test->erased, keys, NULL, NULL, NULL));
    }
}

static void begin_swept(Run *run) {
    Gpu *gpu = run->gpu;
    const GpuBuffer *results[] = {&run->statuses, &run->slots};
    gpu_begin(gpu);
    for (size_t i = 0; i < sizeof results / sizeof results[0]; ++i) {
        vkCmdFillBuffer(gpu->cmd, results[i]->buffer, 0, VK_WHOLE_SIZE, UNTOUCHED);
    }
    gpu_barrier(gpu);
    run->sideBySide = gpu->context->limits.sideBySide;
    gpu->context->limits.sideBySide = run->test->groups ? run->test->groups : GROUPS;
    gpu->context->sweepPath = MUR_SWEEP_ALWAYS;
}

static void submit_swept(Run *run) {
    gpu_submit(run->gpu);
    run->gpu->context->sweepPath = MUR_SWEEP_AUTO;
    run->gpu->context->limits.sideBySide = run->sideBySide;
}

static void insert_batch(Run *run) {
    Gpu *gpu = run->gpu;
    const Case *test = run->test;
    const uint32_t maxCount = test->maxCount ? test->maxCount : test->count;
    uint32_t *keys = run->keys.mapped;
    uint32_t *values = run->values.mapped;
    for (uint32_t i = 0; i < maxCount; ++i) {
        keys[i] = key_of(test, i);
        values[i] = test->refused && i % test->refused == 0 ? 0 : 1 + i % 5;
    }
    *(uint32_t *)run->count.mapped = test->count;
    const MurArray none = {0};
    const MurBatch batch = {.maxCount = maxCount,
                            .count = test->maxCount ? run->count.address : 0,
                            .keys = gpu_array(&run->keys),
                            .values = gpu_array(&run->values),
                            .statuses = test->noStatuses ? none : gpu_array(&run->statuses),
                            .slots = test->noSlots ? none : gpu_array(&run->slots)};
    begin_swept(run);
    gpu_require(murCmdInsert(gpu->cmd, run->table, MUR_INSERT_ADD, &batch));
    submit_swept(run);
}

/* Results beyond the count, and those not asked for, were left alone. */
static void check_beyond(const Run *run) {
    const Case *test = run->test;
    const uint32_t *statuses = run->statuses.mapped;
    const uint32_t *slots = run->slots.mapped;
    const uint32_t maxCount = test->maxCount ? test->maxCount : test->count;
    for (uint32_t i = 0; i < maxCount; ++i) {
        if (i >= test->count || test->noStatuses) {
            assert_int_equal(statuses[i], UNTOUCHED);
        }
        if (i >= test->count || test->noSlots) {
            assert_int_equal(slots[i], UNTOUCHED);
        }
    }
}

/* Of the items of an absent key exactly one inserted it. */
static void check_statuses(Run *run, const uint32_t *slotOfKey) {
    const Case *test = run->test;
    const uint32_t *values = run->values.mapped;
    const uint32_t *statuses = run->statuses.mapped;
    const uint32_t *slots = run->slots.mapped;
    uint32_t *inserted = calloc(test->distinct, sizeof *inserted);
    for (uint32_t i = 0; i < test->count; ++i) {
        const uint32_t key = i % test->distinct;
        const bool refused = values[i] == 0;
        if (!test->noStatuses) {
            const uint32_t status = statuses[i];
            const bool full = test->overfull && run->sums[key] == 0;
            const bool fits = refused ? status == MUR_REFUSED
                              : full  ? status == MUR_FULL
                                      : status == MUR_INSERTED || status == MUR_EXISTED;
            if (!fits) {
                fail_msg("item %u: status %u", i, status);
            }
            inserted[key] += status == MUR_INSERTED;
        }
        if (!test->noSlots) {
            assert_int_equal(slots[i], refused ? MUR_NO_SLOT : slotOfKey[key]);
        }
    }
    check_beyond(run);
    for (uint32_t key = 0; key < test->distinct && !test->noStatuses; ++key) {
        const bool there = key >= test->erased && key < test->before;
        if (inserted[key] != (!there && run->sums[key] != 0)) {
            fail_msg("key %u was inserted %u times", key, inserted[key]);
        }
    }
    free(inserted);
}

/* Adds the batch up. With overfull tables the table says itself which keys it took. */
static void add_up(Run *run, const uint32_t *found) {
    const Case *test = run->test;
    const uint32_t *values = run->values.mapped;
    for (uint32_t i = 0; i < test->count; ++i) {
        const uint32_t key = i % test->distinct;
        run->sums[key] += test->overfull && found[key] == 0 ? 0 : values[i];
    }
}

static void check(Run *run) {
    const Case *test = run->test;
    uint32_t *keys = calloc(test->distinct, sizeof *keys);
    uint32_t *values = calloc(test->distinct, sizeof *values);
    uint32_t *slots = calloc(test->distinct, sizeof *slots);
    for (uint32_t i = 0; i < test->distinct; ++i) {
        keys[i] = key_of(test, i);
    }
    gpu_require(
        murBlockingFind(run->gpu->blocking, run->table, test->distinct, keys, values, NULL, slots));
    add_up(run, values);
    check_statuses(run, slots);
    uint32_t live = 0;
    for (uint32_t i = 0; i < test->distinct; ++i) {
        assert_int_equal(values[i], run->sums[i]);
        live += values[i] != 0;
    }
    MurStats stats;
    gpu_require(murBlockingStats(run->gpu->blocking, run->table, &stats));
    assert_int_equal(stats.live, live);
    assert_int_equal(stats.full != 0, test->overfull);
    assert_int_equal(stats.refused,
                     test->refused ? (test->count + test->refused - 1) / test->refused : 0);
    free(keys);
    free(values);
    free(slots);
}

/* What erases that are swept by default ask for: statuses only. */
static bool erases_silently(const Case *test) {
    return test->noSlots && !test->noStatuses;
}

/* Of the items of a present key exactly one erased it and has its value; the others had nothing to erase. */
static void check_erased(Run *run, const uint32_t *slotOfKey) {
    const Case *test = run->test;
    const uint32_t *values = run->values.mapped;
    const uint32_t *statuses = run->statuses.mapped;
    const uint32_t *slots = run->slots.mapped;
    for (uint32_t i = 0; i < test->count; ++i) {
        const uint32_t key = i % test->distinct;
        const uint32_t sum = run->sums[key];
        const bool told = test->noStatuses ? values[i] != 0 : statuses[i] == MUR_ERASED;
        if (!erases_silently(test)) {
            assert_int_equal(values[i], told ? sum : 0);
        }
        if (!test->noStatuses) {
            assert_int_equal(statuses[i], told ? MUR_ERASED : MUR_ABSENT);
        }
        if (!test->noSlots) {
            assert_int_equal(slots[i], told ? slotOfKey[key] : MUR_NO_SLOT);
        }
        if (told) {
            assert_true(sum != 0);
            run->sums[key] = 0;
        }
    }
    for (uint32_t key = 0; key < test->distinct && key < test->count; ++key) {
        assert_int_equal(run->sums[key], 0);
    }
}

static void erase_batch(Run *run) {
    const Case *test = run->test;
    uint32_t *keys = run->keys.mapped;
    const uint32_t count = test->count;
    const uint32_t maxCount = test->maxCount ? test->maxCount : count;
    uint32_t *slots = calloc(maxCount, sizeof *slots);
    gpu_require(murBlockingFind(run->gpu->blocking, run->table, maxCount, keys, NULL, NULL, slots));
    uint32_t *slotOfKey = calloc(test->distinct, sizeof *slotOfKey);
    for (uint32_t i = 0; i < maxCount; ++i) {
        slotOfKey[i % test->distinct] = slots[i];
    }
    const MurArray none = {0};
    const MurBatch batch = {.maxCount = maxCount,
                            .count = test->maxCount ? run->count.address : 0,
                            .keys = gpu_array(&run->keys),
                            .values = erases_silently(test) ? none : gpu_array(&run->values),
                            .statuses = test->noStatuses ? none : gpu_array(&run->statuses),
                            .slots = test->noSlots ? none : gpu_array(&run->slots)};
    begin_swept(run);
    gpu_require(murCmdErase(run->gpu->cmd, run->table, &batch));
    submit_swept(run);
    check_erased(run, slotOfKey);
    check_beyond(run);
    uint32_t live = 0;
    for (uint32_t key = 0; key < test->distinct; ++key) {
        live += run->sums[key] != 0;
    }
    MurStats stats;
    gpu_require(murBlockingStats(run->gpu->blocking, run->table, &stats));
    assert_int_equal(stats.live, live);
    free(slots);
    free(slotOfKey);
}

static void run_case(Gpu *gpu, Case test) {
    const MurTableCreateInfo info = {.capacity = test.capacity,
                                     .seed = SEED,
                                     .probeLimit = test.probeLimit,
                                     .reservedValue = MUR_RESERVED_VALUE_ZERO,
                                     .atomicWidth = test.width};
    const uint32_t maxCount = test.maxCount ? test.maxCount : test.count;
    const uint32_t most = maxCount > test.before ? maxCount : test.before;
    Run run = {.gpu = gpu,
               .test = &test,
               .table = gpu_table(gpu, &info),
               .keys = gpu_buffer(gpu, 4ull * most),
               .values = gpu_buffer(gpu, 4ull * most),
               .statuses = gpu_buffer(gpu, 4ull * most),
               .slots = gpu_buffer(gpu, 4ull * most),
               .count = gpu_buffer(gpu, 4),
               .sums = calloc(test.distinct, sizeof *run.sums)};
    print_message("  capacity %llu, batch of %u, %u keys, %u of them there, %u erased\n",
                  (unsigned long long)test.capacity, test.count, test.distinct, test.before,
                  test.erased);
    prepare(&run);
    insert_batch(&run);
    check(&run);
    erase_batch(&run);
    gpu_free(gpu, &run.keys);
    gpu_free(gpu, &run.values);
    gpu_free(gpu, &run.statuses);
    gpu_free(gpu, &run.slots);
    gpu_free(gpu, &run.count);
    free(run.sums);
    murDestroyTable(run.table);
}

static void counts(void **state) {
    static const uint32_t all[] = {1,
                                   2,
                                   63,
                                   64,
                                   255,
                                   256,
                                   257,
                                   5000,
                                   TILE - 1,
                                   TILE,
                                   TILE + 1,
                                   GROUPS * TILE - 1,
                                   GROUPS * TILE,
                                   GROUPS * TILE + 1};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; ++i) {
        run_case(*state, (Case){.capacity = all[i] + all[i] / 2 + 2,
                                .count = all[i],
                                .distinct = all[i] < 2 ? 2 : all[i],
                                .width = i % 2 ? MUR_ATOMIC_WIDTH_32 : MUR_ATOMIC_WIDTH_64});
    }
}

static void groups(void **state) {
    static const uint32_t all[] = {1, 2, 7, 64};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; ++i) {
        run_case(
            *state,
            (Case){.capacity = 90000, .count = 3 * TILE + 77, .distinct = 40000, .groups = all[i]});
    }
}

static void widths_and_results(void **state) {
    for (int i = 0; i < 8; ++i) {
        run_case(*state, (Case){.capacity = 30000,
                                .count = 40000,
                                .distinct = 15000,
                                .before = 9000,
                                .erased = 3000,
                                .refused = 13,
                                .noStatuses = (i & 1) != 0,
                                .noSlots = (i & 2) != 0,
                                .width = i & 4 ? MUR_ATOMIC_WIDTH_32 : MUR_ATOMIC_WIDTH_64});
    }
}

/* 0, fewer than the table has parts, and so few that one sweep does it. */
static void counts_from_the_gpu(void **state) {
    static const uint32_t all[] = {0, 1, 300, 4999, 5000, 19999};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; ++i) {
        run_case(*state, (Case){.capacity = 10000,
                                .count = all[i],
                                .maxCount = 20000,
                                .distinct = 7000,
                                .before = 100});
    }
}

static void repeated_keys(void **state) {
    run_case(*state, (Case){.capacity = 64, .count = 50000, .distinct = 2});
    run_case(*state, (Case){.capacity = 500, .count = 50000, .distinct = 300, .before = 299});
}

static void tables_without_room(void **state) {
    run_case(
        *state,
        (Case){
            .capacity = 1000, .count = 20000, .distinct = 5000, .noSlots = true, .overfull = true});
    run_case(*state, (Case){.capacity = 8000,
                            .probeLimit = 8,
                            .count = 20000,
                            .distinct = 7900,
                            .before = 1000,
                            .noSlots = true,
                            .overfull = true,
                            .width = MUR_ATOMIC_WIDTH_32});
}

/* So large that the cache of a large GPU holds a third or a quarter of them. */
static void three_parts_and_four(void **state) {
    gpu_watchdog(300);
    static const uint32_t mebibytes[] = {90, 120};
    for (size_t i = 0; i < sizeof mebibytes / sizeof mebibytes[0]; ++i) {
        const uint32_t capacity = mebibytes[i] << 17;
        run_case(*state, (Case){.capacity = capacity,
                                .count = capacity / 3,
                                .distinct = 300000,
                                .before = 1000,
                                .groups = 64});
    }
}

static int setup(void **state) {
    const int result = gpu_group_setup(state);
    const Gpu *gpu = *state;
    /* Else all of it would be done directly. */
    assert_true(gpu->context->limits.subgroups &&
                (gpu->software || gpu->context->limits.sideBySide));
    return result;
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        gpu_test(counts),
        gpu_test(groups),
        gpu_test(widths_and_results),
        gpu_test(counts_from_the_gpu),
        gpu_test(repeated_keys),
        gpu_test(tables_without_room),
        gpu_test(three_parts_and_four),
    };
    if (argc > 1) {
        cmocka_set_test_filter(argv[1]);
    }
    return cmocka_run_group_tests_name("swept", tests, setup, gpu_group_teardown);
}
