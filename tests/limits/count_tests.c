/* How many items a batch has: none, one, around a workgroup, more than 65,535 workgroups, and
 * whatever a count on the GPU claims. Nothing beyond is read or written.
 *
 * SPDX-License-Identifier: MIT */
#include "limits.h"

#include "support/observe.h"
#include "support/seed.h"

#include <string.h>

GPU_SPIRV(pattern_spv);

enum { POISON = 0x0DDBA11, GUARD = 300, SEED = 21 };

/* The commands under test: the status of an item, and what the table shows afterwards. */
typedef struct Verb {
    const char *name;
    bool filled; /* the table holds all keys before */
    uint32_t status;
} Verb;
static const Verb insert = {"insert", false, MUR_INSERTED};
static const Verb find = {"find", true, MUR_FOUND};
static const Verb erase = {"erase", true, MUR_ERASED};

/* Arrays in one mapped buffer: the keys, then values, statuses and slots, each with a guard behind.
 */
typedef struct Arrays {
    GpuBuffer buffer;
    uint32_t *words;
    uint32_t count;
} Arrays;

static uint32_t array_start(const Arrays *arrays, uint32_t which) {
    return GUARD + which * (arrays->count + GUARD);
}

static MurArray array_of(const Arrays *arrays, uint32_t which) {
    return gpu_part(&arrays->buffer, array_start(arrays, which), arrays->count);
}

/* Keys that follow the batch would be inserted or found if they were looked at. */
static Arrays arrays_new(Gpu *gpu, uint32_t count) {
    Arrays arrays = {.count = count};
    uint32_t words = array_start(&arrays, 4) + 1;
    arrays.buffer = gpu_buffer(gpu, 4ull * words);
    arrays.words = arrays.buffer.mapped;
    for (uint32_t i = 0; i < words; ++i) {
        arrays.words[i] = POISON;
    }
    for (uint32_t i = 0; i < count + GUARD; ++i) {
        arrays.words[array_start(&arrays, 0) + i] = 5 * i;
    }
    return arrays;
}

static VkResult record_verb(VkCommandBuffer cmd, MurTable table, const Verb *verb,
                            const MurBatch *batch) {
    return verb == &insert ? murCmdInsert(cmd, table, MUR_MODE_ASSIGN, batch)
           : verb == &find ? murCmdFind(cmd, table, batch)
                           : murCmdErase(cmd, table, batch);
}

static void expect_words(const Arrays *arrays, uint32_t which, uint32_t done, uint32_t expected,
                         const char *what) {
    const uint32_t *words = arrays->words + array_start(arrays, which);
    for (uint32_t i = 0; i < arrays->count + GUARD; ++i) {
        bool right = i < done ? words[i] == expected || expected == MUR_NO_SLOT
                              : words[i] == POISON;
        if (!right) {
            fail_msg("%s, %u of %u items: array %u, word %u is 0x%x, expected 0x%x", what, done,
                     arrays->count, which, i, words[i], i < done ? expected : POISON);
        }
    }
}

enum { VALUE = 99 }; /* of every item */

/* A table that holds the keys of the batch and those behind it, if the command is to find them. */
static MurTable table_for(Gpu *gpu, const Kind *kind, const Verb *verb, uint32_t maxCount) {
    MurTable table = roomy_table(gpu, kind, 2 * maxCount + GUARD, SEED);
    if (verb->filled) {
        Items items = items_new(maxCount + GUARD);
        for (uint32_t i = 0; i < items.count; ++i) {
            items.keys[i] = 5 * i;
            items.values[i] = VALUE;
        }
        insert_items(gpu, table, MUR_MODE_KEEP, &items);
        items_free(&items);
    }
    return table;
}

