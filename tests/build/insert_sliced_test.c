/* murCmdInsert by slices: into tables that hold keys, erased ones among them, against the oracle;
 * no key moves.
 *
 * SPDX-License-Identifier: MIT */
#include "oracle/pair.h"

#include <kernels/push.h>

#include <string.h>

enum { SEED = 0x5EED, SPECIAL = 7 };

typedef enum Homes { HOMES_RANDOM, HOMES_ONE_SLICE, HOMES_TABLE_END, HOMES_SLICE_ENDS } Homes;

typedef struct Case {
    const TableKind *kind; /* NULL: K32V32 with 64-bit atomics */
    uint32_t capacity;
    uint32_t before; /* pairs in the table first; every third of them erased */
    uint32_t count;  /* of the batch */
    uint32_t maxCount;
    uint32_t repeat; /* each key comes this often */
    Homes homes;
    MurInsertMode mode;
    bool ordered; /* the first pairs are built */
} Case;

/* Key i of the case; those from before on are the batch's, which overlap with the first ones. */
static uint32_t key_of(const Case *test, uint32_t i) {
    const uint64_t capacity = test->capacity;
    uint64_t home = 0;
    switch (test->homes) {
    case HOMES_ONE_SLICE:
        home = capacity / 3;
        break;
    case HOMES_TABLE_END:
        home = capacity - 1;
        break;
    case HOMES_SLICE_ENDS:
        home = (i % (capacity / MUR_SLICE)) * MUR_SLICE + MUR_SLICE - 3;
        break;
    default:
        return mur_key(i == SPECIAL ? MUR_EMPTY : mur_hash(i, 99), SEED);
    }
    return mur_key((uint32_t)(((home << 32) + capacity - 1) / capacity) + i, SEED);
}

/* Which of the keys is item i's of the batch? */
static uint32_t batch_index(const Case *test, uint32_t item) {
    return test->before / 2 + item / (test->repeat ? test->repeat : 1);
}

typedef struct Run {
    Gpu *gpu;
    const Case *test;
    Pair pair;
    GpuBuffer keys, values, count;
} Run;

/* murCmdBuild or murCmdInsert, with the scratch memory that it asks for. */
static void record(Run *run, Way way, MurCommand command, MurInsertMode mode, MurBatch batch) {
    Gpu *gpu = run->gpu;
    batch.keys = gpu_array(&run->keys);
    batch.values = gpu_array(&run->values);
    gpu_take(gpu, way);
    batch.scratch.size = murGetScratchSize(run->pair.table, command, mode, &batch);
    assert_true(batch.scratch.size > 0);
    GpuBuffer scratch = gpu_buffer(gpu, batch.scratch.size);
    memset(scratch.mapped, 0xA5, scratch.size);
    batch.scratch.address = scratch.address;
    gpu_begin(gpu);
    gpu_barrier(gpu);
    gpu_require(command == MUR_COMMAND_BUILD
                    ? murCmdBuild(gpu->cmd, run->pair.table, mode, &batch)
                    : murCmdInsert(gpu->cmd, run->pair.table, mode, &batch));
    gpu_submit(gpu);
    gpu_take(gpu, WAY_DEFAULT);
    gpu_free(gpu, &scratch);
}

/* Keys that are there before, by a build in order or by the oracle. */
static void fill(Run *run) {
    const Case *test = run->test;
    uint32_t *keys = run->keys.mapped, *values = run->values.mapped;
    Oracle *oracle = &run->pair.oracle;
    for (uint32_t i = 0; i < test->before; ++i) {
        keys[i] = key_of(test, i);
        values[i] = 1000 + i;
        if (!test->ordered) {
            oracle_insert(oracle, MUR_MODE_ASSIGN, keys[i], values[i]);
            if (i % 3 == 1) {
                oracle_erase(oracle, keys[i]);
            }
        }
    }
    if (test->ordered) {
        record(run, WAY_EXACT, MUR_COMMAND_BUILD, 0, (MurBatch){.maxCount = test->before});
        pair_adopt(&run->pair);
        assert_true(oracle->ordered);
    } else {
        oracle_image(oracle, run->pair.memory.mapped);
    }
}

