/* Databases with compressed pages: damaged pages, pages that decompress to a wrong size, and builds
 * without zstd.
 * SPDX-License-Identifier: MIT */
#include "world.h"

#include <stdio.h>
#include <string.h>

static const char OTHER[] = "other.db";

static bool has_zstd(void) {
    return murCanCompress(MUR_COMPRESSION_ZSTD);
}

/* Creates a compressed database with a commit of each page except the last. */
static World make_packed(void) {
    world_compression = has_zstd() ? MUR_COMPRESSION_ZSTD : MUR_COMPRESSION_NONE;
    World world = world_create();
    world_compression = MUR_COMPRESSION_NONE;
    for (uint32_t page = 0; page + 1 < PAGES; ++page) {
        assert_int_equal(world_write(&world, page, page + 1), VK_SUCCESS);
    }
    assert_int_equal(world_write_blob(&world, 3), VK_SUCCESS);
    assert_int_equal(world_commit(&world), VK_SUCCESS);
    return world;
}

/* Creates another database whose first commit has these bytes as page 7 and as blob. */
static void make_other(uint32_t pageSize, MurCompression compression, const void *bytes,
                       uint64_t blobSize) {
    (void)remove(OTHER);
    const MurDatabaseInfo info = {
        .pPath = OTHER, .pageSize = pageSize, .pageCount = PAGES, .compression = compression};
    MurDatabase other;
    assert_int_equal(murCreateDatabase(&info, &other), VK_SUCCESS);
    const MurPageFile file = murGetDatabaseFile(other);
    assert_int_equal(file.pfnWrite(file.pUserData, 7, bytes), VK_SUCCESS);
    assert_int_equal(murWriteDatabaseBlob(other, bytes, blobSize), VK_SUCCESS);
    assert_int_equal(file.pfnCommit(file.pUserData), VK_SUCCESS);
    murCloseDatabase(other);
}

/* Checks that page 7 (inBlob: the blob) is reported as damaged, and all other pages are right. */
static void expect_damage(World *world, bool inBlob) {
    uint8_t bytes[2 * PAGE], expected[PAGE];
    world_open(world);
    for (uint32_t page = 0; page < PAGES; ++page) {
        world_fill(expected, page, world->committed.pages[page]);
        const VkResult result = world->file.pfnRead(world->file.pUserData, page, bytes);
        assert_int_equal(result, page == 7 && !inBlob ? MUR_ERROR_CORRUPT : VK_SUCCESS);
        assert_true(result != VK_SUCCESS || memcmp(bytes, expected, PAGE) == 0);
    }
    uint64_t size = sizeof bytes;
    assert_int_equal(murReadDatabaseBlob(world->database, &size, bytes),
                     inBlob ? MUR_ERROR_CORRUPT : VK_SUCCESS);
    assert_non_null(strstr(world->said, inBlob ? "part of the blob 0 is damaged"
                                               : "world.db: page 7 is damaged"));
    murCloseDatabase(world->database);
    MurDatabaseReport report;
    const MurDatabaseInfo info = {.pPath = PATH};
    assert_int_equal(murCheckDatabase(&info, NULL, NULL, &report), MUR_ERROR_CORRUPT);
    assert_int_equal(report.damagedPages, inBlob ? 0 : 1);
    assert_int_equal(report.blobDamaged, inBlob);
    (void)remove(PATH);
}

WORLD_TEST(packed_pages_are_smaller_and_read_as_written) {
    World world = make_packed();
    MurDatabaseStatus status;
    uint8_t bytes[PAGE];
    memset(bytes, 5, PAGE);
    assert_int_equal(world.file.pfnWrite(world.file.pUserData, 7, bytes), VK_SUCCESS);
    assert_int_equal(world.file.pfnCommit(world.file.pUserData), VK_SUCCESS);
    murGetDatabaseStatus(world.database, &status);
    murCloseDatabase(world.database);
    if (has_zstd()) {
        assert_int_equal(status.compression, MUR_COMPRESSION_ZSTD);
        assert_in_range(world_ask("SELECT length(bytes) FROM pages WHERE page = 7 "
                                  "ORDER BY generation DESC"),
                        1, 100);
    }
    world_open(&world);
    assert_int_equal(world.file.pfnRead(world.file.pUserData, 7, bytes), VK_SUCCESS);
    assert_true(bytes[0] == 5 && memcmp(bytes, bytes + 1, PAGE - 1) == 0);
    world_save(&world, 7, 8);
    world_close(&world);
}

/* The checksum detects changed and shortened zstd frames before they are decompressed. */
WORLD_TEST(damaged_frames_are_reported) {
    static const char *const damages[] = {
        "UPDATE pages SET bytes = substr(bytes, 1, length(bytes) / 2) WHERE page = %s",
        ("UPDATE pages SET bytes = substr(bytes, 1, 20) || zeroblob(9) || substr(bytes, 30) "
         "WHERE page = %s"),
        "UPDATE pages SET bytes = zeroblob(0) WHERE page = %s",
        "UPDATE pages SET sum = sum - 1 WHERE page = %s",
    };
    for (size_t i = 0; i < 2 * sizeof damages / sizeof damages[0]; ++i) {
        char text[160];
        World world = make_packed();
        world_close(&world);
        (void)snprintf(text, sizeof text, damages[i / 2], i % 2 ? "4294967296" : "7");
        (void)world_ask(text);
        expect_damage(&world, i % 2 != 0);
    }
}

/* The test copies pages from other databases, with their correct checksums. These decompress to
 * half or twice the page size, or are not compressed data. */
WORLD_TEST(frames_of_a_wrong_size_are_reported) {
    static uint8_t bytes[4 * PAGE];
    for (size_t i = 0; i < sizeof bytes; ++i) {
        bytes[i] = (uint8_t)(i * 7 + i / 300);
    }
    for (uint32_t i = 0; i < 6 && has_zstd(); ++i) {
        const bool inBlob = i % 2;
        const uint32_t pageSize = i < 4 ? 4 * PAGE : PAGE;
        World world = make_packed();
        world_close(&world);
        make_other(pageSize, i < 4 ? MUR_COMPRESSION_ZSTD : MUR_COMPRESSION_NONE, bytes,
                   i < 2 ? 100 : 3 * PAGE);
        char text[320];
        (void)snprintf(text, sizeof text,
                       "UPDATE pages SET (sum, bytes) = (SELECT sum, bytes FROM other.pages AS o "
                       "WHERE o.page = %s) WHERE page = %s",
                       inBlob ? "4294967296" : "7", inBlob ? "4294967296" : "7");
        world_attach(OTHER, text);
        expect_damage(&world, inBlob);
    }
}

WORLD_TEST(methods_that_are_missing_are_rejected) {
    World world = {0};
    MurDatabaseInfo info = world_info(&world);
    info.compression = (MurCompression)3;
    assert_int_equal(murCreateDatabase(&info, &world.database), MUR_ERROR_INVALID_ARGUMENT);
    assert_non_null(strstr(world.said, "compression is 3"));
    info.compression = MUR_COMPRESSION_OF_SOURCE;
    assert_int_equal(murCreateDatabase(&info, &world.database), MUR_ERROR_INVALID_ARGUMENT);
    assert_true(murCanCompress(MUR_COMPRESSION_NONE));
    assert_false(murCanCompress(MUR_COMPRESSION_OF_SOURCE));
    if (!has_zstd()) {
        info.compression = MUR_COMPRESSION_ZSTD;
        assert_int_equal(murCreateDatabase(&info, &world.database), VK_ERROR_FEATURE_NOT_PRESENT);
        assert_non_null(strstr(world.said, "built without it"));
    }
}
