/* Tests of rehashes and merges of unusual tables, of wrong arguments, and of snapshots of every
 * format. Other rehashes and merges are rows of the table in tests/semantics.
 * SPDX-License-Identifier: MIT */
#include "support/image.h"

#include "oracle/oracle.h"

#include <murmuration/host_multi.h>
#include <murmuration/snapshot.h>

#include <stdlib.h>
#include <string.h>

/* Returns key number i. The hashes are random, so keys are not inserted in hash order. */
static uint64_t key_of(const MurTableRef *ref, uint32_t i) {
    const uint32_t format = MUR_TABLE_FORMAT(ref->flags);
    return oracle_key(format, oracle_hash_of(format, mur_hash(i, 99), i), ref->seed);
}

static void fill(const Image *image, uint32_t count) {
    const MurHostTable *table = &image->table;
    for (uint32_t i = 0; i < count; ++i) {
        const uint64_t key = key_of(&table->ref, i);
        murHostInsert(table, MUR_MODE_ASSIGN, key, key % 1000 + 1);
    }
    for (uint32_t i = 0; i < count; i += 3) {
        murHostErase(table, key_of(&table->ref, i));
    }
}

/* If a damaged source has a key in two slots, the second copy is reported and not moved. */
PLAIN_TEST(rehash_of_a_key_in_two_slots_moves_one) {
    for (int kind = 0; kind < KINDS_OF_K32V32; ++kind) {
        const MurTableCreateInfo info = kind_info(&table_kinds[kind], 30);
        Image source = image_open(&info), destination = image_open(&info);
        uint64_t *slots = (uint64_t *)((uint8_t *)source.table.pImage + MUR_HEADER_SIZE);
        const uint32_t slot = murHostInsert(&source.table, MUR_MODE_ASSIGN, 5, 50).slot;
        slots[slot ? 0 : 1] = slots[slot];
        MurHostMoved moved;
        assert_int_equal(murHostRehash(&source.table, &destination.table, NULL, &moved),
                         VK_SUCCESS);
        assert_int_equal(moved.moved, 1);
        assert_int_equal(moved.failed, 1);
        assert_int_equal(image_live(&destination.table), 1);
        image_close(&destination);
        image_close(&source);
    }
}

/* The empty value of the source may be a value of the destination, and vice versa. */
PLAIN_TEST(reserved_values_may_differ) {
    const MurTableCreateInfo zero = kind_info(&table_kinds[1], 10),
                             max = kind_info(&table_kinds[0], 10);
    Image source = image_open(&zero), destination = image_open(&max);
    murHostInsert(&source.table, MUR_MODE_ASSIGN, 1, 100);
    murHostInsert(&source.table, MUR_MODE_ASSIGN, 2, UINT32_MAX);
    MurHostMoved moved;
    assert_int_equal(murHostRehash(&source.table, &destination.table, NULL, &moved), VK_SUCCESS);
    assert_int_equal(moved.moved, 1);
    assert_int_equal(moved.failed, 1);
    MurStats stats;
    murHostStats(&destination.table, &stats);
    assert_int_equal(stats.invalidValues, 1);
    assert_int_equal(murHostMerge(&source.table, &destination.table, MUR_MODE_INSERT, &moved),
                     VK_SUCCESS);
    assert_int_equal(moved.met, 1);
    assert_int_equal(moved.failed, 1);
    image_close(&destination);
    image_close(&source);
}

PLAIN_TEST(bad_arguments_change_nothing) {
    const MurTableCreateInfo info = {.capacity = 10};
    Image image = image_open(&info), other = image_open(&info);
    murHostInsert(&image.table, MUR_MODE_ASSIGN, 1, 1);
    murHostInsert(&other.table, MUR_MODE_ASSIGN, 2, 2);
    assert_refused(murHostRehash(&image.table, &image.table, NULL, NULL));
    assert_refused(murHostRehash(NULL, &other.table, NULL, NULL));
    assert_refused(murHostRehash(&image.table, NULL, NULL, NULL));
    assert_refused(murHostMerge(&image.table, &image.table, MUR_MODE_INSERT, NULL));
    assert_refused(murHostMerge(NULL, &other.table, MUR_MODE_INSERT, NULL));
    assert_refused(murHostMerge(&image.table, NULL, MUR_MODE_INSERT, NULL));
    assert_refused(murHostMerge(&image.table, &other.table, MUR_MODE_ADD, NULL));
    assert_refused(murHostMerge(&image.table, &other.table, (MurInsertMode)7, NULL));
    assert_int_equal(image_live(&image.table), 1);
    assert_int_equal(image_live(&other.table), 1);
    image_close(&other);
    image_close(&image);
}