/* A batch of maxCount items, optionally with a count on the GPU, of which done are to be done. */
static void run_batch(Gpu *gpu, const Kind *kind, const Verb *verb, uint32_t maxCount,
                      const uint32_t *gpuCount, uint32_t done) {
    Arrays arrays = arrays_new(gpu, maxCount);
    MurTable table = table_for(gpu, kind, verb, maxCount);
    for (uint32_t i = 0; i < maxCount && verb == &insert; ++i) {
        arrays.words[array_start(&arrays, 1) + i] = VALUE;
    }
    uint32_t countAt = array_start(&arrays, 4); /* behind the last guard */
    arrays.words[countAt] = gpuCount ? *gpuCount : 0;
    const MurBatch batch = {
        .maxCount = maxCount,
        .countAddress = gpuCount ? gpu_part(&arrays.buffer, countAt, 1).address : 0,
        .keys = array_of(&arrays, 0),
        .values = array_of(&arrays, 1),
        .statuses = array_of(&arrays, 2),
        .slots = array_of(&arrays, 3),
    };
    gpu_begin(gpu);
    gpu_require(record_verb(gpu->cmd, table, verb, &batch));
    gpu_submit(gpu);
    if (verb != &insert) {
        expect_words(&arrays, 1, done, VALUE, verb->name);
    }
    expect_words(&arrays, 2, done, verb->status, verb->name);
    expect_words(&arrays, 3, done, MUR_NO_SLOT, verb->name); /* any slot */
    uint32_t all = maxCount + GUARD;
    uint32_t live = verb == &insert ? done : verb == &find ? all : all - done;
    assert_int_equal(table_stats(gpu, table).live, live);
    murDestroyTable(table);
    gpu_free(gpu, &arrays.buffer);
}

static void run_counts(Gpu *gpu, const Verb *verb) {
    static const uint32_t counts[] = {1, 2, 255, 256, 257, 511, 512, 513, 1000};
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; ++i) {
        for (uint32_t k = 0; k < KIND_COUNT; ++k) {
            run_batch(gpu, &kinds[k], verb, counts[i], NULL, counts[i]);
        }
    }
}

static void inserts_around_a_workgroup(void **state) {
    run_counts(*state, &insert);
}

static void finds_around_a_workgroup(void **state) {
    run_counts(*state, &find);
}

static void erasures_around_a_workgroup(void **state) {
    run_counts(*state, &erase);
}

static void run_gpu_counts(Gpu *gpu, const Verb *verb) {
    enum { MAX_COUNT = 300 };
    static const uint32_t counts[] = {0,   1,   255,        256,        257,        299,       300,
                                      301, 512, 0x7FFFFFFF, 0x80000000, 0xFFFFFF00, 0xFFFFFFFF};
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; ++i) {
        uint32_t done = counts[i] < MAX_COUNT ? counts[i] : MAX_COUNT;
        run_batch(gpu, &kinds[i % KIND_COUNT], verb, MAX_COUNT, &counts[i], done);
    }
}

static void inserts_of_any_gpu_count_stay_in_their_arrays(void **state) {
    run_gpu_counts(*state, &insert);
}

static void finds_of_any_gpu_count_stay_in_their_arrays(void **state) {
    run_gpu_counts(*state, &find);
}

static void erasures_of_any_gpu_count_stay_in_their_arrays(void **state) {
    run_gpu_counts(*state, &erase);
}

static void blocking_calls_take_no_items(void **state) {
    Gpu *gpu = *state;
    MurTable table = roomy_table(gpu, &kinds[0], 10, SEED);
    uint32_t count = 7;
    gpu_require(murBlockingInsert(gpu->blocking, table, MUR_MODE_KEEP, 0, NULL, NULL, NULL, NULL));
    gpu_require(murBlockingFind(gpu->blocking, table, 0, NULL, NULL, NULL, NULL));
    gpu_require(murBlockingErase(gpu->blocking, table, 0, NULL, NULL, NULL, NULL));
    gpu_require(murBlockingExtract(gpu->blocking, table, 0, NULL, 0, NULL, NULL, NULL, &count));
    assert_int_equal(count, 0);
    assert_int_equal(table_stats(gpu, table).free, murGetTableRef(table).slotCount + 1);
    murDestroyTable(table);
}

/* More workgroups than one dimension of a dispatch holds where the limit is 65,535. */
enum { MANY = (1 << 24) + 300, KEYS = 1021, TAIL = 1000 };

