/* Runs the shader blocks of the manual about tables.
 * SPDX-License-Identifier: MIT */
#include "manual.h"

#include <murmuration/group.h>
#include <murmuration/multi.h>
#include <string.h>

enum { ITEMS = MANUAL_ITEMS };

MurBufferRange manual_range(const GpuBuffer *buffer) {
    return (MurBufferRange){.buffer = buffer->buffer, .size = buffer->size};
}

void manual_run(Gpu *gpu, const uint32_t *code, size_t size, const ManualRun *run) {
    uint32_t bindings = 0;
    for (uint32_t i = 0; i < GPU_MAX_BINDINGS; ++i) {
        bindings = run->bound[i].buffer ? i + 1 : bindings;
    }
    GpuKernel kernel = gpu_kernel(gpu, code, size, (uint32_t)run->pushSize, bindings);
    for (uint32_t i = 0; i < bindings; ++i) {
        gpu_bind(gpu, &kernel, i, run->bound[run->bound[i].buffer ? i : 0]);
    }
    gpu_begin(gpu);
    gpu_barrier(gpu);
    gpu_dispatch(gpu, &kernel, run->push, run->groups);
    gpu_barrier(gpu);
    gpu_submit(gpu);
}

/* A table with even cells as keys and three times their numbers as values; colors of 64 cells. */
typedef struct Look {
    MurTable table;
    MurTableRef ref;
    GpuBuffer colors;
} Look;

static void open_look(Look *look, Gpu *gpu) {
    uint32_t keys[ITEMS / 2], values[ITEMS / 2];
    for (uint32_t i = 0; i < ITEMS / 2; ++i) {
        keys[i] = 2 * i;
        values[i] = 6 * i;
    }
    look->table = GPU_TABLE(gpu, .capacity = 100, .atomicWidth = MUR_ATOMIC_WIDTH_32);
    look->ref = murGetTableRef(look->table);
    look->colors = gpu_buffer(gpu, sizeof(float[ITEMS][4]));
    gpu_require(murBlockingInsert(gpu->blocking, look->table, MUR_MODE_INSERT, ITEMS / 2, keys,
                                  values, NULL, NULL));
}

static void close_look(Look *look, Gpu *gpu) {
    murDestroyTable(look->table);
    gpu_free(gpu, &look->colors);
}

/* Checks the first component of each color, and clears the colors. */
static void check_colors(Look *look, bool isValue) {
    float(*colors)[4] = look->colors.mapped;
    for (uint32_t i = 0; i < ITEMS; ++i) {
        const float expected = i % 2 ? 0.0f : isValue ? (float)(3 * i) / 255.0f : 1.0f;
        assert_float_equal(colors[i][0], expected, 1e-6);
        memset(colors[i], 0xFF, sizeof colors[i]);
    }
}

GPU_TEST(lookups_color_present_cells) {
    Look look;
    open_look(&look, gpu);
    const MurBufferRange colors = manual_range(&look.colors);
    const MurBufferRange table = murGetTableMemory(look.table);
#define PUSH_REF .push = &look.ref, .pushSize = sizeof look.ref, .groups = 1
    MANUAL_RUN(gpu, manual_readme_1, .bound = {colors}, PUSH_REF);
    check_colors(&look, true);
    MANUAL_RUN(gpu, manual_calls_1, .bound = {colors}, PUSH_REF);
    check_colors(&look, true);
    MANUAL_RUN(gpu, manual_calls_6, .bound = {colors, [3] = table}, PUSH_REF);
    check_colors(&look, false);
    MANUAL_RUN(gpu, manual_languages_1, .bound = {table, colors}, PUSH_REF);
    check_colors(&look, true);
#undef PUSH_REF
    close_look(&look, gpu);
}

#define RUN_ON_TABLE(gpu, symbol, table, ...)                                                      \
    do {                                                                                           \
        const MurTableRef ref_ = murGetTableRef(table);                                            \
        MANUAL_RUN(gpu, symbol, .push = &ref_, .pushSize = sizeof ref_, .groups = 1, __VA_ARGS__); \
    } while (0)