static void insert_batch(Run *run) {
    const Case *test = run->test;
    const uint32_t maxCount = test->maxCount ? test->maxCount : test->count;
    uint32_t *keys = run->keys.mapped, *values = run->values.mapped;
    for (uint32_t i = 0; i < maxCount; ++i) {
        keys[i] = key_of(test, batch_index(test, i));
        values[i] = i % 11 == 5 ? (uint32_t)run->pair.oracle.none : 500000 + batch_index(test, i);
    }
    *(uint32_t *)run->count.mapped = test->count;
    record(run, WAY_SLICES, MUR_COMMAND_INSERT, test->mode,
           (MurBatch){.maxCount = maxCount,
                      .countAddress = test->maxCount ? run->count.address : 0,
                      .flags = MUR_BATCH_EXCLUSIVE});
}

/* As if the items had come one after another: those of a key have one value. No key moves, and the
 * order ends with a new one. */
static void check(Run *run, const Oracle *before) {
    const Case *test = run->test;
    const uint32_t *keys = run->keys.mapped, *values = run->values.mapped;
    const Oracle *after = &run->pair.oracle;
    Oracle expected = oracle_copy(before);
    for (uint32_t i = 0; i < test->count; ++i) {
        oracle_insert(&expected, test->mode, keys[i], values[i]);
    }
    pair_adopt(&run->pair);
    for (uint32_t i = 0; i <= batch_index(test, test->count) + test->before; ++i) {
        const uint32_t key = key_of(test, i), slot = oracle_claimed(before, key);
        if (oracle_value(after, key) != oracle_value(&expected, key) ||
            (slot != MUR_NO_SLOT && slot != oracle_claimed(after, key))) {
            fail_msg("key %u: 0x%llx instead of 0x%llx, or moved from slot %u", i,
                     (unsigned long long)oracle_value(after, key),
                     (unsigned long long)oracle_value(&expected, key), slot);
        }
    }
    assert_int_equal(oracle_stats(after).live, oracle_stats(&expected).live);
    assert_int_equal(after->refused, expected.refused);
    assert_int_equal(after->full, 0);
    assert_int_equal(after->ordered, expected.ordered);
    pair_require_same(run->gpu, &run->pair);
    oracle_close(&expected);
}

static void run_case(Gpu *gpu, Case test) {
    const uint32_t most = test.before + test.count + test.maxCount + 1;
    Run run = {.gpu = gpu,
               .test = &test,
               .keys = gpu_buffer(gpu, 4ull * most),
               .values = gpu_buffer(gpu, 4ull * most),
               .count = gpu_buffer(gpu, 4)};
    pair_open(gpu, &run.pair, test.kind ? test.kind : layout_kind(LAYOUT_k32v32_64, false),
              &(PairOptions){.capacity = test.capacity,
                             .seed = SEED,
                             .uses = {murUseScratch(), murUseBuild()}});
    print_message("  capacity %u, %u before, batch of %u, homes %d, mode %d\n", test.capacity,
                  test.before, test.count, (int)test.homes, (int)test.mode);
    fill(&run);
    Oracle before = oracle_copy(&run.pair.oracle);
    insert_batch(&run);
    check(&run, &before);
    oracle_close(&before);
    gpu_free(gpu, &run.keys);
    gpu_free(gpu, &run.values);
    gpu_free(gpu, &run.count);
    pair_close(gpu, &run.pair);
}

#define RUN(...) run_case(gpu, (Case){__VA_ARGS__})

GPU_TEST(widths_modes_and_reserved_values) {
    for (int i = 0; i < 8; ++i) {
        RUN(.capacity = 5000, .before = 900, .count = 1500,
            .mode = i & 1 ? MUR_MODE_KEEP : MUR_MODE_ASSIGN, .kind = &table_kinds[i / 2]);
    }
}

