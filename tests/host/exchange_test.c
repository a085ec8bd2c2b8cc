/* Host and GPU on one table, in turns: each finds, changes and counts what the other left, and the
 * image is a table's, slot by slot.
 *
 * SPDX-License-Identifier: MIT */
#include "oracle/pair.h"

#include "image.h"

#include <stdlib.h>
#include <string.h>

enum { CAPACITY = 400, COUNT = 300, SEED = 21 };

/* A table and its image, both empty, and the keys of a test with what they should hold. */
typedef struct Turns {
    Gpu *gpu;
    const TableKind *kind;
    MurTableCreateInfo info;
    MurTable table;
    Image image;
    Bulk items;
    bool there[COUNT];
} Turns;

static Turns open_turns(Gpu *gpu, const TableKind *kind, bool hard) {
    Turns turns = {.gpu = gpu, .kind = kind, .info = kind_info(kind, CAPACITY)};
    turns.info.seed = SEED;
    turns.info.capacity <<= turns.info.flags ? 4 : 0; /* where all fit, in any order */
    turns.info.probeLimit = CAPACITY;
    turns.table = gpu_table(gpu, &turns.info);
    turns.image = image_open(&turns.info);
    turns.items = bulk_open(kind->format, COUNT);
    assert_int_equal(murGetTableMemory(turns.table).size, turns.image.size);
    const bool linear = turns.info.flags == 0; /* buckets would be full of what is alike */
    for (uint32_t i = 0; i < COUNT; ++i) {
        const bool last = i % 4 == 1 && hard && linear;
        const uint32_t word = last ? UINT32_MAX - (i + 1) * 1000 : mur_hash(i, 5);
        const uint64_t hash = oracle_hash_of(kind->format, word, linear ? i : mur_hash(i, 6));
        bulk_set(&turns.items, i,
                 hard && i < HARD_KEYS ? hard_key(kind->format, SEED, i)
                                       : oracle_key(kind->format, hash, SEED),
                 i + 1);
    }
    assert_true(linear || bulk_always_fits(&turns.items, turns.image.table.ref.slotCount, SEED));
    return turns;
}

static void close_turns(Turns *turns) {
    murDestroyTable(turns->table);
    image_close(&turns->image);
    bulk_close(&turns->items);
}

static void upload(Turns *turns) {
    gpu_require(murBlockingUpload(turns->gpu->blocking, turns->table, turns->image.table.pImage,
                                  turns->image.size));
}

/* Into fresh memory, taken by its header. */
static void download(Turns *turns) {
    memset(turns->image.table.pImage, 0x5A, (size_t)turns->image.size);
    gpu_require(murBlockingDownload(turns->gpu->blocking, turns->table, turns->image.table.pImage,
                                    turns->image.size));
    MurHostTable table;
    gpu_require(murHostAttach(turns->image.table.pImage, turns->image.size, &table));
    assert_memory_equal(&table, &turns->image.table, sizeof table);
}

/* Both sides agree on every key, its slot included, and on the statistics. */
static void check_agreement(Turns *turns) {
    const MurHostTable *host = &turns->image.table;
    Bulk found = bulk_open(turns->kind->format, COUNT);
    uint32_t live = 0;
    memcpy(found.keys, turns->items.keys, 4ull * kind_key_words(turns->kind) * COUNT);
    gpu_require(murBlockingFind(turns->gpu->blocking, turns->table, COUNT, found.keys,
                                bulk_values(&found), found.statuses, found.slots));
    for (uint32_t i = 0; i < COUNT; ++i) {
        const MurHostResult got = murHostFind(host, bulk_key(&found, i));
        const bool values = bulk_values(&found) != NULL;
        if (got.status != (turns->there[i] ? MUR_FOUND : MUR_ABSENT) ||
            got.status != found.statuses[i] || got.slot != found.slots[i] ||
            (values && got.value != bulk_value(&found, i)) ||
            (values && turns->there[i] && got.value != bulk_value(&turns->items, i))) {
            fail_msg("%s: key 0x%llx: the host has %s, slot %u, value %llu; the GPU %s, %u, %llu",
                     turns->kind->name, (unsigned long long)bulk_key(&found, i),
                     murStatusName(got.status), got.slot, (unsigned long long)got.value,
                     murStatusName(found.statuses[i]), found.slots[i],
                     (unsigned long long)bulk_value(&found, i));
        }
        live += turns->there[i];
    }
    bulk_close(&found);
    MurStats hostStats, gpuStats;
    murHostStats(host, &hostStats);
    gpu_require(murBlockingStats(turns->gpu->blocking, turns->table, &gpuStats));
    assert_memory_equal(&hostStats, &gpuStats, sizeof hostStats);
    assert_int_equal(hostStats.live, live);
}

static void insert(Turns *turns, bool byHost, uint32_t first, uint32_t count) {
    Bulk part = bulk_part(&turns->items, first, count);
    if (byHost) {
        murHostInsertBatch(&turns->image.table, MUR_MODE_KEEP, count, part.keys, bulk_values(&part),
                           NULL, part.statuses, part.slots);
    } else {
        gpu_require(murBlockingInsert(turns->gpu->blocking, turns->table, MUR_MODE_KEEP, count,
                                      part.keys, bulk_values(&part), part.statuses, part.slots));
    }
    for (uint32_t i = 0; i < count; ++i) {
        assert_int_equal(part.statuses[i], MUR_INSERTED);
        turns->there[first + i] = true;
    }
}