struct Pattern {
    uint64_t array, mismatches;
    uint32_t count, total, modulus, bias, poison, checking;
};

/* Writes MANY + TAIL words of a repeating pattern, or counts those that differ from it. */
static void run_pattern(Gpu *gpu, const GpuKernel *kernel, const GpuBuffer *array,
                        const GpuBuffer *mismatches, uint32_t bias, bool checking) {
    const struct Pattern push = {
        .array = array->address,
        .mismatches = mismatches->address,
        .count = MANY,
        .total = MANY + TAIL,
        .modulus = KEYS,
        .bias = bias,
        .poison = POISON,
        .checking = checking,
    };
    gpu_barrier(gpu);
    gpu_dispatch(gpu, kernel, &push, 1024);
    gpu_barrier(gpu);
}

/* In the long tier; rows of workgroups, below, are what the normal one has of this. */
static void more_than_65535_workgroups_find_every_item(void **state) {
    Gpu *gpu = *state;
    if (!test_full()) {
        skip();
    }
    GpuKernel kernel = gpu_kernel(gpu, pattern_spv, pattern_spv_size, sizeof(struct Pattern), 0);
    GpuBuffer keys = gpu_device_buffer(gpu, 4ull * (MANY + TAIL));
    GpuBuffer out = gpu_device_buffer(gpu, 4ull * (MANY + TAIL));
    GpuBuffer mismatches = gpu_buffer(gpu, 4);
    MurTable table = roomy_table(gpu, &kinds[0], KEYS, SEED);
    Items items = items_new(KEYS);
    for (uint32_t i = 0; i < KEYS; ++i) {
        items.keys[i] = i;
        items.values[i] = i + 77;
    }
    insert_items(gpu, table, MUR_MODE_KEEP, &items);
    items_free(&items);
    memset(mismatches.mapped, 0, 4);
    const MurBatch batch = {
        .maxCount = MANY,
        .keys = gpu_part(&keys, 0, MANY),
        .values = gpu_part(&out, 0, MANY),
    };
    gpu_begin(gpu);
    vkCmdFillBuffer(gpu->cmd, out.buffer, 0, VK_WHOLE_SIZE, POISON);
    run_pattern(gpu, &kernel, &keys, &mismatches, 0, false);
    gpu_require(murCmdFind(gpu->cmd, table, &batch));
    run_pattern(gpu, &kernel, &out, &mismatches, 77, true);
    gpu_submit(gpu);
    assert_int_equal(*(uint32_t *)mismatches.mapped, 0);
    murDestroyTable(table);
    gpu_free(gpu, &keys);
    gpu_free(gpu, &out);
    gpu_free(gpu, &mismatches);
    gpu_kernel_free(gpu, &kernel);
}

/* A device that says it dispatches few workgroups in a row: grids of several rows, the last of them
 * too long, are then small enough to look at every command closely. (Not at statistics: their
 * grid is a single row, which Vulkan's smallest limit guarantees.) */
enum { NARROW_GROUPS = 7, NARROW_COUNT = 20 * 256 - 3 };

static void narrow(VkPhysicalDeviceProperties2 *properties) {
    properties->properties.limits.maxComputeWorkGroupCount[0] = NARROW_GROUPS;
}

static MurTable open_narrow(Observed *observed, Gpu *gpu, uint64_t capacity) {
    const MurContextCreateInfo info = observe(observed, gpu);
    interpose_properties(narrow);
    gpu_require(murCreateContext(&info, &observed->context));
    const MurBlockingCreateInfo blocking = {.queue = gpu->queue, .queueFamilyIndex = gpu->family};
    gpu_require(murCreateBlocking(observed->context, &blocking, &observed->blocking));
    const MurTableCreateInfo table = {.capacity = capacity,
                                      .reservedValue = MUR_RESERVED_VALUE_ZERO};
    MurTable narrowTable;
    gpu_require(murCreateTable(observed->context, &table, &narrowTable));
    gpu_require(murBlockingClear(observed->blocking, narrowTable));
    return narrowTable;
}

static void close_narrow(Observed *observed, MurTable table) {
    murDestroyTable(table);
    observe_close(observed);
}

