/* Saving, and loading into the same table or into another table.
 * SPDX-License-Identifier: MIT */
#include "snapshot_test.h"

#include <host/checksum.h>

#include <string.h>

/* Creates a table with entries, tombstones, a wrapped cluster, failed inserts and a sentinel slot
 * in use. */
static Image make(MurTableCreateInfo info, uint32_t count) {
    Image image = image_open(&info);
    const MurHostTable *table = &image.table;
    for (uint32_t i = 0; i < count; ++i) {
        const uint32_t hash = i % 5 == 4 ? UINT32_MAX - 1 - i : mur_hash(i, 21);
        murHostInsert(table, MUR_MODE_ASSIGN, mur_key(hash, info.seed), i + 1);
        if (i % 3 == 2) {
            murHostErase(table, mur_key(hash, info.seed));
        }
    }
    murHostInsert(table, MUR_MODE_ASSIGN, mur_key(MUR_EMPTY, info.seed), 77);
    murHostInsert(table, MUR_MODE_ASSIGN, 1, info.emptyValue ? 0 : UINT32_MAX);
    return image;
}

PLAIN_TEST(the_checksum_is_crc_64_xz) {
    MurChecksum checksum;
    mur_checksum_start(&checksum);
    assert_true(mur_checksum_value(&checksum) == 0);
    mur_checksum_add(&checksum, "123456789", 9); /* the published check value */
    assert_true(mur_checksum_value(&checksum) == 0x995DC9BBDF1939FAu);
    uint8_t data[1000];
    Random random = {1};
    for (size_t i = 0; i < sizeof data; ++i) {
        data[i] = (uint8_t)random_next(&random);
    }
    for (size_t cut = 0; cut < 40; ++cut) { /* splits the data into chunks of any length */
        mur_checksum_start(&checksum);
        mur_checksum_add(&checksum, data + cut, 2 * cut);
        mur_checksum_add(&checksum, data + 3 * cut, sizeof data - 3 * cut);
        assert_true(mur_checksum_value(&checksum) == seal_sum(0, data + cut, sizeof data - cut));
    }
}

/* This file is written by hand, because files of this layout version must remain valid. */
PLAIN_TEST(files_of_version_4_stay_valid) {
    uint8_t golden[64 + 256 + 64 + 8] = {0x89, 'M', 'U', 'R',  'S', '\r', '\n', 0x1A, 1, 0, 0, 0, 0,
                                         0,    0,   0,   0x40, 1,   0,    0,    0,    0, 0, 0, 1};
    static const uint8_t sums[16] = {0x94, 0xB9, 0x2E, 0x8F, 0xB6, 0xA2, 0x46, 0xD0,
                                     0x6E, 0xAA, 0x92, 0xFA, 0x1C, 0x1C, 0xAC, 0xAA};
    static const uint8_t header[40] = {'M', 'U', 'R', 'T', 4, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0,
                                       8,   0,   0,   0,   0, 0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0};
    static const uint8_t slot[8] = {0x44, 0x33, 0x22, 0x11, 0x88, 0x77, 0x66, 0x55};
    memcpy(golden + 56, sums, 8);
    memcpy(golden + 64, header, sizeof header);
    memset(golden + 64 + 64, 0xFF, 8); /* an unused sentinel slot */
    memset(golden + 64 + 256, 0xFF, 64);
    memcpy(golden + 64 + 256, slot, sizeof slot);
    memcpy(golden + 64 + 256 + 64, sums + 8, 8);

    const MurTableCreateInfo info = {.capacity = 1, .atomicWidth = MUR_ATOMIC_WIDTH_32};
    Image image = image_open(&info);
    assert_int_equal(murLoadSnapshotFromMemory(golden, sizeof golden, &image.table), VK_SUCCESS);
    assert_int_equal(image_live(&image.table), 1);
    assert_int_equal(murHostFind(&image.table, mur_key(0x11223344, 0)).value, 0x55667788);
    Bytes again = bytes_of(&image.table);
    assert_int_equal(again.size, sizeof golden);
    assert_memory_equal(again.data, golden, sizeof golden);
    bytes_free(&again);
    image_close(&image);
}

