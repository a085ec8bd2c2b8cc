/* murCmdInsert by slices: into tables that hold keys, erased ones among them, against a model; no
 * key moves.
 *
 * SPDX-License-Identifier: MIT */
#include "support/gpu.h"

#include <kernels/push.h>

#include <stdlib.h>
#include <string.h>

enum { SEED = 0x5EED, SPECIAL = 7 };

typedef enum Homes { HOMES_RANDOM, HOMES_ONE_SLICE, HOMES_TABLE_END, HOMES_SLICE_ENDS } Homes;

typedef struct Case {
    uint64_t capacity;
    uint32_t before; /* pairs in the table first; every third of them erased */
    uint32_t count;  /* of the batch */
    uint32_t maxCount;
    uint32_t repeat; /* each key comes this often */
    Homes homes;
    MurInsertMode mode;
    MurReservedValue reserved;
    MurAtomicWidth width;
    bool ordered; /* the first pairs are built */
} Case;

static uint32_t no_value(const Case *test) {
    return test->reserved == MUR_RESERVED_VALUE_ZERO ? 0 : UINT32_MAX;
}

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

typedef struct Model {
    uint32_t *keys, *values; /* in the order of first arrival; absent: the reserved value */
    uint32_t count;
} Model;

static uint32_t *model_value(Model *model, uint32_t key, uint32_t none) {
    for (uint32_t i = 0; i < model->count; ++i) {
        if (model->keys[i] == key) {
            return &model->values[i];
        }
    }
    model->keys[model->count] = key;
    model->values[model->count] = none;
    return &model->values[model->count++];
}

/* Which of the batch's keys is item i's? */
static uint32_t batch_index(const Case *test, uint32_t item) {
    uint32_t repeat = test->repeat ? test->repeat : 1;
    return test->before / 2 + item / repeat;
}

typedef struct Run {
    Gpu *gpu;
    const Case *test;
    MurTable table;
    GpuBuffer keys, values, count, scratch;
    Model model;
    uint32_t *slots; /* of the model's keys before the batch */
} Run;

static void fill(Run *run) {
    const Case *test = run->test;
    uint32_t *keys = run->keys.mapped;
    uint32_t *values = run->values.mapped;
    const uint32_t none = no_value(test);
    for (uint32_t i = 0; i < test->before; ++i) {
        keys[i] = key_of(test, i);
        values[i] = 1000 + i;
        *model_value(&run->model, keys[i], none) = i % 3 == 1 ? none : values[i];
    }
    if (test->before) {
        gpu_require(murBlockingInsert(run->gpu->blocking, run->table, MUR_MODE_ASSIGN, test->before,
                                      keys, values, NULL, NULL));
    }
    uint32_t erased = 0;
    for (uint32_t i = 1; i < test->before; i += 3) {
        keys[erased++] = keys[i];
    }
    if (erased) {
        gpu_require(
            murBlockingErase(run->gpu->blocking, run->table, erased, keys, NULL, NULL, NULL));
    }
}

static void fill_ordered(Run *run) {
    const Case *test = run->test;
    uint32_t *keys = run->keys.mapped;
    uint32_t *values = run->values.mapped;
    for (uint32_t i = 0; i < test->before; ++i) {
        keys[i] = key_of(test, i);
        values[i] = 1000 + i;
        *model_value(&run->model, keys[i], no_value(test)) = values[i];
    }
    MurBatch batch = {
        .maxCount = test->before, .keys = gpu_array(&run->keys), .values = gpu_array(&run->values)};
    gpu_take(run->gpu, WAY_EXACT);
    batch.scratch.size = murGetScratchSize(run->table, MUR_COMMAND_BUILD, 0, &batch);
    GpuBuffer scratch = gpu_device_buffer(run->gpu, batch.scratch.size);
    batch.scratch.address = scratch.address;
    gpu_begin(run->gpu);
    gpu_require(murCmdBuild(run->gpu->cmd, run->table, MUR_MODE_ASSIGN, &batch));
    gpu_submit(run->gpu);
    gpu_free(run->gpu, &scratch);
    gpu_take(run->gpu, WAY_DEFAULT);
}

