/* Multi-value tables in host memory: moves, snapshots, damage, edge cases and threads.
 * SPDX-License-Identifier: MIT */
#include "multi.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include <murmuration/host_multi.h>
#include <murmuration/snapshot.h>

enum { KEYS = 40, PAIRS = 700 };

/* Returns a copy of the memory of a table with erased values. The caller frees it. */
static void *filled(Gpu *gpu, MurAtomicWidth width, Multi *multi, MurHostTable *host) {
    MultiPair pairs[PAIRS];
    for (uint32_t i = 0; i < PAIRS; ++i) {
        pairs[i] = (MultiPair){i * i % KEYS, i / 2};
    }
    multi_open(gpu, multi, 2 * (PAIRS + KEYS), width, 0);
    multi_insert(multi, PAIRS, pairs);
    multi_erase(multi, 90, pairs + 30);
    multi_erase_keys(multi, 1, (const uint32_t[]){9});
    uint64_t size;
    void *image = multi_download(multi, &size);
    assert_int_equal(murHostAttach(image, size, host), VK_SUCCESS);
    return image;
}

static void require_same(Multi *multi, const MurHostTable *host) {
    uint32_t keys[KEYS];
    for (uint32_t i = 0; i < KEYS; ++i) {
        keys[i] = i;
    }
    multi->host = host;
    multi_require_same(multi, KEYS, keys);
    multi->host = NULL;
}

/* Opens an empty host table of the same type. It has its own memory. */
static MurHostTable open_host(const Multi *multi, uint64_t capacity, uint32_t seed) {
    const MurTableRef ref = murGetTableRef(multi->table);
    const MurTableCreateInfo info = {
        .capacity = capacity,
        .seed = seed,
        .emptyValue = MUR_EMPTY_VALUE_ZERO,
        .atomicWidth = ref.flags & MUR_TABLE_INT64 ? MUR_ATOMIC_WIDTH_64 : MUR_ATOMIC_WIDTH_32,
        .type = murHostTypeOf(ref.flags),
    };
    uint64_t size;
    MurHostTable host;
    assert_int_equal(murHostGetImageSize(&info, &size), VK_SUCCESS);
    void *image = aligned_alloc(64, (size_t)((size + 63) / 64 * 64));
    assert_non_null(image);
    assert_int_equal(murHostCreate(&info, image, size, &host), VK_SUCCESS);
    return host;
}

/* Moves the entries into tables with other seeds and capacities, by a rehash and by a snapshot. */
BOTH_WIDTHS(moves_and_snapshots) {
    Multi multi;
    MurHostTable host;
    void *image = filled(gpu, width, &multi, &host);
    const uint64_t bytes = murGetSnapshotSize(&host);
    void *data = test_allocate((size_t)bytes);
    assert_int_equal(murWriteSnapshot(&host, data, bytes), VK_SUCCESS);
    MurSnapshotInfo info;
    assert_int_equal(murReadSnapshotInfoFromMemory(data, bytes, &info), VK_SUCCESS);
    assert_ptr_equal(info.createInfo.type, murHostTypeOf(host.ref.flags));
    uint32_t *map = test_allocate(4 * (size_t)(host.ref.slotCount + 1));
    for (uint32_t i = 0; i < 4; ++i) {
        const bool like = i == 0;
        MurHostTable other = open_host(&multi, like ? host.ref.capacity : 1200 + 900 * i,
                                       i % 2 ? 5 : host.ref.seed);
        assert_int_equal(murLoadSnapshotFromMemory(data, bytes, &other), VK_SUCCESS);
        require_same(&multi, &other);
        MurHostMoved moved;
        assert_int_equal(murHostRehash(&host, &other, map, &moved), VK_SUCCESS);
        assert_int_equal(moved.failed, 0);
        require_same(&multi, &other);
        for (MurHostEntry entry = {0}; murHostNextEntry(&host, &entry);) {
            MurHostEntry to = {.next = map[entry.slot]};
            assert_true(murHostNextEntry(&other, &to) && to.slot == map[entry.slot] &&
                        to.key == entry.key && to.index == entry.index && to.value == entry.value);
        }
        free(other.pImage);
    }
    free(map);
    free(data);
    free(image);
    multi_close(&multi);
}