static void rows_of_workgroups_insert_every_item_once(void **state) {
    Observed observed;
    MurTable table = open_narrow(&observed, *state, KEYS);
    Items items = items_new(NARROW_COUNT);
    for (uint32_t i = 0; i < items.count; ++i) {
        items.keys[i] = i % KEYS;
        items.values[i] = 1;
    }
    gpu_require(murBlockingInsert(observed.blocking, table, MUR_MODE_ADD, items.count, items.keys,
                                  items.values, items.statuses, NULL));
    Items sums = items_head(&items, KEYS);
    find_items(*state, table, &sums);
    for (uint32_t i = 0; i < KEYS; ++i) {
        uint32_t expected = NARROW_COUNT / KEYS + (i < NARROW_COUNT % KEYS);
        if (sums.values[i] != expected) {
            fail_msg("key %u was added to %u times, expected %u", i, sums.values[i], expected);
        }
    }
    items_free(&items);
    close_narrow(&observed, table);
}

static void rows_of_workgroups_find_and_erase_every_item_once(void **state) {
    Observed observed;
    MurTable table = open_narrow(&observed, *state, NARROW_COUNT);
    Items items = items_new(NARROW_COUNT);
    keys_with_any_home(&items, 0, 0, 0);
    insert_items(*state, table, MUR_MODE_KEEP, &items);
    gpu_require(murBlockingFind(observed.blocking, table, items.count, items.keys, NULL,
                                items.statuses, NULL));
    expect_statuses(&items, MUR_FOUND, "rows");
    gpu_require(murBlockingErase(observed.blocking, table, items.count, items.keys, NULL,
                                 items.statuses, NULL));
    expect_statuses(&items, MUR_ERASED, "rows");
    gpu_require(murBlockingFind(observed.blocking, table, items.count, items.keys, NULL,
                                items.statuses, NULL));
    expect_statuses(&items, MUR_ABSENT, "rows");
    items_free(&items);
    close_narrow(&observed, table);
}

static void rows_of_workgroups_clear_and_extract_every_slot_once(void **state) {
    enum { CAPACITY = 40000, LIVE = 30000 }; /* 44 rows of sectors */
    Observed observed;
    MurTable table = open_narrow(&observed, *state, CAPACITY);
    Items items = items_new(LIVE);
    keys_with_any_home(&items, 0, 0, 0);
    insert_items(*state, table, MUR_MODE_KEEP, &items);
    expect_statuses(&items, MUR_INSERTED, "rows");
    uint32_t count;
    gpu_require(murBlockingExtract(observed.blocking, table, 0, NULL, items.count, items.statuses,
                                   NULL, NULL, &count));
    assert_int_equal(count, LIVE);
    uint32_t sum = 0;
    for (uint32_t i = 0; i < LIVE; ++i) {
        sum += items.keys[i] - items.statuses[i];
    }
    assert_int_equal(sum, 0);
    gpu_require(murBlockingClear(observed.blocking, table));
    insert_items(*state, table, MUR_MODE_KEEP, &items); /* as into a new table */
    expect_statuses(&items, MUR_INSERTED, "rows");
    items_free(&items);
    close_narrow(&observed, table);
}

const struct CMUnitTest count_tests[] = {
    gpu_test(inserts_around_a_workgroup),
    gpu_test(finds_around_a_workgroup),
    gpu_test(erasures_around_a_workgroup),
    gpu_test(inserts_of_any_gpu_count_stay_in_their_arrays),
    gpu_test(finds_of_any_gpu_count_stay_in_their_arrays),
    gpu_test(erasures_of_any_gpu_count_stay_in_their_arrays),
    gpu_test(blocking_calls_take_no_items),
    gpu_test(more_than_65535_workgroups_find_every_item),
    gpu_test(rows_of_workgroups_insert_every_item_once),
    gpu_test(rows_of_workgroups_find_and_erase_every_item_once),
    gpu_test(rows_of_workgroups_clear_and_extract_every_slot_once),
};
const size_t count_test_count = sizeof count_tests / sizeof count_tests[0];
