/* The include in vertex, fragment and compute shaders, on a table that murCmdInsert filled:
 * lookups, inserts and sums, with the table by device address and in a bound buffer, in read-only
 * and writing shaders. Every pixel is compared with the CPU's result.
 * SPDX-License-Identifier: MIT */
#include "target.h"
#include "support/seed.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* There are more items than pixels, because helper invocations at the image's edges look up keys
 * beyond the image. */
enum { ITEMS = TARGET_WIDTH * (TARGET_HEIGHT + 2), GROUPS = 37 };

static const uint32_t factor = 2654435761u; /* odd, so that keys differ */
static const float corners[3][2] = {{-0.9f, -0.8f}, {0.95f, -0.3f}, {-0.2f, 0.9f}};

typedef enum Kind { KIND_vertex, KIND_fragment, KIND_compute } Kind;
typedef enum Mode { MODE_reading, MODE_writing_32, MODE_writing_64 } Mode;

/* One shader that includes murmuration.glsl. */
typedef struct Subject {
    Kind kind;
    Mode mode;
    Code code;
} Subject;

GPU_SPIRV(mur_stages_points_frag);
GPU_SPIRV(mur_stages_loads_frag);
GPU_SPIRV(mur_stages_triangle_vert);

/* In Vulkan, loads by helper invocations return normal values. Some software drivers return zeros,
 * which no library can correct. The test measures this, and compares derivatives along edges only
 * if such loads work. */
static bool helpersLoad;

static uint32_t value_of(uint32_t item) {
    return item % 3 ? 7 * item + 1 : UINT32_MAX;
}

static MurTable create_table(Gpu *gpu, const Subject *subject, MurEmptyValue reserved) {
    const MurTableCreateInfo info = {
        .capacity = 4096,
        .seed = 11,
        .emptyValue = reserved,
        .atomicWidth = subject->mode == MODE_writing_32 ? MUR_ATOMIC_WIDTH_32 : MUR_ATOMIC_WIDTH_64,
    };
    return gpu_table(gpu, &info);
}

static Target create_target(Gpu *gpu, const Subject *subject) {
    const Code points = {mur_stages_points_frag, mur_stages_points_frag_size};
    const Code triangle = {mur_stages_triangle_vert, mur_stages_triangle_vert_size};
    Target target = target_open(gpu);
    switch (subject->kind) {
    case KIND_vertex:
        target_graphics(&target, subject->code, points, VK_PRIMITIVE_TOPOLOGY_POINT_LIST);
        break;
    case KIND_fragment:
        target_graphics(&target, triangle, subject->code, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST);
        break;
    case KIND_compute:
        target_compute(&target, subject->code);
        break;
    }
    return target;
}

/* Records a barrier after a table command, as documented: from MUR_EXIT_* to shader stages. */
static void table_to_shaders(Gpu *gpu) {
    const VkMemoryBarrier barrier = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
        .srcAccessMask = MUR_EXIT_ACCESS,
        .dstAccessMask = VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT,
    };
    vkCmdPipelineBarrier(gpu->cmd, MUR_EXIT_STAGES,
                         VK_PIPELINE_STAGE_VERTEX_SHADER_BIT |
                             VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT |
                             VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                         0, 1, &barrier, 0, NULL, 0, NULL);
}

static void run(Target *target, MurTable table, const Subject *subject, Work work) {
    Push push = {
        .table = murGetTableRef(table),
        .width = TARGET_WIDTH,
        .height = TARGET_HEIGHT,
        .factor = factor,
        .groups = GROUPS,
        .work = work,
    };
    memcpy(push.corners, corners, sizeof corners);
    target_bind(target, table);
    target_run(target, &push, subject->kind == KIND_vertex ? TARGET_PIXELS : 3);
    gpu_submit(target->gpu);
}