PLAIN_TEST(other_tables_load_the_same_entries) {
    for (int kind = 0; kind < KINDS_OF_K32V32; ++kind) {
        MurTableCreateInfo info = kind_info(&table_kinds[kind], 3000);
        info.seed = 5;
        info.probeLimit = 3000;
        Image image = make(info, 2000);
        Bytes bytes = bytes_of(&image.table);
        MurTableCreateInfo others[] = {info, info, info, info};
        others[0].capacity = others[0].probeLimit = 2000;
        others[1].capacity = 100000;
        others[2].seed = 6;
        others[3].probeLimit = 0;
        for (size_t i = 0; i < 4; ++i) {
            Image other = image_open(&others[i]);
            murHostInsert(&other.table, MUR_MODE_ASSIGN, 12345, 1);
            bytes_load(&bytes, &other, VK_SUCCESS);
            image_require_same_entries(&image.table, &other.table);
            MurHostTable again; /* attaches by the header's description */
            assert_int_equal(murHostAttach(other.table.pImage, other.size, &again), VK_SUCCESS);
            assert_memory_equal(&again, &other.table, sizeof again);
            image_close(&other);
        }
        bytes_free(&bytes);
        image_close(&image);
    }
}

/* Loads into a table with one entry. Checks the number of entries. */
static void load_into_one(const Bytes *bytes, const MurTableCreateInfo *info, VkResult expected,
                          uint32_t live) {
    Image image = image_open(info);
    murHostInsert(&image.table, MUR_MODE_ASSIGN, 1, 1);
    bytes_load(bytes, &image, expected);
    assert_int_equal(image_live(&image.table), live);
    image_close(&image);
}

/* Too many entries: the destination is unchanged. Entries beyond a probe limit, or with the empty
 * value: the destination becomes empty. */
PLAIN_TEST(entries_without_room_are_an_error) {
    for (int kind = 0; kind < KINDS_OF_K32V32; ++kind) {
        MurTableCreateInfo info = kind_info(&table_kinds[kind], 200);
        Image image = image_open(&info);
        for (uint32_t i = 0; i < 40; ++i) { /* all keys have one home slot */
            murHostInsert(&image.table, MUR_MODE_ASSIGN, mur_key(0x10000000 + i, 0), i + 1);
        }
        murHostInsert(&image.table, MUR_MODE_ASSIGN, mur_key(MUR_EMPTY, 0), 1);
        Bytes bytes = bytes_of(&image.table);
        info.capacity = 39;
        load_into_one(&bytes, &info, MUR_ERROR_TOO_LARGE, 1);
        info.capacity = 40; /* the sentinel slot does not count */
        load_into_one(&bytes, &info, VK_SUCCESS, 41);
        info.probeLimit = 8;
        load_into_one(&bytes, &info, MUR_ERROR_TOO_LARGE, 0);
        murHostInsert(&image.table, MUR_MODE_ASSIGN, 3, kind & 1 ? UINT32_MAX : 0);
        bytes_free(&bytes);
        bytes = bytes_of(&image.table);
        info = kind_info(&table_kinds[kind ^ 1], 200);
        load_into_one(&bytes, &info, MUR_ERROR_INVALID_ARGUMENT, 0);
        bytes_free(&bytes);
        image_close(&image);
    }
}

PLAIN_TEST(bad_arguments) {
    Image image = make(kind_info(&table_kinds[0], 10), 5);
    Bytes bytes = bytes_of(&image.table);
    MurSnapshotInfo info;
    assert_refused(murWriteSnapshot(&image.table, bytes.data, bytes.size - 1));
    assert_refused(murWriteSnapshot(&image.table, NULL, bytes.size));
    assert_refused(murWriteSnapshot(NULL, bytes.data, bytes.size));
    assert_refused(murReadSnapshotInfoFromMemory(NULL, bytes.size, &info));
    assert_refused(murReadSnapshotInfoFromMemory(bytes.data, bytes.size, NULL));
    assert_refused(murLoadSnapshotFromMemory(NULL, bytes.size, &image.table));
    assert_refused(murLoadSnapshotFromMemory(bytes.data, bytes.size, NULL));
    assert_refused(murSaveSnapshot(NULL, &image.table));
    assert_refused(murSaveSnapshot("x", NULL));
    assert_refused(murReadSnapshotInfo(NULL, &info));
    assert_refused(murReadSnapshotInfo("x", NULL));
    assert_refused(murLoadSnapshot(NULL, &image.table));
    assert_refused(murLoadSnapshot("x", NULL));
    bytes_free(&bytes);
    image_close(&image);
}