static void insert_batch(Run *run) {
    Gpu *gpu = run->gpu;
    const Case *test = run->test;
    const uint32_t maxCount = test->maxCount ? test->maxCount : test->count;
    uint32_t *keys = run->keys.mapped;
    uint32_t *values = run->values.mapped;
    for (uint32_t i = 0; i < maxCount; ++i) {
        keys[i] = key_of(test, batch_index(test, i));
        values[i] = i % 11 == 5 ? no_value(test) : 500000 + batch_index(test, i);
    }
    *(uint32_t *)run->count.mapped = test->count;
    MurBatch batch = {.maxCount = maxCount,
                      .countAddress = test->maxCount ? run->count.address : 0,
                      .keys = gpu_array(&run->keys),
                      .values = gpu_array(&run->values),
                      .flags = MUR_BATCH_EXCLUSIVE};
    gpu_take(gpu, WAY_SLICES);
    batch.scratch.size = murGetScratchSize(run->table, MUR_COMMAND_INSERT, test->mode, &batch);
    assert_true(batch.scratch.size > 0);
    run->scratch = gpu_device_buffer(gpu, batch.scratch.size);
    batch.scratch.address = run->scratch.address;
    gpu_begin(gpu);
    vkCmdFillBuffer(gpu->cmd, run->scratch.buffer, 0, VK_WHOLE_SIZE, 0xA5A5A5A5);
    gpu_barrier(gpu);
    gpu_require(murCmdInsert(gpu->cmd, run->table, test->mode, &batch));
    gpu_submit(gpu);
    gpu_take(gpu, WAY_DEFAULT);
}

/* The model's view of the batch; returns how many were refused. */
static uint32_t insert_into_model(Run *run) {
    const Case *test = run->test;
    const uint32_t *keys = run->keys.mapped;
    const uint32_t *values = run->values.mapped;
    const uint32_t none = no_value(test);
    uint32_t refused = 0;
    for (uint32_t i = 0; i < test->count; ++i) {
        if (values[i] == none) {
            ++refused;
            continue;
        }
        uint32_t *value = model_value(&run->model, keys[i], none);
        *value = test->mode == MUR_MODE_KEEP && *value != none ? *value : values[i];
    }
    return refused;
}

static void find_slots(Run *run, uint32_t count, uint32_t *values, uint32_t *slots) {
    gpu_require(murBlockingFind(run->gpu->blocking, run->table, count, run->model.keys, values,
                                NULL, slots));
}

static void check(Run *run, uint32_t known, uint32_t refused) {
    const uint32_t count = run->model.count;
    const uint32_t none = no_value(run->test);
    uint32_t *values = calloc(count, sizeof *values);
    uint32_t *slots = calloc(count, sizeof *slots);
    uint32_t live = 0;
    find_slots(run, count, values, slots);
    for (uint32_t i = 0; i < count; ++i) {
        if (values[i] != run->model.values[i]) {
            print_error("key %u of the model: value %u instead of %u\n", i, values[i],
                        run->model.values[i]);
            fail();
        }
        if (i < known && run->slots[i] != MUR_NO_SLOT && slots[i] != run->slots[i]) {
            print_error("key %u moved from slot %u to %u\n", i, run->slots[i], slots[i]);
            fail();
        }
        live += values[i] != none;
    }
    MurStats stats;
    gpu_require(murBlockingStats(run->gpu->blocking, run->table, &stats));
    assert_int_equal(stats.live, live);
    assert_int_equal(stats.refused, refused);
    assert_int_equal(stats.full, 0);
    if (count > known) {
        assert_int_equal(stats.state & MUR_STATE_ORDERED, 0);
    } else if (run->test->ordered) {
        assert_int_equal(stats.state & MUR_STATE_ORDERED, MUR_STATE_ORDERED);
    }
    free(values);
    free(slots);
}

static void run_case(Gpu *gpu, Case test) {
    const MurTableCreateInfo info = {.capacity = test.capacity,
                                     .seed = SEED,
                                     .reservedValue = test.reserved,
                                     .atomicWidth = test.width,
                                     .uses = {murUseScratch(), murUseBuild()}};
    const uint32_t most = test.before + test.count + test.maxCount + 1;
    Run run = {.gpu = gpu,
               .test = &test,
               .table = gpu_table(gpu, &info),
               .keys = gpu_buffer(gpu, 4ull * most),
               .values = gpu_buffer(gpu, 4ull * most),
               .count = gpu_buffer(gpu, 4)};
    run.model.keys = calloc(most, 4);
    run.model.values = calloc(most, 4);
    run.slots = calloc(most, 4);
    print_message("  capacity %llu, %u before, batch of %u, homes %d, mode %d\n",
                  (unsigned long long)test.capacity, test.before, test.count, (int)test.homes,
                  (int)test.mode);
    if (test.ordered) {
        fill_ordered(&run);
    } else {
        fill(&run);
    }
    const uint32_t known = run.model.count;
    uint32_t *values = calloc(most, 4);
    if (known) {
        find_slots(&run, known, values, run.slots);
    }
    insert_batch(&run);
    check(&run, known, insert_into_model(&run));
    free(values);
    free(run.slots);
    free(run.model.keys);
    free(run.model.values);
    gpu_free(gpu, &run.keys);
    gpu_free(gpu, &run.values);
    gpu_free(gpu, &run.count);
    gpu_free(gpu, &run.scratch);
    murDestroyTable(run.table);
}