GPU_TEST(capacities_and_counts) {
    static const uint32_t capacities[] = {1, 5, 1023, 1024, 1025, 2049, 4096};
    for (size_t i = 0; i < sizeof capacities / sizeof capacities[0]; ++i) {
        uint32_t half = (capacities[i] + 1) / 2;
        RUN(.capacity = capacities[i], .before = half / 2, .count = half);
    }
    RUN(.capacity = 3000, .before = 500, .count = 777, .maxCount = 1300);
}

/* Nearly full: clusters run over the slices' ends. */
GPU_TEST(high_loads) {
    RUN(.capacity = 4096, .before = 2000, .count = 2800);
    RUN(.capacity = 4096, .before = 3900, .count = 1900, .ordered = true);
}

GPU_TEST(repeated_keys) {
    RUN(.capacity = 3000, .before = 600, .count = 1200, .repeat = 4);
    /* Too many for a bin: the whole batch directly. */
    RUN(.capacity = 8192, .before = 600, .count = 3000, .repeat = 3000, .mode = MUR_MODE_KEEP);
}

GPU_TEST(skewed_keys) {
    for (int homes = HOMES_ONE_SLICE; homes <= HOMES_SLICE_ENDS; ++homes) {
        RUN(.capacity = 8192, .before = 300, .count = 250, .homes = (Homes)homes,
            .mode = MUR_MODE_KEEP);
        RUN(.capacity = 8192, .before = 60, .count = 1500, .homes = (Homes)homes);
    }
}

GPU_TEST(order_ends_with_a_new_key_only) {
    RUN(.capacity = 6000, .before = 2000, .count = 1000, .ordered = true);
    RUN(.capacity = 6000, .before = 2000, .count = 1001, .ordered = true);
}

GPU_TEST(two_splitting_steps) {
    const uint32_t capacity = (MUR_SPLIT_BINS + 3) * MUR_SLICE;
    RUN(.capacity = capacity, .before = 3000, .count = 9000);
}

/* Misaligned scratch is an error; too little of it is not. */
GPU_TEST(scratch_memory) {
    enum { COUNT = 1000 };
    MurTable table = GPU_TABLE(gpu, .capacity = 4096, .uses = {murUseScratch()});
    GpuBuffer arrays = gpu_buffer(gpu, 8 * COUNT);
    uint32_t *words = arrays.mapped;
    for (uint32_t i = 0; i < 2 * COUNT; ++i) {
        words[i] = 3 * i;
    }
    MurBatch batch = {.maxCount = COUNT,
                      .keys = gpu_part(&arrays, 0, COUNT),
                      .values = gpu_part(&arrays, COUNT, COUNT)};
    gpu_take(gpu, WAY_SLICES);
    assert_int_equal(murGetScratchSize(table, MUR_COMMAND_INSERT, MUR_MODE_ASSIGN, &batch), 0);
    batch.flags = MUR_BATCH_EXCLUSIVE;
    const VkDeviceSize size = murGetScratchSize(table, MUR_COMMAND_INSERT, MUR_MODE_ASSIGN, &batch);
    assert_true(size > 0);
    GpuBuffer scratch = gpu_device_buffer(gpu, size);
    batch.scratch = (MurArray){scratch.address + 4, size};
    gpu_begin(gpu);
    gpu_refused(gpu, murCmdInsert(gpu->cmd, table, MUR_MODE_ASSIGN, &batch), "scratch");
    batch.scratch = (MurArray){scratch.address, size - 1};
    gpu_require(murCmdInsert(gpu->cmd, table, MUR_MODE_ASSIGN, &batch));
    gpu_submit(gpu);
    const MurStats stats = gpu_stats(gpu, table);
    assert_int_equal(stats.live, COUNT);
    gpu_free(gpu, &scratch);
    gpu_free(gpu, &arrays);
    murDestroyTable(table);
}