PLAIN_TEST(moves_between_formats_are_rejected) {
    const int kinds[] = {KIND_k32v32_64_max, KIND_k64v32_64_max, KIND_k32_set, KIND_k64_set,
                         KIND_k64v64_max};
    for (int i = 0; i < 25; ++i) {
        const MurTableCreateInfo from = kind_info(&table_kinds[kinds[i / 5]], 10),
                                 to = kind_info(&table_kinds[kinds[i % 5]], 10);
        Image source = image_open(&from), destination = image_open(&to);
        const VkResult expected = i / 5 == i % 5 ? VK_SUCCESS : MUR_ERROR_INVALID_ARGUMENT;
        assert_int_equal(murHostRehash(&source.table, &destination.table, NULL, NULL), expected);
        assert_int_equal(murHostMerge(&source.table, &destination.table, MUR_MODE_INSERT, NULL),
                         expected);
        image_close(&source);
        image_close(&destination);
    }
}

PLAIN_TEST(moves_into_bucketed_tables_are_rejected) {
    for (int kind = TABLE_KINDS; kind < ALL_KINDS; ++kind) {
        const MurTableCreateInfo from = kind_info(kind_without_buckets(&table_kinds[kind]), 10),
                                 to = kind_info(&table_kinds[kind], 10);
        Image source = image_open(&from), destination = image_open(&to);
        murHostInsert(&destination.table, MUR_MODE_INSERT, 1, 1);
        assert_int_equal(murHostMultiInsert(&destination.table, 1, 1), MUR_UNSUPPORTED);
        assert_refused(murHostRehash(&source.table, &destination.table, NULL, NULL));
        assert_refused(murHostMerge(&source.table, &destination.table, MUR_MODE_INSERT, NULL));
        const uint64_t size = murGetSnapshotSize(&source.table);
        uint8_t *data = test_allocate((size_t)size);
        assert_int_equal(murWriteSnapshot(&source.table, data, size), VK_SUCCESS);
        assert_refused(murLoadSnapshotFromMemory(data, size, &destination.table));
        assert_int_equal(image_live(&destination.table), 1);
        free(data);
        image_close(&source);
        image_close(&destination);
    }
}

/* Loads into a new table, which must then have the entries of the source if loading succeeds. */
static void load(const uint8_t *data, uint64_t size, MurTableCreateInfo info, VkResult expected,
                 const Image *source) {
    Image image = image_open(&info);
    assert_int_equal(murLoadSnapshotFromMemory(data, size, &image.table), expected);
    if (expected == VK_SUCCESS) {
        image_require_same_entries(&source->table, &image.table);
    }
    image_close(&image);
}

/* Saves a table and loads it into memory of the same type, of the other atomic width, into a larger
 * table, one with ages, and one of another format. Snapshots of bucketed tables contain neither
 * tombstones nor the back filter. tests/snapshot flips bits. */
PLAIN_TEST(snapshots_of_every_type_load_unchanged) {
    for (int kind = 0; kind < ALL_KINDS; ++kind) {
        const MurTableCreateInfo made = kind_info(&table_kinds[kind], 130);
        const uint32_t format = type_format(made.type);
        const bool buckets = table_kinds[kind].flags != 0;
        Image source = image_open(&made);
        ((uint32_t *)source.table.pImage)[MUR_HEADER_STATE] = buckets ? MUR_STATE_FILTER : 0;
        fill(&source, buckets ? 200 : 100);
        const uint64_t size = murGetSnapshotSize(&source.table);
        uint8_t *data = test_allocate((size_t)size);
        assert_int_equal(murWriteSnapshot(&source.table, data, size), VK_SUCCESS);
        assert_memory_equal(data + 64, source.table.pImage, (size_t)source.size);
        MurSnapshotInfo info;
        assert_int_equal(murReadSnapshotInfoFromMemory(data, size, &info), VK_SUCCESS);
        assert_int_equal(type_format(info.createInfo.type), format);
        assert_int_equal(info.imageSize, source.size);
        assert_int_equal(info.entries, image_live(&source.table));
        Image copy = image_open(&info.createInfo);
        assert_memory_equal(&copy.table.ref, &source.table.ref, sizeof copy.table.ref);
        assert_int_equal(murLoadSnapshotFromMemory(data, size, &copy.table), VK_SUCCESS);
        murHostRebuildFilter(&source.table);
        assert_memory_equal(copy.table.pImage, source.table.pImage, (size_t)copy.size);
        MurTableCreateInfo width = info.createInfo, other = info.createInfo;
        if (kind < KINDS_WITH_WIDTHS || buckets) { /* the other width may need tag words */
            width.atomicWidth = kind_is_wide(&table_kinds[kind]) || format == MUR_FORMAT_K32
                                    ? MUR_ATOMIC_WIDTH_32
                                    : MUR_ATOMIC_WIDTH_64;
            const bool tags = buckets && format == MUR_FORMAT_K64;
            load(data, size, width, tags ? MUR_ERROR_INVALID_ARGUMENT : VK_SUCCESS, &source);
        }
        other.flags = buckets && kind % 2 ? MUR_TABLE_AGES : other.flags;
        other.capacity = buckets && kind % 2 ? other.capacity : 3000;
        load(data, size, other, buckets ? MUR_ERROR_INVALID_ARGUMENT : VK_SUCCESS, &source);
        load(data, size, kind_info(&table_kinds[(kind + 4) % TABLE_KINDS], 500),
             MUR_ERROR_INVALID_ARGUMENT, &source);
        image_close(&copy);
        image_close(&source);
        free(data);
    }
}
