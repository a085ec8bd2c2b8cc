/* Tests of several devices and queue families. tests/property places several tables in
 * one buffer and checks the memory between them.
 * SPDX-License-Identifier: MIT */
#include "support/observe.h"

#include <string.h>

enum { KEYS = 500, ROUNDS = 10 };

/* Stores the same keys with different values in both tables, and finds them. */
static void use_both(const MurBlocking *helpers, const MurTable *tables, uint32_t round) {
    uint32_t keys[KEYS], values[KEYS], out[KEYS];
    for (uint32_t t = 0; t < 2; ++t) {
        for (uint32_t i = 0; i < KEYS; ++i) {
            keys[i] = 7 * i;
            values[i] = 1000000 * t + 10000 * round + i;
        }
        gpu_require(murBlockingInsert(helpers[t], tables[t], MUR_MODE_ASSIGN, KEYS, keys, values,
                                      NULL, NULL));
    }
    for (uint32_t t = 0; t < 2; ++t) {
        gpu_require(murBlockingFind(helpers[t], tables[t], KEYS, keys, out, NULL, NULL));
        for (uint32_t i = 0; i < KEYS; ++i) {
            assert_int_equal(out[i], 1000000 * t + 10000 * round + i);
        }
    }
}

GPU_TEST(two_devices_work_concurrently) {
    Gpu second;
    gpu_open_second(gpu, &second);
    const MurContext contexts[2] = {gpu->context, second.context};
    const MurBlocking helpers[2] = {gpu->blocking, second.blocking};
    MurTable tables[2];
    const MurTableCreateInfo info = {.capacity = KEYS, .atomicWidth = MUR_ATOMIC_WIDTH_32};
    for (uint32_t d = 0; d < 2; ++d) {
        gpu_require(murCreateTable(contexts[d], &info, &tables[d]));
        gpu_require(murBlockingClear(helpers[d], tables[d]));
    }
    for (uint32_t round = 0; round < ROUNDS; ++round) {
        use_both(helpers, tables, round);
    }
    murDestroyTable(tables[1]);
    gpu_close_device(&second);
    uint32_t key = 7, out = 0; /* the first device must still work */
    gpu_require(murBlockingFind(helpers[0], tables[0], 1, &key, &out, NULL, NULL));
    assert_int_equal(out, 10000 * (ROUNDS - 1) + 1);
    murDestroyTable(tables[0]);
}

/* Checks which queue families share the buffer of a new table. The test makes vkCreateBuffer fail,
 * because the device may have only one family. */
static void expect_families(Gpu *gpu, uint32_t given, uint32_t expected) {
    uint32_t families[3] = {0, 1, 2};
    Observed observed;
    MurContextCreateInfo info = observe(&observed, gpu);
    interposition.families = 3;
    interpose_empty_shaders();
    info.queueFamilyIndexCount = given;
    info.pQueueFamilyIndices = given ? families : NULL;
    gpu_require(murCreateContext(&info, &observed.context));
    memset(families, 0xEE, sizeof families); /* the library must have copied the families */
    interpose_fail(ON_vkCreateBuffer, 1, VK_ERROR_OUT_OF_DEVICE_MEMORY);
    const MurTableCreateInfo tableInfo = {.capacity = 100};
    MurTable table;
    assert_int_equal(murCreateTable(observed.context, &tableInfo, &table),
                     VK_ERROR_OUT_OF_DEVICE_MEMORY);
    const uint32_t *shared;
    assert_int_equal(interpose_buffer_families(&shared), expected);
    for (uint32_t i = 0; i < expected; ++i) {
        assert_int_equal(shared[i], i);
    }
    observe_close(&observed);
}

GPU_TEST(queue_families_share_the_librarys_buffers) {
    expect_families(gpu, 2, 2);
    expect_families(gpu, 3, 3);
}

GPU_TEST(fewer_than_two_families_mean_exclusive_sharing) {
    expect_families(gpu, 0, 0);
    expect_families(gpu, 1, 0);
}
