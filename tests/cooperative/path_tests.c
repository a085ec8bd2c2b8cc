/* murCmdFind by each of its paths: which one it takes, and that all give the same.
 *
 * SPDX-License-Identifier: MIT */
#include "support/observe.h"

#include "internal.h"
#include "lookup.h"

#include <stdio.h>
#include <string.h>

enum { CAPACITY = 20000, KEYS = 18500, QUERIES = 30000, GUARD = 0x5A5A5A5A };

static const char *const paths[] = {
    [MUR_FIND_AUTO] = "auto", [MUR_FIND_PLAIN] = "plain", [MUR_FIND_COOPERATIVE] = "cooperative"};

/* ---- Results -------------------------------------------------------------------------------- */

/* Everything in host-visible memory; outputs have a word more than they need. */
typedef struct Find {
    Gpu *gpu;
    MurTable table;
    GpuBuffer keys, count;
    GpuBuffer outputs[3]; /* values, statuses, slots */
} Find;

static void find_open(Find *find, Gpu *gpu, MurAtomicWidth width) {
    const MurTableCreateInfo info = {.capacity = CAPACITY, .seed = 3, .atomicWidth = width};
    static uint32_t values[KEYS];
    *find = (Find){.gpu = gpu, .table = gpu_table(gpu, &info)};
    find->keys = gpu_buffer(gpu, 4 * QUERIES);
    find->count = gpu_buffer(gpu, 4);
    for (int i = 0; i < 3; ++i) {
        find->outputs[i] = gpu_buffer(gpu, 4 * (QUERIES + 1));
    }
    uint32_t *keys = find->keys.mapped;
    for (uint32_t i = 0; i < QUERIES; ++i) {
        keys[i] = i * 7919;
    }
    keys[1] = mur_key(MUR_EMPTY, info.seed);
    for (uint32_t i = 0; i < KEYS; ++i) {
        values[i] = i + 1;
    }
    /* What is absent comes in between. */
    gpu_require(murBlockingInsert(gpu->blocking, find->table, MUR_INSERT_ASSIGN, KEYS, keys, values,
                                  NULL, NULL));
    for (uint32_t i = 0; i < KEYS; i += 2) {
        const uint32_t other = (i * 13) % QUERIES;
        const uint32_t key = keys[i];
        keys[i] = keys[other];
        keys[other] = key;
    }
}

static void find_close(Find *find) {
    for (int i = 0; i < 3; ++i) {
        gpu_free(find->gpu, &find->outputs[i]);
    }
    gpu_free(find->gpu, &find->keys);
    gpu_free(find->gpu, &find->count);
    murDestroyTable(find->table);
}

/* Finds the first count keys, told by the device or the host; wanted: bits, which outputs. */
static void find_run(const Find *find, MurFindPath path, uint32_t count, bool indirect,
                     uint32_t wanted) {
    MurArray outputs[3] = {{0}};
    for (int i = 0; i < 3; ++i) {
        memset(find->outputs[i].mapped, 0x5A, 4 * (QUERIES + 1));
        outputs[i] = (wanted >> i & 1) != 0 ? gpu_array(&find->outputs[i]) : (MurArray){0};
    }
    *(uint32_t *)find->count.mapped = count;
    const MurBatch batch = {.maxCount = indirect ? QUERIES : count,
                            .count = indirect ? find->count.address : 0,
                            .keys = gpu_array(&find->keys),
                            .values = outputs[0],
                            .statuses = outputs[1],
                            .slots = outputs[2]};
    find->gpu->context->findPath = path;
    gpu_begin(find->gpu);
    gpu_require(murCmdFind(find->gpu->cmd, find->table, &batch));
    gpu_submit(find->gpu);
    find->gpu->context->findPath = MUR_FIND_AUTO;
}