/* Records an insert of every item that has a value. Sets count to the number of these items. */
static GpuBuffer insert_items(Gpu *gpu, MurTable table, uint32_t *count) {
    GpuBuffer arrays = gpu_buffer(gpu, 2 * ITEMS * sizeof(uint32_t));
    uint32_t *keys = arrays.mapped;
    *count = 0;
    for (uint32_t item = 0; item < ITEMS; ++item) {
        if (value_of(item) != UINT32_MAX) {
            keys[*count] = item * factor;
            keys[ITEMS + *count] = value_of(item);
            ++*count;
        }
    }
    const MurBatch batch = {
        .maxCount = *count,
        .keys = gpu_part(&arrays, 0, *count),
        .values = gpu_part(&arrays, ITEMS, *count),
    };
    gpu_require(murCmdInsert(gpu->cmd, table, MUR_MODE_ASSIGN, &batch));
    return arrays;
}

/* Returns the distance in pixels from the pixel's centre to the triangle's nearest edge. Outside,
 * it is negative. */
static double depth(uint32_t x, uint32_t y) {
    double least = INFINITY;
    for (uint32_t i = 0; i < 3; ++i) {
        const float *a = corners[i], *b = corners[(i + 1) % 3];
        double ax = (a[0] + 1) / 2 * TARGET_WIDTH, ay = (a[1] + 1) / 2 * TARGET_HEIGHT;
        double bx = (b[0] + 1) / 2 * TARGET_WIDTH, by = (b[1] + 1) / 2 * TARGET_HEIGHT;
        double cross = (bx - ax) * (y + 0.5 - ay) - (by - ay) * (x + 0.5 - ax);
        least = fmin(least, cross / hypot(bx - ax, by - ay));
    }
    return least;
}

static bool drawn(const Target *target, uint32_t x, uint32_t y) {
    return x < TARGET_WIDTH && y < TARGET_HEIGHT && target_word(target, x, y) != TARGET_UNTOUCHED;
}

/* Returns whether the subject processed this pixel. Only fragments outside of the triangle are not
 * processed. On edges, where rasterizers may differ, the image decides. */
static bool covered(const Target *target, const Subject *subject, uint32_t x, uint32_t y) {
    if (subject->kind != KIND_fragment) {
        return true;
    }
    bool touched = drawn(target, x, y);
    if (fabs(depth(x, y)) > 0.75 && touched != (depth(x, y) > 0)) {
        fail_msg("pixel %u, %u is %s", x, y, touched ? "drawn outside" : "not drawn");
    }
    return touched;
}

static int32_t height_of(uint32_t item) {
    return (int32_t)(value_of(item) & 0xFFFF);
}

/* Requires that a derivative equals the difference to one of the two neighbouring pixels. step:
 * items between neighbours. */
static void check_slope(const char *axis, uint32_t item, uint32_t step, int32_t got) {
    int32_t forward = height_of(item + step) - height_of(item);
    int32_t backward = item < step ? forward : height_of(item) - height_of(item - step);
    if (got != forward && got != backward) {
        fail_msg("item %u, derivative along %s: expected %d or %d, got %d", item, axis, forward,
                 backward, got);
    }
}

static void check_slopes(const Target *target, uint32_t x, uint32_t y) {
    uint32_t item = y * TARGET_WIDTH + x;
    const int32_t *slope = target_slope(target, x, y);
    if (helpersLoad || (drawn(target, x - 1, y) && drawn(target, x + 1, y))) {
        check_slope("x", item, 1, slope[0]);
    }
    if (helpersLoad || (drawn(target, x, y - 1) && drawn(target, x, y + 1))) {
        check_slope("y", item, TARGET_WIDTH, slope[1]);
    }
}

/* Counts drawn pixels with a horizontal or vertical neighbour in the quad that was not drawn. This
 * neighbour was a helper invocation. */
static uint32_t helped(const Target *target) {
    uint32_t count = 0;
    for (uint32_t y = 0; y < TARGET_HEIGHT; ++y) {
        for (uint32_t x = 0; x < TARGET_WIDTH; ++x) {
            count += drawn(target, x, y) && !(drawn(target, x ^ 1, y) && drawn(target, x, y ^ 1));
        }
    }
    return count;
}