GPU_TEST(inserts_and_erases_leave_no_entry) {
    MurTable table = GPU_TABLE(gpu, .capacity = 100, .atomicWidth = MUR_ATOMIC_WIDTH_32);
    RUN_ON_TABLE(gpu, manual_calls_2, table, );
    const MurStats stats = gpu_stats(gpu, table);
    assert_int_equal(stats.live, 0);
    assert_int_equal(stats.erased, ITEMS);
    murDestroyTable(table);
}

GPU_TEST(each_new_cell_has_a_payload) {
    MurTable table = GPU_TABLE(gpu, .capacity = 100, .atomicWidth = MUR_ATOMIC_WIDTH_32);
    GpuBuffer pool = gpu_buffer(gpu, 4 * (2 + ITEMS));
    memset(pool.mapped, 0, 4 * (2 + ITEMS));
    struct {
        MurTableRef table;
        uint32_t phase, pad;
    } push = {murGetTableRef(table), 0, 0};
    for (; push.phase < 2; ++push.phase) {
        MANUAL_RUN(gpu, manual_calls_3, .bound = {manual_range(&pool)}, .push = &push,
                   .pushSize = sizeof push, .groups = 10);
    }
    const uint32_t cells = (10 * ITEMS + 99) / 100, *counts = pool.mapped;
    assert_int_equal(counts[0], cells);
    assert_int_equal(counts[1], cells);
    uint32_t keys[ITEMS], values[ITEMS], count, seen = 0;
    gpu_require(
        murBlockingExtract(gpu->blocking, table, 0, NULL, ITEMS, keys, values, NULL, &count));
    assert_int_equal(count, cells);
    for (uint32_t i = 0; i < count; ++i) {
        seen |= 1u << values[i];
    }
    assert_int_equal(seen, (1u << cells) - 1);
    murDestroyTable(table);
    gpu_free(gpu, &pool);
}

GPU_TEST(wide_keys_are_inserted_into_set_and_map) {
    MurTable bricks = GPU_TABLE(gpu, .capacity = 100, .type = murTypeK64V32());
    MurTable seen = GPU_TABLE(gpu, .capacity = 100, .type = murTypeK64());
    const MurTableRef refs[] = {murGetTableRef(bricks), murGetTableRef(seen)};
    MANUAL_RUN(gpu, manual_calls_4, .push = refs, .pushSize = sizeof refs, .groups = 1);
    assert_int_equal(gpu_stats(gpu, seen).live, ITEMS);
    assert_int_equal(gpu_stats(gpu, bricks).live, ITEMS);
    murDestroyTable(bricks);
    murDestroyTable(seen);
}

GPU_TEST(pass_evicts_entries_of_buckets) {
    MurTable table = GPU_TABLE(gpu, .capacity = 200, .type = murTypeBucketsK64V32(),
                               .flags = MUR_TABLE_AGES, .emptyValue = MUR_EMPTY_VALUE_MAX,
                               .atomicWidth = MUR_ATOMIC_WIDTH_32);
    const uint64_t key = 99;
    const uint32_t zero = 0;
    gpu_require(
        murBlockingInsert(gpu->blocking, table, MUR_MODE_INSERT, 1, &key, &zero, NULL, NULL));
    struct {
        MurTableRef table;
        uint32_t frame, phase;
    } push = {murGetTableRef(table), 5, 0};
    for (; push.phase < 2; ++push.phase) {
        const uint32_t slots = push.table.slotCount + 2;
        MANUAL_RUN(gpu, manual_calls_5, .push = &push, .pushSize = sizeof push,
                   .groups = push.phase ? (slots + ITEMS - 1) / ITEMS : 1);
        assert_int_equal(gpu_stats(gpu, table).live, push.phase ? ITEMS / 4 : ITEMS / 4 + 1);
    }
    murDestroyTable(table);
}

GPU_TEST(many_invocations_add_to_one_key) {
    MurTable table = GPU_TABLE(gpu, .capacity = 9, .emptyValue = MUR_EMPTY_VALUE_ZERO,
                               .atomicWidth = MUR_ATOMIC_WIDTH_32);
    RUN_ON_TABLE(gpu, manual_calls_7, table, );
    const uint32_t key = 5;
    uint32_t sum;
    gpu_require(murBlockingFind(gpu->blocking, table, 1, &key, &sum, NULL, NULL));
    assert_int_equal(sum, ITEMS);
    murDestroyTable(table);
}

