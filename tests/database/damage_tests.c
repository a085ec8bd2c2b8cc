/* Damaged rows and files, with and without compression, foreign files, and files of later versions.
 * SPDX-License-Identifier: MIT */
#include "support/seed.h"
#include "world.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char OTHER[] = "other.db";
static const char *const places[] = {"7", "4294967296"}; /* rows of page 7 and of the blob */

static bool has_zstd(void) {
    return murCanCompress(MUR_COMPRESSION_ZSTD);
}

/* Creates and closes a database with two commits of the blob and of all pages but the last. packed:
 * with compressed pages, if the library can. */
static World make(bool packed) {
    world_compression = packed && has_zstd() ? MUR_COMPRESSION_ZSTD : MUR_COMPRESSION_NONE;
    World world = world_create();
    world_compression = MUR_COMPRESSION_NONE;
    for (uint32_t version = 1; version < 3; ++version) {
        for (uint32_t page = 0; page + 1 < PAGES; ++page) {
            assert_int_equal(world_write(&world, page, page + version), VK_SUCCESS);
        }
        assert_int_equal(world_write_blob(&world, version), VK_SUCCESS);
        assert_int_equal(world_commit(&world), VK_SUCCESS);
    }
    world_close(&world);
    return world;
}

static VkResult read_page(World *world, uint32_t page, bool *right) {
    uint8_t bytes[PAGE], expected[PAGE];
    world_fill(expected, page, world->committed.pages[page]);
    const VkResult result = world->file.pfnRead(world->file.pUserData, page, bytes);
    *right = memcmp(bytes, expected, PAGE) == 0;
    return result;
}

/* Checks that page 7 (inBlob: the blob) is reported as damaged, and all other pages are right. A
 * write repairs the damage. */
