/* Several contexts, several devices, several tables in one buffer, several queue families.
 *
 * SPDX-License-Identifier: MIT */
#include "support/observe.h"

#include <string.h>

enum { CAPACITY = 3000 };

/* The same keys with other values in both tables. */
static void use_both(const MurBlocking *helpers, const MurTable *tables, uint32_t count,
                     uint32_t round) {
    static uint32_t keys[CAPACITY], values[CAPACITY], out[CAPACITY];
    for (uint32_t t = 0; t < 2; ++t) {
        for (uint32_t i = 0; i < count; ++i) {
            keys[i] = 7 * i;
            values[i] = 1000000 * t + 10000 * round + i;
        }
        gpu_require(murBlockingInsert(helpers[t], tables[t], MUR_MODE_ASSIGN, count, keys, values,
                                      NULL, NULL));
    }
    for (uint32_t t = 0; t < 2; ++t) {
        gpu_require(murBlockingFind(helpers[t], tables[t], count, keys, out, NULL, NULL));
        for (uint32_t i = 0; i < count; ++i) {
            assert_int_equal(out[i], 1000000 * t + 10000 * round + i);
        }
    }
}

GPU_TEST(two_devices_work_side_by_side) {
    enum { KEYS = 500, ROUNDS = 10 };
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
        use_both(helpers, tables, KEYS, round);
    }
    murDestroyTable(tables[1]);
    gpu_close_device(&second);
    uint32_t key = 7, out = 0; /* the end of the one is not the other's */
    gpu_require(murBlockingFind(helpers[0], tables[0], 1, &key, &out, NULL, NULL));
    assert_int_equal(out, 10000 * (ROUNDS - 1) + 1);
    murDestroyTable(tables[0]);
}

BLOCKING_CASE(two_contexts_share_a_device) {
    const MurTableCreateInfo info = {.capacity = 100};
    MurTable table;
    gpu_require(murCreateTable(observed->context, &info, &table));
    gpu_require(murBlockingClear(observed->blocking, table));
    MurTable other = gpu_table(gpu, &info);
    uint32_t key = 5, value = 6, out = 0;
    gpu_require(
        murBlockingInsert(observed->blocking, table, MUR_MODE_KEEP, 1, &key, &value, NULL, NULL));
    gpu_require(murBlockingFind(gpu->blocking, other, 1, &key, &out, NULL, NULL));
    assert_int_equal(out, UINT32_MAX); /* not in the other table */
    murDestroyTable(table);
    murDestroyTable(other);
}

enum { GUARD = 4096, BYTE = 0x7E };

/* Everything in the buffer but the two tables still has the guard's bytes. */
static void expect_guards(Gpu *gpu, const GpuBuffer *buffer, const MurBufferRange *tables) {
    GpuBuffer copy = gpu_buffer(gpu, buffer->size);
    const VkBufferCopy all = {0, 0, buffer->size};
    gpu_begin(gpu);
    gpu_barrier(gpu);
    vkCmdCopyBuffer(gpu->cmd, buffer->buffer, copy.buffer, 1, &all);
    gpu_submit(gpu);
    const uint8_t *bytes = copy.mapped;
    uint64_t guards = 0;
    for (uint64_t i = 0; i < buffer->size; ++i) {
        bool inside = false;
        for (uint32_t t = 0; t < 2; ++t) {
            inside |= i >= tables[t].offset && i < tables[t].offset + tables[t].size;
        }
        if (!inside && bytes[i] != BYTE) {
            fail_msg("byte %llu, outside of both tables, was written", (unsigned long long)i);
        }
        guards += !inside;
    }
    assert_true(guards >= 3 * GUARD);
    gpu_free(gpu, &copy);
}

/* What is erased from one is still in the other. */
static void erase_the_first(Gpu *gpu, const MurTable *tables) {
    static uint32_t keys[CAPACITY], out[CAPACITY];
    for (uint32_t i = 0; i < CAPACITY; ++i) {
        keys[i] = 7 * i;
    }
    gpu_require(murBlockingErase(gpu->blocking, tables[0], CAPACITY, keys, NULL, NULL, NULL));
    gpu_require(murBlockingFind(gpu->blocking, tables[1], CAPACITY, keys, NULL, out, NULL));
    for (uint32_t i = 0; i < CAPACITY; ++i) {
        assert_int_equal(out[i], MUR_FOUND);
    }
}

GPU_TEST(two_tables_live_in_one_buffer) {
    MurTableCreateInfo info = {.capacity = CAPACITY, .probeLimit = CAPACITY};
    MurTableRequirements needed;
    gpu_require(murGetTableRequirements(gpu->context, &info, &needed));
    VkDeviceSize step = GUARD + (needed.size + 255) / 256 * 256;
    GpuBuffer buffer = gpu_device_buffer(gpu, 2 * step + GUARD);
    gpu_begin(gpu);
    vkCmdFillBuffer(gpu->cmd, buffer.buffer, 0, VK_WHOLE_SIZE, 0x01010101u * BYTE);
    gpu_submit(gpu);
    MurBufferRange ranges[2];
    MurTable tables[2];
    for (uint32_t t = 0; t < 2; ++t) {
        ranges[t] = (MurBufferRange){buffer.buffer, GUARD + t * step, needed.size};
        info.memory = ranges[t];
        info.atomicWidth = t ? MUR_ATOMIC_WIDTH_64 : MUR_ATOMIC_WIDTH_32;
        gpu_require(murCreateTable(gpu->context, &info, &tables[t]));
        gpu_require(murBlockingClear(gpu->blocking, tables[t]));
    }
    use_both((const MurBlocking[]){gpu->blocking, gpu->blocking}, tables, CAPACITY, 0);
    erase_the_first(gpu, tables);
    expect_guards(gpu, &buffer, ranges);
    murDestroyTable(tables[0]);
    murDestroyTable(tables[1]);
    gpu_free(gpu, &buffer);
}

/* The device here may have one family only: the buffer is never made. */
static void expect_families(Gpu *gpu, uint32_t given, uint32_t expected) {
    uint32_t families[3] = {0, 1, 2};
    Observed observed;
    MurContextCreateInfo info = observe(&observed, gpu);
    interposition.families = 3;
    interpose_empty_shaders();
    info.queueFamilyIndexCount = given;
    info.pQueueFamilyIndices = given ? families : NULL;
    gpu_require(murCreateContext(&info, &observed.context));
    memset(families, 0xEE, sizeof families); /* they were copied */
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