static void widths_modes_and_reserved_values(void **state) {
    for (int i = 0; i < 8; ++i) {
        run_case(*state,
                 (Case){.capacity = 5000,
                        .before = 900,
                        .count = 1500,
                        .mode = i & 1 ? MUR_MODE_KEEP : MUR_MODE_ASSIGN,
                        .reserved = i & 2 ? MUR_RESERVED_VALUE_ZERO : MUR_RESERVED_VALUE_MAX,
                        .width = i & 4 ? MUR_ATOMIC_WIDTH_32 : MUR_ATOMIC_WIDTH_64});
    }
}

static void capacities_and_counts(void **state) {
    static const uint32_t capacities[] = {1, 5, 1023, 1024, 1025, 2049, 4096};
    for (size_t i = 0; i < sizeof capacities / sizeof capacities[0]; ++i) {
        uint32_t half = (capacities[i] + 1) / 2;
        run_case(*state, (Case){.capacity = capacities[i], .before = half / 2, .count = half});
    }
    run_case(*state, (Case){.capacity = 3000, .before = 500, .count = 777, .maxCount = 1300});
}

/* Nearly full: clusters run over the slices' ends. */
static void high_loads(void **state) {
    run_case(*state, (Case){.capacity = 4096, .before = 2000, .count = 2800});
    run_case(*state, (Case){.capacity = 4096, .before = 3900, .count = 1900, .ordered = true});
}

static void repeated_keys(void **state) {
    run_case(*state, (Case){.capacity = 3000, .before = 600, .count = 1200, .repeat = 4});
    /* Too many for a bin: the whole batch directly. */
    run_case(
        *state,
        (Case){
            .capacity = 8192, .before = 600, .count = 3000, .repeat = 3000, .mode = MUR_MODE_KEEP});
}

static void skewed_keys(void **state) {
    for (int homes = HOMES_ONE_SLICE; homes <= HOMES_SLICE_ENDS; ++homes) {
        run_case(*state, (Case){.capacity = 8192,
                                .before = 300,
                                .count = 250,
                                .homes = (Homes)homes,
                                .mode = MUR_MODE_KEEP});
        run_case(*state,
                 (Case){.capacity = 8192, .before = 60, .count = 1500, .homes = (Homes)homes});
    }
}

static void order_ends_with_a_new_key_only(void **state) {
    run_case(*state, (Case){.capacity = 6000, .before = 2000, .count = 1000, .ordered = true});
    run_case(*state, (Case){.capacity = 6000, .before = 2000, .count = 1001, .ordered = true});
}

static void two_splitting_steps(void **state) {
    gpu_watchdog(300);
    const uint32_t capacity = (MUR_SPLIT_BINS + 3) * MUR_SLICE;
    run_case(*state, (Case){.capacity = capacity, .before = 3000, .count = 9000});
}

/* Misaligned scratch is an error; too little of it is not. */
static void scratch_memory(void **state) {
    Gpu *gpu = *state;
    enum { COUNT = 1000 };
    const MurTableCreateInfo info = {.capacity = 4096, .uses = {murUseScratch()}};
    MurTable table = gpu_table(gpu, &info);
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
    assert_int_equal(murCmdInsert(gpu->cmd, table, MUR_MODE_ASSIGN, &batch),
                     MUR_ERROR_INVALID_ARGUMENT);
    batch.scratch = (MurArray){scratch.address, size - 1};
    gpu_require(murCmdInsert(gpu->cmd, table, MUR_MODE_ASSIGN, &batch));
    gpu_submit(gpu);
    MurStats stats;
    gpu_require(murBlockingStats(gpu->blocking, table, &stats));
    assert_int_equal(stats.live, COUNT);
    gpu_free(gpu, &scratch);
    gpu_free(gpu, &arrays);
    murDestroyTable(table);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        gpu_test(widths_modes_and_reserved_values),
        gpu_test(capacities_and_counts),
        gpu_test(high_loads),
        gpu_test(repeated_keys),
        gpu_test(skewed_keys),
        gpu_test(order_ends_with_a_new_key_only),
        gpu_test(two_splitting_steps),
        gpu_test(scratch_memory),
    };
    return cmocka_run_group_tests_name("insert_sliced", tests, gpu_group_setup, gpu_group_teardown);
}