GPU_TEST(hlsl_inserts_a_key_for_each_invocation) {
    MurTable table = GPU_TABLE(gpu, .capacity = 100, .atomicWidth = MUR_ATOMIC_WIDTH_32);
    RUN_ON_TABLE(gpu, manual_languages_2, table, .bound = {murGetTableMemory(table)});
    assert_int_equal(gpu_stats(gpu, table).live, ITEMS);
    murDestroyTable(table);
}

static MurTable set_in_buckets(Gpu *gpu, uint32_t ages) {
    return GPU_TABLE(gpu, .capacity = 200, .type = murTypeBucketsK64(), .flags = ages,
                     .atomicWidth = MUR_ATOMIC_WIDTH_32);
}

GPU_TEST(an_hlsl_cache_has_radiance_by_slot) {
    MurTable table = set_in_buckets(gpu, MUR_TABLE_AGES);
    struct {
        MurTableRef table;
        uint32_t frame, pad;
    } push = {murGetTableRef(table), 3, 0};
    GpuBuffer radiance = gpu_buffer(gpu, 4ull * (push.table.slotCount + 2));
    memset(radiance.mapped, 0, (size_t)radiance.size);
    for (uint32_t times = 0; times < 2; ++times) {
        MANUAL_RUN(gpu, manual_languages_3,
                   .bound = {murGetTableMemory(table), manual_range(&radiance)}, .push = &push,
                   .pushSize = sizeof push, .groups = 1);
    }
    uint32_t used = 0;
    for (uint32_t slot = 0; slot < push.table.slotCount + 2; ++slot) {
        const uint32_t sum = ((const uint32_t *)radiance.mapped)[slot];
        assert_true(sum == 0 || sum == 2);
        used += sum == 2;
    }
    assert_int_equal(used, ITEMS);
    assert_int_equal(gpu_stats(gpu, table).live, ITEMS);
    murDestroyTable(table);
    gpu_free(gpu, &radiance);
}

typedef struct Cell { /* must equal the shader's struct */
    uint32_t sum, samples;
    float light;
    uint32_t age;
} Cell;

GPU_TEST(pass_evicts_cells_without_samples) {
    MurTable table = set_in_buckets(gpu, 0);
    const MurTableRef ref = murGetTableRef(table);
    uint64_t keys[ITEMS];
    uint32_t slots[ITEMS];
    for (uint32_t i = 0; i < ITEMS; ++i) {
        keys[i] = 7ull << 32 | i;
    }
    gpu_require(
        murBlockingInsert(gpu->blocking, table, MUR_MODE_INSERT, ITEMS, keys, NULL, NULL, slots));
    GpuBuffer buffer = gpu_buffer(gpu, sizeof(Cell) * (ref.slotCount + 2));
    Cell *cells = buffer.mapped;
    memset(cells, 0, (size_t)buffer.size);
    for (uint32_t i = 0; i < ITEMS; ++i) { /* odd cells had no sample for a long time */
        cells[slots[i]] = i % 2 ? (Cell){.age = 16} : (Cell){.sum = 30, .samples = 3};
    }
    gpu_begin(gpu);
    gpu_require(murCmdBeginEviction(gpu->cmd, table));
    gpu_submit(gpu);
    MANUAL_RUN(gpu, manual_caches_2, .bound = {manual_range(&buffer)}, .push = &ref,
               .pushSize = sizeof ref, .groups = (ref.slotCount + 2 + ITEMS - 1) / ITEMS);
    GPU_RUN(gpu, murCmdEndEviction(gpu->cmd, table));
    uint32_t statuses[ITEMS];
    gpu_require(murBlockingFind(gpu->blocking, table, ITEMS, keys, NULL, statuses, NULL));
    for (uint32_t i = 0; i < ITEMS; ++i) {
        assert_int_equal(statuses[i], i % 2 ? MUR_ABSENT : MUR_FOUND);
        assert_float_equal(cells[slots[i]].light, (i % 2 ? 0.0f : 1.0f), 1e-6);
    }
    murDestroyTable(table);
    gpu_free(gpu, &buffer);
}