/* Moves entries with equal hashes and different indices, in the order of a rehash and another. */
BOTH_WIDTHS_OF_WIDE_KEYS(moves_of_equal_hashes) {
    enum { ALIKE = 6 };
    Multi multi;
    multi_open(gpu, &multi, 100, width, 0);
    const MurHostTable host = open_host(&multi, 200, 9), other = open_host(&multi, 50, 9);
    uint64_t keys[ALIKE];
    for (uint32_t i = 0; i < ALIKE; ++i) {
        keys[i] = mur_key64(i % 2 ? mur_hash64(1, 2) : UINT64_MAX, mur_index_seed(9, ALIKE - i));
    }
    for (uint32_t i = 0; i < 7 * ALIKE; ++i) {
        assert_int_equal(murHostMultiInsert(&host, keys[i / 7], i), MUR_INSERTED);
    }
    MurHostMoved moved;
    assert_int_equal(murHostRehash(&host, &other, NULL, &moved), VK_SUCCESS);
    assert_true(moved.failed == 0 && moved.moved == 8 * ALIKE);
    for (uint32_t i = 0; i < 7 * ALIKE; ++i) {
        uint32_t value;
        assert_true(murHostMultiGet(&other, keys[i / 7], i % 7, &value));
        assert_int_equal(value, i);
    }
    free(host.pImage);
    free(other.pImage);
    multi_close(&multi);
}

/* In a damaged table, the tag of a slot has an index although its type has none, or lacks its
 * index. A save or load must report the damage. */
BOTH_WIDTHS(damaged_tags) {
    Multi multi;
    MurHostTable host;
    uint8_t *image = filled(gpu, width, &multi, &host);
    const bool wide = MUR_TABLE_FORMAT(host.ref.flags) == MUR_FORMAT_K64V32_MULTI;
    const uint64_t bytes = murGetSnapshotSize(&host);
    void *data = test_allocate((size_t)bytes);
    MurHostEntry entry = {0};
    assert_true(murHostNextEntry(&host, &entry));
    assert_true(wide == (entry.index != 0));
    uint32_t *tag = (uint32_t *)(void *)(image + MUR_HEADER_SIZE + 16 * (size_t)entry.slot + 12);
    const uint32_t right = *tag;
    *tag = wide ? right & ((1u << MUR_TAG_INDEX_SHIFT) - 1)
                : right | MUR_TAG_USED | 1u << MUR_TAG_INDEX_SHIFT;
    VkResult result = murWriteSnapshot(&host, data, bytes);
    if (result == VK_SUCCESS) {
        MurHostTable other = open_host(&multi, host.ref.capacity, host.ref.seed);
        result = murLoadSnapshotFromMemory(data, bytes, &other);
        free(other.pImage);
    }
    assert_int_equal(result, MUR_ERROR_CORRUPT);
    free(data);
    free(image);
    multi_close(&multi);
}