static void expect_damage(World *world, bool inBlob) {
    uint8_t bytes[2 * PAGE];
    world_open(world);
    for (uint32_t page = 0; page < PAGES; ++page) {
        bool right;
        const VkResult result = read_page(world, page, &right);
        assert_int_equal(result, page == 7 && !inBlob ? MUR_ERROR_CORRUPT : VK_SUCCESS);
        assert_true(right || result != VK_SUCCESS);
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
    world_open(world);
    if (inBlob) {
        assert_int_equal(world_write_blob(world, 4), VK_SUCCESS);
    }
    world_save(world, 7, 9);
    world_close(world);
    (void)remove(PATH);
}

/* The checksum detects changed and shortened rows before they are decompressed. */
WORLD_TEST(damaged_row_is_reported) {
    static const char *const damages[] = {
        "bytes = zeroblob(4096)",
        "bytes = zeroblob(4095)",
        "bytes = zeroblob(0)",
        "sum = sum + 1",
        "sum = 0",
        "bytes = substr(bytes, 2)",
        "bytes = substr(bytes, 1, length(bytes) / 2)",
        "bytes = substr(bytes, 1, 20) || zeroblob(9) || substr(bytes, 30)",
        /* Page 7 gets bytes and checksum of page 8, then those of an older row of page 7. */
        "(sum, bytes) = (SELECT sum, bytes FROM pages WHERE page = 8 ORDER BY generation DESC)",
        "(sum, bytes) = (SELECT sum, bytes FROM pages WHERE page = 7 AND generation = 1)",
    };
    enum { DAMAGES = sizeof damages / sizeof damages[0], OF_PAGES = 2 };
    for (size_t i = 0; i < 4 * DAMAGES; ++i) {
        const bool inBlob = i / 2 % 2;
        if (inBlob && i / 4 >= DAMAGES - OF_PAGES) {
            continue;
        }
        char text[160];
        World world = make(i % 2);
        (void)snprintf(text, sizeof text, "UPDATE pages SET %s WHERE page = %s", damages[i / 4],
                       places[inBlob]);
        (void)world_ask(text);
        expect_damage(&world, inBlob);
    }
}

static void expect_refusal(const char *damage, VkResult result, const char *words) {
    World world = make(false);
    (void)world_ask(damage);
    for (int i = 0; i < 2; ++i) {
        assert_int_equal(world_try(&world, i ? MUR_DATABASE_READ_ONLY : 0), result);
        assert_non_null(strstr(world.said, words));
        assert_null(world.database);
    }
    (void)remove(PATH);
}

WORLD_TEST(files_of_other_kinds_are_rejected) {
    expect_refusal("PRAGMA application_id = 7", MUR_ERROR_CORRUPT, "no database of pages");
    expect_refusal("DROP TABLE database", MUR_ERROR_CORRUPT, "no such table");
    expect_refusal("DELETE FROM database", MUR_ERROR_CORRUPT,
                   "header: database disk image is malformed");
    expect_refusal("DROP TABLE pages", MUR_ERROR_CORRUPT, "no such table");
    expect_refusal("DELETE FROM pages WHERE page = 3", MUR_ERROR_CORRUPT, "its index is damaged");
    expect_refusal("PRAGMA user_version = 3", MUR_ERROR_VERSION, "version 3");
    expect_refusal("PRAGMA user_version = 0", MUR_ERROR_VERSION, "version 0");
    FILE *text = fopen(PATH, "w");
    assert_non_null(text);
    for (int i = 0; i < 500; ++i) {
        assert_true(fputs("Once upon a time\n", text) >= 0);
    }
    assert_int_equal(fclose(text), 0);
    World world = {0};
    assert_int_equal(world_try(&world, 0), MUR_ERROR_CORRUPT);
}

/* ---- Compressed pages ------------------------------------------------------------------------ */

/* Creates another database whose second commit, like that of make, has these bytes as page 7 and as
 * blob. */
static void make_other(uint32_t pageSize, MurCompression compression, const void *bytes,
                       uint64_t blobSize) {
    (void)remove(OTHER);
    const MurDatabaseInfo info = {
        .pPath = OTHER, .pageSize = pageSize, .pageCount = PAGES, .compression = compression};
    MurDatabase other;
    assert_int_equal(murCreateDatabase(&info, &other), VK_SUCCESS);
    const MurPageFile file = murGetDatabaseFile(other);
    for (uint32_t commit = 0; commit < 2; ++commit) {
        assert_int_equal(file.pfnWrite(file.pUserData, 7, bytes), VK_SUCCESS);
        assert_int_equal(murWriteDatabaseBlob(other, bytes, blobSize), VK_SUCCESS);
        assert_int_equal(file.pfnCommit(file.pUserData), VK_SUCCESS);
    }
    murCloseDatabase(other);
}

WORLD_TEST(packed_pages_are_smaller_and_read_as_written) {
    World world = make(true);
    MurDatabaseStatus status;
    uint8_t bytes[PAGE];
    memset(bytes, 5, PAGE);
    world_open(&world);
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
        World world = make(true);
        make_other(pageSize, i < 4 ? MUR_COMPRESSION_ZSTD : MUR_COMPRESSION_NONE, bytes,
                   i < 2 ? 100 : 3 * PAGE);
        char text[320];
        (void)snprintf(text, sizeof text,
                       "UPDATE pages SET (sum, bytes) = (SELECT sum, bytes FROM other.pages AS o "
                       "WHERE o.page = %s AND o.generation = pages.generation) WHERE page = %s",
                       places[inBlob], places[inBlob]);
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

/* ---- Files with changed bytes ---------------------------------------------------------------- */

/* With any change, the database returns correct pages or an error. */
WORLD_TEST(damaged_file_returns_no_wrong_page) {
    World world = make(false);
    size_t size;
    uint8_t *bytes = world_load(&size);
    Random random = {test_seed(4)};
    uint32_t refused = 0, damaged = 0;
    for (uint32_t i = 0; i < (test_full() ? 8000u : 400u); ++i) {
        const size_t at = random_below(&random, 3) ? random_below(&random, (uint32_t)size)
                                                   : random_below(&random, 3 * PAGE);
        const uint8_t before = bytes[at];
        const size_t cut = random_below(&random, 20) ? size : random_below(&random, (uint32_t)size);
        bytes[at] ^= (uint8_t)(1 << random_below(&random, 8));
        world_store(bytes, cut);
        const VkResult result = world_try(&world,
                                          random_below(&random, 4) ? MUR_DATABASE_READ_ONLY : 0);
        if (result == VK_SUCCESS) {
            for (uint32_t page = 0; page < PAGES; ++page) {
                bool right;
                const VkResult read = read_page(&world, page, &right);
                assert_true(read != VK_SUCCESS || right);
                damaged += read != VK_SUCCESS;
            }
            murCloseDatabase(world.database);
        }
        refused += result != VK_SUCCESS;
        bytes[at] = before;
    }
    assert_true(refused > 10 && damaged > 10);
    free(bytes);
}