enum { PAIRS = 500 };

/* Cell 3 has most of the pairs. */
static uint32_t cell_of(uint32_t pair) {
    return pair % 3 == 0 ? pair % ITEMS : 3;
}

typedef struct Pairs {
    MurTable groups, multi;
    GpuBuffer keys, values, grouped, sums;
} Pairs;

static void open_pairs(Pairs *pairs, Gpu *gpu) {
    *pairs = (Pairs){.keys = gpu_buffer(gpu, 4 * PAIRS),
                     .values = gpu_buffer(gpu, 4 * PAIRS),
                     .grouped = gpu_buffer(gpu, 4 * (2 * PAIRS + 1)),
                     .sums = gpu_buffer(gpu, 4 * ITEMS)};
    for (uint32_t i = 0; i < PAIRS; ++i) {
        ((uint32_t *)pairs->keys.mapped)[i] = cell_of(i);
        ((uint32_t *)pairs->values.mapped)[i] = i;
    }
    pairs->groups = GPU_TABLE(gpu, .capacity = 200, .kernels = {murKernelsGroup()});
    pairs->multi = GPU_TABLE(gpu, .capacity = 2 * PAIRS, .type = murTypeMultiK32(),
                             .emptyValue = MUR_EMPTY_VALUE_ZERO,
                             .atomicWidth = MUR_ATOMIC_WIDTH_32);
    GpuBuffer scratch = gpu_buffer(gpu, murGetScratchSize(pairs->groups, MUR_COMMAND_GROUP, 0,
                                                          &(MurBatch){.maxCount = PAIRS}));
    const MurGroup group = {.maxCount = PAIRS,
                            .keys = gpu_array(&pairs->keys),
                            .values = gpu_array(&pairs->values),
                            .groups = gpu_array(&pairs->grouped),
                            .scratch = gpu_array(&scratch)};
    const MurBatch batch = {
        .maxCount = PAIRS, .keys = gpu_array(&pairs->keys), .values = gpu_array(&pairs->values)};
    GPU_RUN(gpu, murCmdGroup(gpu->cmd, pairs->groups, &group));
    GPU_RUN(gpu, murCmdMultiInsert(gpu->cmd, pairs->multi, &batch));
    gpu_free(gpu, &scratch);
}

static void close_pairs(Pairs *pairs, Gpu *gpu) {
    murDestroyTable(pairs->groups);
    murDestroyTable(pairs->multi);
    gpu_free(gpu, &pairs->keys);
    gpu_free(gpu, &pairs->values);
    gpu_free(gpu, &pairs->grouped);
    gpu_free(gpu, &pairs->sums);
}

static void check_sums(Pairs *pairs) {
    uint32_t expected[ITEMS] = {0};
    for (uint32_t i = 0; i < PAIRS; ++i) {
        expected[cell_of(i)] += i;
    }
    assert_memory_equal(pairs->sums.mapped, expected, sizeof expected);
    memset(pairs->sums.mapped, 0, sizeof expected);
}

GPU_TEST(values_of_each_cell_are_summed) {
    Pairs pairs;
    open_pairs(&pairs, gpu);
    const MurBufferRange sums = manual_range(&pairs.sums);
    memset(pairs.sums.mapped, 0, 4 * ITEMS);
    const struct {
        MurTableRef cells;
        VkDeviceAddress groups;
    } push = {murGetTableRef(pairs.groups), pairs.grouped.address};
    MANUAL_RUN(gpu, manual_values_1, .bound = {sums}, .push = &push, .pushSize = sizeof push,
               .groups = 1);
    check_sums(&pairs);
    RUN_ON_TABLE(gpu, manual_values_2, pairs.groups, .bound = {sums, manual_range(&pairs.grouped)});
    check_sums(&pairs);
    RUN_ON_TABLE(gpu, manual_values_3, pairs.multi, .bound = {sums});
    check_sums(&pairs);
    close_pairs(&pairs, gpu);
}