static void check_word(const Target *target, uint32_t x, uint32_t y, uint32_t expected) {
    uint32_t got = target_word(target, x, y);
    if (got != expected) {
        fail_msg("pixel %u, %u (key %u): expected %u, got %u", x, y,
                 (y * TARGET_WIDTH + x) * factor, expected, got);
    }
}

static void find_items(Target *target, const Subject *subject) {
    Gpu *gpu = target->gpu;
    MurTable table = create_table(gpu, subject, MUR_EMPTY_VALUE_MAX);
    uint32_t count;
    gpu_begin(gpu);
    GpuBuffer arrays = insert_items(gpu, table, &count);
    table_to_shaders(gpu);
    run(target, table, subject, WORK_FIND);
    for (uint32_t y = 0; y < TARGET_HEIGHT; ++y) {
        for (uint32_t x = 0; x < TARGET_WIDTH; ++x) {
            uint32_t item = y * TARGET_WIDTH + x;
            if (covered(target, subject, x, y)) {
                check_word(target, x, y, value_of(item));
                if (subject->kind == KIND_fragment) {
                    check_slopes(target, x, y);
                }
            }
        }
    }
    if (subject->kind == KIND_fragment) {
        assert_true(helped(target) > 20);
    }
    gpu_free(gpu, &arrays);
    murDestroyTable(table);
}

/* Looks up the keys i * factor, i from 0 to count - 1, and stores their values. Returns the number
 * of entries of the table. */
static uint32_t read_table(Gpu *gpu, MurTable table, uint32_t count, uint32_t *values) {
    uint32_t *keys = test_allocate(count * sizeof *keys);
    for (uint32_t i = 0; i < count; ++i) {
        keys[i] = i * factor;
    }
    gpu_require(murBlockingFind(gpu->blocking, table, count, keys, values, NULL, NULL));
    free(keys);
    const MurStats stats = gpu_stats(gpu, table);
    assert_int_equal(stats.failedInserts, 0);
    return stats.live;
}

/* Each invocation inserts its item and finds it. Keys that no invocation inserted stay absent, so
 * helper invocations wrote nothing. */
static void assign_items(Target *target, const Subject *subject) {
    Gpu *gpu = target->gpu;
    MurTable table = create_table(gpu, subject, MUR_EMPTY_VALUE_MAX);
    gpu_begin(gpu);
    run(target, table, subject, WORK_ASSIGN);
    uint32_t values[TARGET_PIXELS];
    uint32_t entries = read_table(gpu, table, TARGET_PIXELS, values);
    uint32_t drawn = 0;
    for (uint32_t y = 0; y < TARGET_HEIGHT; ++y) {
        for (uint32_t x = 0; x < TARGET_WIDTH; ++x) {
            uint32_t item = y * TARGET_WIDTH + x;
            bool worked = covered(target, subject, x, y);
            if (worked) {
                check_word(target, x, y, item + 1);
                ++drawn;
            }
            uint32_t expected = worked ? item + 1 : UINT32_MAX;
            if (values[item] != expected) {
                fail_msg("table, pixel %u, %u: expected %u, got %u", x, y, expected, values[item]);
            }
        }
    }
    assert_int_equal(entries, drawn);
    murDestroyTable(table);
}

/* Each invocation adds 1 to its group's key. */
static void count_items(Target *target, const Subject *subject) {
    Gpu *gpu = target->gpu;
    MurTable table = create_table(gpu, subject, MUR_EMPTY_VALUE_ZERO);
    gpu_begin(gpu);
    run(target, table, subject, WORK_COUNT);
    uint32_t values[GROUPS], expected[GROUPS] = {0}, inserted[GROUPS] = {0};
    for (uint32_t y = 0; y < TARGET_HEIGHT; ++y) {
        for (uint32_t x = 0; x < TARGET_WIDTH; ++x) {
            uint32_t group = (y * TARGET_WIDTH + x) / WORK_RUN % GROUPS;
            if (covered(target, subject, x, y)) {
                bool first = target_word(target, x, y) == MUR_INSERTED;
                check_word(target, x, y, first ? MUR_INSERTED : MUR_EXISTED);
                ++expected[group];
                inserted[group] += first;
            }
        }
    }
    if (subject->kind == KIND_fragment) {
        assert_true(helped(target) > 20);
    }
    assert_int_equal(read_table(gpu, table, GROUPS, values), GROUPS);
    for (uint32_t i = 0; i < GROUPS; ++i) {
        if (values[i] != expected[i] || inserted[i] != 1) {
            fail_msg("group %u: expected count %u and 1 \"inserted\", got %u and %u", i,
                     expected[i], values[i], inserted[i]);
        }
    }
    murDestroyTable(table);
}