/* Erases every third key and assigns other values to the third after each. */
static void change(Turns *turns, bool byHost) {
    const MurHostTable *host = &turns->image.table;
    for (uint32_t i = 0; i < COUNT; ++i) {
        const bool erases = i % 3 == 0;
        Bulk one = bulk_part(&turns->items, i, 1);
        if (i % 3 == 2) {
            continue;
        }
        if (!erases) {
            bulk_set(&one, 0, bulk_key(&one, 0), i + 10000);
        }
        if (byHost) {
            const uint64_t key = bulk_key(&one, 0);
            one.statuses[0] = erases ? murHostErase(host, key).status
                                     : murHostInsert(host, MUR_MODE_ASSIGN, key, i + 10000).status;
        } else {
            gpu_require(erases ? murBlockingErase(turns->gpu->blocking, turns->table, 1, one.keys,
                                                  NULL, one.statuses, NULL)
                               : murBlockingInsert(turns->gpu->blocking, turns->table,
                                                   MUR_MODE_ASSIGN, 1, one.keys, bulk_values(&one),
                                                   one.statuses, NULL));
        }
        assert_int_equal(one.statuses[0], erases ? MUR_ERASED : MUR_EXISTED);
        turns->there[i] = !erases;
    }
}

static void hand_over(Turns *turns, bool fromHost) {
    if (fromHost) {
        upload(turns);
    } else {
        download(turns);
    }
    check_agreement(turns);
}

/* Inserts by one side and by the other, changes by the first. */
EACH_KIND(host_and_gpu_take_turns) {
    for (int i = 0; i < 2; ++i) {
        const bool hostFirst = i == 0;
        Turns turns = open_turns(gpu, kind, true);
        insert(&turns, hostFirst, 0, COUNT / 2);
        hand_over(&turns, hostFirst);
        insert(&turns, !hostFirst, COUNT / 2, COUNT / 2);
        hand_over(&turns, !hostFirst);
        change(&turns, hostFirst);
        hand_over(&turns, hostFirst);
        close_turns(&turns);
    }
}

/* The order that a rehash leaves is one that the GPU relies on, and the other way round. */
EACH_LINEAR_KIND(order_means_the_same_to_both) {
    Turns turns = open_turns(gpu, kind, false);
    const uint32_t *words = turns.image.table.pImage;
    Image source = image_open(&turns.info);
    Image image = turns.image;
    turns.image = source;
    insert(&turns, true, 0, COUNT - 1);
    turns.image = image;
    assert_int_equal(murHostRehash(&source.table, &image.table, NULL, NULL), VK_SUCCESS);
    image_close(&source);
    const bool ordered = (words[MUR_HEADER_STATE] & MUR_STATE_ORDERED) != 0;
    assert_true(ordered || kind->layout > LAYOUT_k64v32_64);
    hand_over(&turns, true);
    insert(&turns, false, COUNT - 1, 1);
    hand_over(&turns, false);
    assert_int_equal(words[MUR_HEADER_STATE] & MUR_STATE_ORDERED, 0);
    close_turns(&turns);
}

GPU_TEST(images_of_other_tables_are_refused) {
    const MurTableCreateInfo good = {.capacity = 100, .seed = 1, .probeLimit = 50};
    MurTableCreateInfo others[5] = {good, good, good, good, good};
    others[0].capacity = 101;
    others[1].seed = 2;
    others[2].reservedValue = MUR_RESERVED_VALUE_ZERO;
    others[3].atomicWidth = MUR_ATOMIC_WIDTH_32;
    others[4].probeLimit = 40;
    MurTable table = gpu_table(gpu, &good);
    const uint64_t size = murGetTableMemory(table).size;
    gpu_require(murBlockingInsert(gpu->blocking, table, MUR_MODE_KEEP, 1, &(uint32_t){5},
                                  &(uint32_t){6}, NULL, NULL));
    for (size_t i = 0; i < 5; ++i) {
        Image image = image_open(&others[i]);
        assert_int_equal(murBlockingUpload(gpu->blocking, table, image.table.pImage, image.size),
                         MUR_ERROR_BAD_IMAGE);
        image_close(&image);
    }
    Image image = image_open(&good);
    void *memory = image.table.pImage;
    const VkResult invalid = MUR_ERROR_INVALID_ARGUMENT;
    assert_int_equal(murBlockingUpload(gpu->blocking, table, memory, size - 1), invalid);
    assert_int_equal(murBlockingUpload(gpu->blocking, table, NULL, size), invalid);
    assert_int_equal(murBlockingUpload(gpu->blocking, NULL, memory, size), invalid);
    assert_int_equal(murBlockingUpload(NULL, table, memory, size), invalid);
    assert_int_equal(murBlockingDownload(gpu->blocking, table, memory, size - 1), invalid);
    assert_int_equal(murBlockingDownload(gpu->blocking, table, NULL, size), invalid);
    assert_int_equal(murBlockingDownload(gpu->blocking, NULL, memory, size), invalid);
    assert_int_equal(murBlockingDownload(NULL, table, memory, size), invalid);
    uint32_t value;
    gpu_require(murBlockingFind(gpu->blocking, table, 1, &(uint32_t){5}, &value, NULL, NULL));
    assert_int_equal(value, 6);
    image_close(&image);
    murDestroyTable(table);
}

/* More than one part: an image larger than what is copied at a time. */
GPU_TEST(large_images_go_in_parts) {
    const MurTableCreateInfo info = {.capacity = 2200000}; /* 17.6 MB */
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