static void compare(const Find *find, uint32_t count, bool indirect, uint32_t wanted) {
    static uint32_t plain[3][QUERIES + 1];
    find_run(find, MUR_FIND_PLAIN, count, indirect, wanted);
    for (int i = 0; i < 3; ++i) {
        memcpy(plain[i], find->outputs[i].mapped, sizeof plain[i]);
    }
    find_run(find, MUR_FIND_COOPERATIVE, count, indirect, wanted);
    for (uint32_t item = 0; item <= QUERIES; ++item) {
        for (int i = 0; i < 3; ++i) {
            const uint32_t got = ((uint32_t *)find->outputs[i].mapped)[item];
            const bool written = item < count && (wanted >> i & 1) != 0;
            if (got != plain[i][item] || (!written && got != GUARD)) {
                fail_msg("%u finds%s, outputs %u: item %u of output %d is %u, by the plain path %u",
                         count, indirect ? " (indirect)" : "", wanted, item, i, got,
                         plain[i][item]);
            }
        }
    }
}

static void both_paths_find_the_same(void **state) {
    static const uint32_t counts[] = {1,  2,   7,   8,   9,   15,   31,   32,    33,
                                      63, 100, 255, 256, 257, 1000, 7777, 29999, QUERIES};
    static const MurAtomicWidth widths[] = {MUR_ATOMIC_WIDTH_32, MUR_ATOMIC_WIDTH_64};
    for (int w = 0; w < 2; ++w) {
        Find find;
        find_open(&find, *state, widths[w]);
        for (uint32_t i = 0; i < sizeof counts / sizeof counts[0]; ++i) {
            compare(&find, counts[i], i % 2 != 0, i % 3 == 0 ? 7 : 1 + i % 7);
        }
        compare(&find, 0, true, 7);
        find_close(&find);
    }
}

static void the_cooperative_path_finds_what_was_inserted(void **state) {
    Find find;
    find_open(&find, *state, MUR_ATOMIC_WIDTH_DEFAULT);
    find_run(&find, MUR_FIND_COOPERATIVE, QUERIES, false, 7);
    uint32_t found = 0;
    for (uint32_t i = 0; i < QUERIES; ++i) {
        const uint32_t key = ((uint32_t *)find.keys.mapped)[i];
        const uint32_t number = key == mur_key(MUR_EMPTY, 3) ? 1 : key / 7919;
        const bool expected = number < KEYS;
        const uint32_t value = ((uint32_t *)find.outputs[0].mapped)[i];
        const uint32_t status = ((uint32_t *)find.outputs[1].mapped)[i];
        if (value != (expected ? number + 1 : UINT32_MAX) ||
            status != (expected ? MUR_FOUND : MUR_ABSENT)) {
            fail_msg("key 0x%08x: value %u, %s", key, value, murStatusName(status));
        }
        found += expected;
    }
    assert_int_equal(found, KEYS);
    find_close(&find);
}

/* ---- Choices -------------------------------------------------------------------------------- */

/* Does murCmdFind by this path take the cooperative kernel? In its place another is put, whose
 * results tell. */
static bool cooperates(MurContext context, MurBlocking blocking, MurTable table, MurFindPath path) {
    const uint32_t key = 5, value = 6;
    uint32_t status;
    gpu_require(murBlockingInsert(blocking, table, MUR_INSERT_ASSIGN, 1, &key, &value, NULL, NULL));
    const uint64_t own = atomic_exchange(&context->pipelines[MUR_KERNEL_FIND_COOPERATIVE],
                                         context->pipelines[MUR_KERNEL_ERASE_32]);
    context->findPath = path;
    gpu_require(murBlockingFind(blocking, table, 1, &key, NULL, &status, NULL));
    context->findPath = MUR_FIND_AUTO;
    atomic_store(&context->pipelines[MUR_KERNEL_FIND_COOPERATIVE], own);
    assert_true(status == MUR_FOUND || status == MUR_ERASED);
    return status == MUR_ERASED;
}

static void expect_paths(MurContext context, MurBlocking blocking, bool possible, bool wanted) {
    const MurTableCreateInfo info = {.capacity = 100, .atomicWidth = MUR_ATOMIC_WIDTH_32};
    MurTable table;
    gpu_require(murCreateTable(context, &info, &table));
    gpu_require(murBlockingClear(blocking, table));
    assert_int_equal(context->limits.subgroups, possible);
    assert_int_equal(atomic_load(&context->pipelines[MUR_KERNEL_FIND_COOPERATIVE]) != 0, possible);
    const bool expected[] = {[MUR_FIND_AUTO] = possible && wanted,
                             [MUR_FIND_PLAIN] = false,
                             [MUR_FIND_COOPERATIVE] = possible};
    for (int path = 0; path < 3; ++path) {
        if (cooperates(context, blocking, table, (MurFindPath)path) != expected[path]) {
            fail_msg("path %s: the cooperative kernel is %s", paths[path],
                     expected[path] ? "not taken" : "taken");
        }
    }
    murDestroyTable(table);
}