#define SYMBOL(kind, access, mode) mur_stages_##kind##_##access##_##mode
#define SIZE(kind, access, mode)   mur_stages_##kind##_##access##_##mode##_size

enum { ACCESS_address, ACCESS_buffer };

/* Returns whether the tier runs a combination. The normal tier has each stage with both accesses
 * and with each mode, but not all triples. */
static bool is_wanted(uint32_t kind, uint32_t access, uint32_t mode) {
    return test_full() || (kind + access + mode) % 2 == 0;
}

static bool measure_helpers(Gpu *gpu) {
    const Subject loads = {
        KIND_fragment, MODE_reading, {mur_stages_loads_frag, mur_stages_loads_frag_size}};
    MurTable table = create_table(gpu, &loads, MUR_EMPTY_VALUE_MAX);
    Target target = create_target(gpu, &loads);
    gpu_begin(gpu);
    run(&target, table, &loads, WORK_FIND);
    uint32_t wrong = 0;
    for (uint32_t y = 0; y < TARGET_HEIGHT; ++y) {
        for (uint32_t x = 0; x < TARGET_WIDTH; ++x) {
            const int32_t *slope = target_slope(&target, x, y);
            wrong += drawn(&target, x, y) && (slope[0] || slope[1]);
        }
    }
    target_close(&target);
    murDestroyTable(table);
    return wrong == 0;
}

static int group_setup(void **state) {
    int result = gpu_group_setup(state);
    Gpu *gpu = *state;
    VkPhysicalDeviceFeatures features;
    vkGetPhysicalDeviceFeatures(gpu->physicalDevice, &features);
    if (!features.vertexPipelineStoresAndAtomics || !features.fragmentStoresAndAtomics) {
        print_error("the device cannot write from vertex and fragment shaders\n");
        return -1;
    }
    helpersLoad = measure_helpers(gpu);
    return result;
}

static void run_subject(Gpu *gpu, const Subject *subject) {
    Target target = create_target(gpu, subject);
    find_items(&target, subject);
    if (subject->mode != MODE_reading) {
        assign_items(&target, subject);
    }
    /* Vertex shaders have no sums, because they may run more than once per vertex. */
    if (subject->mode != MODE_reading && subject->kind != KIND_vertex) {
        count_items(&target, subject);
    }
    target_close(&target);
}

#define CASE(kind, access, mode)                                                                   \
    extern const uint32_t SYMBOL(kind, access, mode)[];                                            \
    extern const size_t SIZE(kind, access, mode);                                                  \
    GPU_TEST_OF_IF(kind##_##access##_##mode, is_wanted(KIND_##kind, ACCESS_##access, MODE_##mode), \
                   Gpu, gpu, group_setup, gpu_group_teardown) {                                    \
        const Subject subject = {                                                                  \
            KIND_##kind, MODE_##mode, {SYMBOL(kind, access, mode), SIZE(kind, access, mode)}};     \
        run_subject(gpu, &subject);                                                                \
    }
#define CASES(kind)                 \
    CASE(kind, address, reading)    \
    CASE(kind, buffer, reading)     \
    CASE(kind, address, writing_32) \
    CASE(kind, address, writing_64) \
    CASE(kind, buffer, writing_32)  \
    CASE(kind, buffer, writing_64)
CASES(vertex)
CASES(fragment)
CASES(compute)
