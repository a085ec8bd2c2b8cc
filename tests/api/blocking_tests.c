/* Tests of MurBlocking: the queue lock, omitted arrays, the growth of its buffers, uploads.
 * SPDX-License-Identifier: MIT */
#include "support/observe.h"

#include "support/image.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Defines a test case that gets a MurBlocking helper and a table that the helper has cleared. */
#define TABLE_CASE(name, capacity)                                                   \
    static void name##_with(Observed *observed, MurBlocking helper, MurTable table); \
    BLOCKING_CASE(name) {                                                            \
        const MurTable table = observed_table(observed, capacity);                   \
        gpu_require(murBlockingClear(observed->blocking, table));                    \
        log_book_clear(&observed->log);                                              \
        name##_with(observed, observed->blocking, table);                            \
        murDestroyTable(table);                                                      \
    }                                                                                \
    static void name##_with(Observed *observed, MurBlocking helper, MurTable table)

/* The queue's lock must be held during each submit, and not while the helper waits. */
typedef struct QueueLock {
    uint32_t locks, unlocks, submits, waits;
    bool locked, wrong;
} QueueLock;

static void VKAPI_PTR lock_queue(void *user) {
    QueueLock *lock = user;
    lock->wrong |= lock->locked;
    lock->locked = true;
    ++lock->locks;
    lock->submits = interpose_calls(ON_vkQueueSubmit);
    lock->waits = interpose_waits();
}

static void VKAPI_PTR unlock_queue(void *user) {
    QueueLock *lock = user;
    lock->wrong |= !lock->locked || interpose_calls(ON_vkQueueSubmit) != lock->submits + 1 ||
                   interpose_waits() != lock->waits;
    lock->locked = false;
    ++lock->unlocks;
}

OBSERVED_CASE(queue_is_locked_only_during_submits) {
    QueueLock lock = {0};
    const MurBlockingCreateInfo info = {.queue = gpu->queue,
                                        .queueFamilyIndex = gpu->family,
                                        .pfnLockQueue = lock_queue,
                                        .pfnUnlockQueue = unlock_queue,
                                        .pQueueUserData = &lock};
    gpu_require(murCreateBlocking(observed->context, &info, &observed->blocking));
    MurTable table = observed_table(observed, 10);
    uint32_t word = 1, count;
    uint8_t image[1024];
    gpu_require(murBlockingClear(observed->blocking, table));
    gpu_require(
        murBlockingInsert(observed->blocking, table, MUR_MODE_INSERT, 1, &word, &word, NULL, NULL));
    gpu_require(
        murBlockingExtract(observed->blocking, table, 0, NULL, 0, NULL, NULL, NULL, &count));
    gpu_require(murBlockingDownload(observed->blocking, table, image, sizeof image));
    assert_int_equal(lock.locks, 4);
    interpose_fail(ON_vkQueueSubmit, 1, VK_ERROR_OUT_OF_HOST_MEMORY);
    assert_int_equal(murBlockingClear(observed->blocking, table), VK_ERROR_OUT_OF_HOST_MEMORY);
    assert_int_equal(lock.unlocks, 5);
    assert_int_equal(interpose_calls(ON_vkQueueSubmit), 5);
    assert_false(lock.locked || lock.wrong);
    murDestroyTable(table);
}

TABLE_CASE(optional_arrays_can_be_left_out, 10) {
    uint32_t keys[2] = {1, 2}, values[2] = {3, 4}, out[2], count;
    assert_refused(murBlockingFind(helper, table, 2, keys, NULL, NULL, NULL)); /* still usable */
    gpu_require(murBlockingInsert(helper, table, MUR_MODE_INSERT, 2, keys, values, NULL, NULL));
    gpu_require(murBlockingFind(helper, table, 2, keys, out, NULL, NULL));
    assert_memory_equal(out, values, sizeof out);
    gpu_require(murBlockingFind(helper, table, 2, keys, NULL, out, NULL));
    assert_int_equal(out[1], MUR_FOUND);
    gpu_require(murBlockingFind(helper, table, 2, keys, NULL, NULL, out));
    assert_in_range(out[1], 0, murGetTableRef(table).slotCount);
    gpu_require(murBlockingExtract(helper, table, 0, NULL, 2, NULL, out, NULL, &count));
    assert_int_equal(count, 2);
    assert_int_equal(out[0] + out[1], 7);
    gpu_require(murBlockingErase(helper, table, 2, keys, NULL, NULL, NULL));
    gpu_require(murBlockingExtract(helper, table, 0, NULL, 0, NULL, NULL, NULL, &count));
    assert_int_equal(count, 0);
}

TABLE_CASE(empty_batches_need_no_arrays, 10) {
    uint32_t count = 7;
    gpu_require(murBlockingInsert(helper, table, MUR_MODE_INSERT, 0, NULL, NULL, NULL, NULL));
    gpu_require(murBlockingFind(helper, table, 0, NULL, NULL, NULL, NULL));
    gpu_require(murBlockingErase(helper, table, 0, NULL, NULL, NULL, NULL));
    gpu_require(murBlockingExtract(helper, table, 0, NULL, 0, NULL, NULL, NULL, &count));
    assert_int_equal(count, 0);
    assert_int_equal(gpu_stats(observed->gpu, table).live, 0);
}