/* Edge cases that host.h documents for multi-value tables with 64-bit keys, and absent keys. */
BOTH_WIDTHS(host_edges) {
    Multi multi;
    multi_open(gpu, &multi, 100, width, 0);
    MurHostTable host = open_host(&multi, 100, 1), other = open_host(&multi, 100, 2);
    const bool wide = MUR_TABLE_FORMAT(host.ref.flags) == MUR_FORMAT_K64V32_MULTI;
    uint32_t value;
    assert_int_equal(murHostMultiInsert(&host, 1, 5), MUR_INSERTED);
    assert_int_equal(murHostMultiInsert(&host, 1ull << 32, 6),
                     wide ? MUR_INSERTED : MUR_UNSUPPORTED);
    assert_int_equal(murHostMultiCount(&host, 1ull << 32), wide);
    assert_true(murHostMultiGet(&host, 1, 0, &value) && value == 5);
    assert_int_equal(murHostFind(&host, 1).status, wide ? MUR_ABSENT : MUR_FOUND);
    if (wide) {
        const uint64_t key = 1;
        uint32_t status = 0;
        assert_int_equal(murHostInsert(&host, MUR_MODE_ASSIGN, 1, 3).status, MUR_UNSUPPORTED);
        assert_int_equal(murHostErase(&host, 1).status, MUR_ABSENT);
        murHostInsertBatch(&host, MUR_MODE_ASSIGN, 1, &key, &value, NULL, &status, NULL);
        assert_int_equal(status, MUR_UNSUPPORTED);
        assert_refused(murHostMerge(&host, &other, MUR_MODE_ASSIGN, NULL));
    }
    /* A key gets as many ordinals as there are slots, but one slot stores their number. */
    for (uint32_t i = 0; i < host.ref.slotCount + 3; ++i) {
        const uint32_t status = murHostMultiInsert(&other, 7, i);
        assert_int_equal(status, i + 1 < other.ref.slotCount ? MUR_INSERTED : MUR_FULL);
        assert_int_equal(murHostMultiErase(&other, 7, i),
                         status == MUR_INSERTED ? MUR_ERASED : MUR_ABSENT);
        assert_int_equal(murHostMultiCount(&other, 7), 0);
    }
    assert_int_equal(murHostMultiOrdinals(&other, 7), other.ref.slotCount);
    /* If an insert gets an ordinal but no slot, the ordinal does not count as a value. */
    murHostClear(&other);
    for (uint32_t i = 0; i < 50; ++i) {
        assert_int_equal(murHostMultiInsert(&other, 100 + i, i), MUR_INSERTED);
    }
    uint32_t count = 0;
    while (murHostMultiInsert(&other, 7, count) == MUR_INSERTED) {
        assert_int_equal(murHostMultiCount(&other, 7), ++count);
    }
    assert_int_equal(murHostMultiOrdinals(&other, 7), count + 1);
    assert_int_equal(murHostMultiCount(&other, 7), count);
    free(host.pImage);
    free(other.pImage);
    multi_close(&multi);
}

enum { THREADS = 4, EACH = 3000, HOT = 5 };

typedef struct Worker {
    const MurHostTable *host;
    uint32_t first, erased;
} Worker;

/* Inserts values for keys that all threads use, and erases three of each 300 values. */
static void *work(void *argument) {
    Worker *worker = argument;
    for (uint32_t i = 0; i < EACH; ++i) {
        const uint32_t value = worker->first + i;
        murHostMultiInsert(worker->host, i % HOT, value);
        if (i % 300 < 3) {
            worker->erased += murHostMultiErase(worker->host, i % HOT, value) == MUR_ERASED;
        }
    }
    return NULL;
}

BOTH_WIDTHS(host_threads) {
    Multi multi;
    multi_open(gpu, &multi, 100, width, 0);
    const MurHostTable host = open_host(&multi, 2 * THREADS * EACH, 3);
    pthread_t threads[THREADS];
    Worker workers[THREADS];
    for (uint32_t t = 0; t < THREADS; ++t) {
        workers[t] = (Worker){&host, t * EACH, 0};
        assert_int_equal(pthread_create(&threads[t], NULL, work, &workers[t]), 0);
    }
    uint32_t erased = 0, count = 0;
    for (uint32_t t = 0; t < THREADS; ++t) {
        assert_int_equal(pthread_join(threads[t], NULL), 0);
        erased += workers[t].erased;
    }
    bool *seen = test_allocate((THREADS * EACH) * sizeof *seen);
    for (uint32_t k = 0; k < HOT; ++k) {
        for (uint32_t i = 0, value; i < murHostMultiOrdinals(&host, k); ++i) {
            if (murHostMultiGet(&host, k, i, &value)) {
                assert_true(value < THREADS * EACH && value % EACH % HOT == k && !seen[value]);
                seen[value] = true;
                ++count;
            }
        }
    }
    assert_int_equal(erased, THREADS * EACH / 100);
    assert_int_equal(count, THREADS * EACH - erased);
    free(seen);
    free(host.pImage);
    multi_close(&multi);
}