static void small_tables_are_found_plainly_unless_forced(void **state) {
    Gpu *gpu = *state;
    expect_paths(gpu->context, gpu->blocking, true, false);
}

static void other_formats_are_found_plainly(void **state) {
    Gpu *gpu = *state;
    const MurTableCreateInfo info = {.capacity = 100, .format = MUR_FORMAT_K64V32};
    MurTable table = gpu_table(gpu, &info);
    const uint32_t key[] = {5, 77}, value = 6;
    uint32_t found, status;
    gpu_require(
        murBlockingInsert(gpu->blocking, table, MUR_INSERT_ASSIGN, 1, key, &value, NULL, NULL));
    gpu->context->findPath = MUR_FIND_COOPERATIVE;
    gpu_require(murBlockingFind(gpu->blocking, table, 1, key, &found, &status, NULL));
    gpu->context->findPath = MUR_FIND_AUTO;
    assert_int_equal(status, MUR_FOUND);
    assert_int_equal(found, value);
    murDestroyTable(table);
}

/* ---- Devices -------------------------------------------------------------------------------- */

static VkPhysicalDeviceSubgroupProperties *subgroups_of(VkPhysicalDeviceProperties2 *properties) {
    VkBaseOutStructure *next = properties->pNext;
    while (next && next->sType != VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES) {
        next = next->pNext;
    }
    return (VkPhysicalDeviceSubgroupProperties *)next;
}

#define LACKING(name, statement)                                                  \
    static void name(VkPhysicalDeviceProperties2 *properties) {                   \
        VkPhysicalDeviceSubgroupProperties *subgroups = subgroups_of(properties); \
        if (subgroups) {                                                          \
            statement;                                                            \
        }                                                                         \
    }
LACKING(no_ballot, subgroups->supportedOperations &= ~(VkFlags)VK_SUBGROUP_FEATURE_BALLOT_BIT)
LACKING(no_shuffle, subgroups->supportedOperations &= ~(VkFlags)VK_SUBGROUP_FEATURE_SHUFFLE_BIT)
LACKING(not_in_compute, subgroups->supportedStages &= ~(VkFlags)VK_SHADER_STAGE_COMPUTE_BIT)
LACKING(subgroups_of_two, subgroups->subgroupSize = 2)

static void devices_without_subgroup_operations_find_plainly(void **state) {
    static void (*const lacks[])(VkPhysicalDeviceProperties2 *) = {
        no_ballot, no_shuffle, not_in_compute, subgroups_of_two};
    for (size_t i = 0; i < sizeof lacks / sizeof lacks[0]; ++i) {
        Observed observed;
        const MurContextCreateInfo info = observe(&observed, *state);
        interpose_properties(lacks[i]);
        gpu_require(murCreateContext(&info, &observed.context));
        const MurBlockingCreateInfo blocking = {.queue = observed.gpu->queue,
                                                .queueFamilyIndex = observed.gpu->family};
        gpu_require(murCreateBlocking(observed.context, &blocking, &observed.blocking));
        expect_paths(observed.context, observed.blocking, false, true);
        observe_close(&observed);
    }
}

int run_path_tests(void) {
    const struct CMUnitTest tests[] = {
        gpu_test(both_paths_find_the_same),
        gpu_test(the_cooperative_path_finds_what_was_inserted),
        gpu_test(small_tables_are_found_plainly_unless_forced),
        gpu_test(other_formats_are_found_plainly),
        gpu_test(devices_without_subgroup_operations_find_plainly),
    };
    return cmocka_run_group_tests_name("cooperative: paths", tests, gpu_group_setup,
                                       gpu_group_teardown);
}