/* Inserts, finds and erases count distinct keys. */
static void round_trip(MurBlocking helper, MurTable table, uint32_t count) {
    uint32_t *words = test_allocate(3 * count * sizeof *words);
    uint32_t *values = words + count, *out = values + count;
    for (uint32_t i = 0; i < count; ++i) {
        words[i] = 11 * i;
        values[i] = count + i;
    }
    gpu_require(murBlockingInsert(helper, table, MUR_MODE_ASSIGN, count, words, values, out, NULL));
    gpu_require(murBlockingFind(helper, table, count, words, out, NULL, NULL));
    assert_memory_equal(out, values, count * sizeof *out);
    gpu_require(murBlockingErase(helper, table, count, words, out, NULL, NULL));
    assert_memory_equal(out, values, count * sizeof *out);
    free(words);
}

TABLE_CASE(buffers_grow_with_the_arrays_and_stay, 60000) {
    static const uint32_t counts[] = {10, 1000, 999, 10, 50000, 1, 50000};
    static const bool grows[] = {true, true, false, false, true, false, false};
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; ++i) {
        uint32_t before = interpose_calls(ON_vkCreateBuffer);
        int objects = interpose_objects();
        round_trip(helper, table, counts[i]);
        assert_int_equal(interpose_calls(ON_vkCreateBuffer) - before, grows[i] ? 2 : 0);
        assert_int_equal(interpose_objects(), objects); /* old buffers are destroyed */
    }
}

/* The helper's memory depends on the number of entries that the table can hold, not on maxCount. */
TABLE_CASE(an_extract_takes_no_more_memory_than_a_full_table, 100) {
    uint32_t keys[100], count = 0, *out = malloc(4 * (100 + 200));
    assert_non_null(out);
    for (uint32_t i = 0; i < 100; ++i) {
        keys[i] = i;
    }
    gpu_require(murBlockingInsert(helper, table, MUR_MODE_INSERT, 100, keys, keys, NULL, NULL));
    const uint32_t buffers = interpose_calls(ON_vkCreateBuffer);
    gpu_require(murBlockingExtract(helper, table, 0, NULL, UINT32_MAX, NULL, NULL, NULL, &count));
    assert_int_equal(count, 100);
    assert_int_equal(interpose_calls(ON_vkCreateBuffer), buffers); /* existing buffers suffice */
    /* A table with one sentinel slot has at most this many entries. */
    const uint32_t slots = murGetTableRef(table).slotCount + 1;
    assert_in_range(slots, 101, 199);
    memset(out, 0xAB, 4 * 300);
    gpu_require(murBlockingExtract(helper, table, 0, NULL, UINT32_MAX, out, NULL, NULL, &count));
    assert_int_equal(count, 100);
    bool seen[100] = {false};
    for (uint32_t i = 0; i < 100; ++i) {
        assert_true(out[i] < 100 && !seen[out[i]]);
        seen[out[i]] = true;
    }
    for (uint32_t i = slots; i < 300; ++i) {
        assert_int_equal(out[i], 0xABABABAB);
    }
    free(out);
}

TABLE_CASE(upload_of_another_layout_version_names_the_versions, 10) {
    MurTableHeader image[4] = {{.magic = MUR_LAYOUT_MAGIC, .version = MUR_LAYOUT_VERSION - 1}};
    assert_true(murGetTableMemory(table).size <= sizeof image);
    char text[80];
    snprintf(text, sizeof text, "layout version %u; this library's is %u", MUR_LAYOUT_VERSION - 1,
             MUR_LAYOUT_VERSION);
    expect_error(observed, murBlockingUpload(helper, table, image, sizeof image), MUR_ERROR_VERSION,
                 text, "an older layout");
}

GPU_TEST(upload_of_another_tables_memory_is_rejected) {
    const MurTableCreateInfo good = {.capacity = 100, .seed = 1, .probeLimit = 50};
    MurTableCreateInfo others[5] = {good, good, good, good, good};
    others[0].capacity = 101;
    others[1].seed = 2;
    others[2].emptyValue = MUR_EMPTY_VALUE_ZERO;
    others[3].probeLimit = 40;
    others[4].atomicWidth = MUR_ATOMIC_WIDTH_32; /* the default of devices without 64-bit atomics */
    MurTable table = gpu_table(gpu, &good);
    gpu_require(murBlockingInsert(gpu->blocking, table, MUR_MODE_INSERT, 1, &(uint32_t){5},
                                  &(uint32_t){6}, NULL, NULL));
    for (size_t i = 0; i < (gpu->int64Atomics ? 5 : 4); ++i) {
        Image image = image_open(&others[i]);
        assert_int_equal(murBlockingUpload(gpu->blocking, table, image.table.pImage, image.size),
                         MUR_ERROR_CORRUPT);
        image_close(&image);
    }
    uint32_t value;
    gpu_require(murBlockingFind(gpu->blocking, table, 1, &(uint32_t){5}, &value, NULL, NULL));
    assert_int_equal(value, 6);
    murDestroyTable(table);
}

/* Uploads and downloads of tables that are larger than one copy of the helper. */
GPU_TEST(large_tables_are_copied_in_chunks) {
    const MurTableCreateInfo info = {.capacity = 2200000, /* slots of 17.6 MB */
                                     .atomicWidth = MUR_ATOMIC_WIDTH_32};
    MurTable table = gpu_table(gpu, &info);
    Image image = image_open(&info);
    for (uint32_t key = 0; key < 1000; ++key) {
        murHostInsert(&image.table, MUR_MODE_ASSIGN, key, key + 1);
    }
    gpu_require(murBlockingUpload(gpu->blocking, table, image.table.pImage, image.size));
    Image copy = image_open(&info);
    gpu_require(murBlockingDownload(gpu->blocking, table, copy.table.pImage, copy.size));
    assert_memory_equal(copy.table.pImage, image.table.pImage, (size_t)image.size);
    image_close(&copy);
    image_close(&image);
    murDestroyTable(table);
}
