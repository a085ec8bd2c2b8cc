/* Tests of files of each version, of their upgrade, and of damaged headers.
 * SPDX-License-Identifier: MIT */
#include "shim.h"
#include "world.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GOLDEN_PAGES = 5, GOLDEN_COMMITS = 3 };

static void put(uint32_t version) {
    size_t size;
    uint8_t *bytes = golden_bytes(version, &size);
    world_store(bytes, size);
    free(bytes);
}

/* Returns whether the file equals the golden file of the version, byte for byte. */
static bool is_untouched(uint32_t version) {
    size_t size, right;
    uint8_t *bytes = world_load(&size), *expected = golden_bytes(version, &right);
    const bool same = size == right && memcmp(bytes, expected, size) == 0;
    free(expected);
    free(bytes);
    return same;
}

static void open_golden(World *world, MurDatabaseFlags flags) {
    if (world_try(world, flags) != VK_SUCCESS) {
        fail_msg("%s", world->said);
    }
}

/* Reads a page. right: output, true if the page has its content after this number of commits (4:
 * after change_golden). */
static VkResult read_golden(World *world, uint32_t page, uint64_t commits, bool *right) {
    static const uint8_t versions[GOLDEN_PAGES] = {2, 0, 0, 3, 0};
    uint8_t bytes[PAGE], expected[PAGE] = {0};
    const uint8_t version = page == 2 && commits > GOLDEN_COMMITS ? 9 : versions[page];
    if (version != 0) {
        expected[0] = version;
        expected[1] = (uint8_t)page;
        expected[2047] = 0xA5;
        expected[PAGE - 1] = (uint8_t)(version + page);
    }
    const VkResult result = world->file.pfnRead(world->file.pUserData, page, bytes);
    *right = memcmp(bytes, expected, PAGE) == 0;
    return result;
}

/* Returns whether the database has its state after this number of commits. */
static bool golden_is(World *world, uint64_t commits) {
    MurDatabaseStatus status;
    murGetDatabaseStatus(world->database, &status);
    bool same = status.pageSize == PAGE && status.pageCount == GOLDEN_PAGES;
    for (uint32_t page = 0; page < GOLDEN_PAGES; ++page) {
        bool right;
        assert_int_equal(read_golden(world, page, commits, &right), VK_SUCCESS);
        same = same && right;
    }
    const char *blob = commits > GOLDEN_COMMITS ? "third" : "second blob";
    uint8_t bytes[16];
    uint64_t size = sizeof bytes;
    assert_int_equal(murReadDatabaseBlob(world->database, &size, bytes), VK_SUCCESS);
    return same && size == strlen(blob) && memcmp(bytes, blob, size) == 0;
}

static VkResult change_golden(World *world) {
    uint8_t bytes[PAGE] = {9, 2, [2047] = 0xA5, [PAGE - 1] = 11};
    VkResult result = world->file.pfnWrite(world->file.pUserData, 2, bytes);
    if (result == VK_SUCCESS) {
        result = murWriteDatabaseBlob(world->database, "third", 5);
    }
    return result == VK_SUCCESS ? world->file.pfnCommit(world->file.pUserData) : result;
}

/* ---- Opening and upgrading ------------------------------------------------------------------- */

WORLD_TEST(file_of_each_version_opens_as_it_is) {
    for (uint32_t version = 1; version <= GOLDEN_VERSIONS; ++version) {
        World world = {0};
        put(version);
        open_golden(&world, MUR_DATABASE_READ_ONLY);
        assert_true(golden_is(&world, GOLDEN_COMMITS));
        murCloseDatabase(world.database);
        assert_true(is_untouched(version));
        open_golden(&world, 0);
        assert_true(golden_is(&world, GOLDEN_COMMITS));
        murCloseDatabase(world.database);
        assert_int_equal(world_ask("PRAGMA user_version"), version);
    }
}

WORLD_TEST(first_commit_upgrades_the_file) {
    for (uint32_t version = 1; version <= GOLDEN_VERSIONS; ++version) {
        World world = {0}, reader = {0};
        put(version);
        open_golden(&world, 0);
        open_golden(&reader, MUR_DATABASE_READ_ONLY);
        assert_int_equal(world.file.pfnCommit(world.file.pUserData), VK_SUCCESS); /* empty commit */
        assert_int_equal(world_ask("PRAGMA user_version"), version);
        assert_int_equal(change_golden(&world), VK_SUCCESS);
        assert_int_equal(world_ask("PRAGMA user_version"), GOLDEN_VERSIONS);
        assert_true(golden_is(&world, GOLDEN_COMMITS + 1));
        assert_true(golden_is(&reader, GOLDEN_COMMITS + 1));
        murCloseDatabase(reader.database);
        murCloseDatabase(world.database);
        open_golden(&world, 0);
        assert_true(golden_is(&world, GOLDEN_COMMITS + 1));
        murCloseDatabase(world.database);
        world_check_file();
    }
}

/* A new file has the tables and columns of an upgraded file. */
WORLD_TEST(new_file_has_the_newest_version) {
    World world = world_create();
    world_close(&world);
    assert_int_equal(world_ask("PRAGMA user_version"), GOLDEN_VERSIONS);
    assert_int_equal(world_ask("SELECT count(*) FROM pragma_table_info('database')"), 7);
    assert_int_equal(world_ask("SELECT count(*) FROM writer"), 1);
}

WORLD_TEST(file_of_version_1_gets_more_pages) {
    World world = {0};
    MurDatabaseInfo info = world_info(&world);
    put(1);
    assert_int_equal(murOpenDatabase(&info, &world.database), VK_SUCCESS);
    murCloseDatabase(world.database);
    assert_int_equal(world_ask("PRAGMA user_version"), 1);
    assert_int_equal(world_ask("SELECT page_count FROM database"), PAGES);
    open_golden(&world, 0);
    MurDatabaseStatus status;
    murGetDatabaseStatus(world.database, &status);
    assert_int_equal(status.pageCount, PAGES);
    murCloseDatabase(world.database);
}

WORLD_TEST(upgrade_that_fails_changes_nothing) {
    static const Shim ways[] = {{.counted = SHIM_WRITE, .isFull = true, .failCount = UINT32_MAX},
                                {.counted = SHIM_WRITE, .failCount = 1},
                                {.counted = SHIM_SYNC, .failCount = 1}};
    for (size_t way = 0; way < 3; ++way) {
        bool failed = true;
        for (uint32_t call = 1; failed; ++call) {
            World world = {0};
            put(1);
            open_golden(&world, 0);
            Shim next = ways[way];
            next.failFrom = call;
            shim_reset(next);
            failed = change_golden(&world) != VK_SUCCESS;
            assert_int_equal(failed, shim.failed > 0);
            shim_reset((Shim){0});
            MurDatabaseStatus status;
            murGetDatabaseStatus(world.database, &status);
            if (status.failed) { /* a commit whose call failed may still be complete */
                murCloseDatabase(world.database);
                open_golden(&world, 0);
                murGetDatabaseStatus(world.database, &status);
            }
            assert_true(golden_is(&world, status.commits));
            assert_true(failed || status.commits == GOLDEN_COMMITS + 1);
            assert_int_equal(world_ask("PRAGMA user_version"),
                             status.commits > GOLDEN_COMMITS ? 2 : 1);
            assert_int_equal(change_golden(&world), VK_SUCCESS);
            murCloseDatabase(world.database);
            open_golden(&world, 0);
            assert_true(golden_is(&world, GOLDEN_COMMITS + 1));
            murCloseDatabase(world.database);
            (void)remove(PATH);
        }
    }
}

/* ---- Damaged headers ------------------------------------------------------------------------- */

/* Flips one bit of a column of the header in the file. */
static void flip(const char *column, uint32_t bit) {
    char text[200];
    const long long mask = (long long)(1ull << bit);
    (void)snprintf(text, sizeof text, "UPDATE database SET %s = (%s | %lld) - (%s & %lld)", column,
                   column, mask, column, mask);
    (void)world_ask(text);
}

WORLD_TEST(header_with_a_flipped_bit_is_rejected) {
    static const char *const columns[] = {"features",  "page_size", "page_count", "committed",
                                          "blob_size", "live",      "sum"};
    World world = {0};
    put(2);
    for (size_t column = 0; column < 7; ++column) {
        for (uint32_t bit = 0; bit < 63; ++bit) {
            flip(columns[column], bit);
            for (int i = 0; i < 2; ++i) {
                assert_int_equal(world_try(&world, i ? MUR_DATABASE_READ_ONLY : 0),
                                 MUR_ERROR_CORRUPT);
                assert_non_null(strstr(world.said, "its header is damaged"));
            }
            flip(columns[column], bit);
        }
    }
    open_golden(&world, 0);
    assert_true(golden_is(&world, GOLDEN_COMMITS));
    for (uint32_t bit = 0; bit < 63; ++bit) { /* flips bits while the file is open */
        uint64_t size = 77;
        flip("blob_size", bit);
        assert_int_equal(murReadDatabaseBlob(world.database, &size, NULL), MUR_ERROR_CORRUPT);
        assert_int_equal(size, 77);
        flip("blob_size", bit);
    }
    murCloseDatabase(world.database);
}

/* The header of version 1 has no checksum, so changed numbers reach the later checks. */
WORLD_TEST(header_with_a_number_out_of_range_is_rejected) {
    static const struct {
        const char *change;
        VkResult result;
        const char *words;
    } cases[] = {
        {"features = 6", MUR_ERROR_VERSION, "features 0x6"},
        {"page_size = 4097", MUR_ERROR_CORRUPT, "out of range"},
        {"page_size = 2097152", MUR_ERROR_CORRUPT, "out of range"},
        {"page_count = 0", MUR_ERROR_CORRUPT, "out of range"},
        {"page_count = 3", MUR_ERROR_CORRUPT, "its index is damaged"},
        {"page_count = 4294967296", MUR_ERROR_CORRUPT, "out of range"},
        {"committed = -1", MUR_ERROR_CORRUPT, "out of range"},
        {"committed = 4611686018427387904", MUR_ERROR_CORRUPT, "out of range"},
        {"committed = 9223372036854775807", MUR_ERROR_CORRUPT, "out of range"},
        {"committed = 1", MUR_ERROR_CORRUPT, "its index is damaged"},
        {"blob_size = -1", MUR_ERROR_CORRUPT, "out of range"},
        {"blob_size = 268435457", MUR_ERROR_CORRUPT, "out of range"},
        {"live = live + 1", MUR_ERROR_CORRUPT, "its index is damaged"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        World world = {0};
        char text[100];
        put(1);
        (void)snprintf(text, sizeof text, "UPDATE database SET %s", cases[i].change);
        (void)world_ask(text);
        for (int flags = 0; flags < 2; ++flags) {
            assert_int_equal(world_try(&world, (MurDatabaseFlags)flags), cases[i].result);
            assert_non_null(strstr(world.said, cases[i].words));
        }
    }
    World world = {0};
    put(1);
    (void)world_ask("UPDATE database SET committed = 4611686018427387902"); /* the maximum */
    open_golden(&world, 0);
    murCloseDatabase(world.database);
}

/* A blob has one row per MiB. Therefore a wrong blob size is detected only if it requires another
 * number of rows. */
WORLD_TEST(too_small_blob_size_of_version_1_is_rejected) {
    enum { PART = 1 << 20, PARTS = 3 };
    World world = world_create();
    uint8_t *bytes = test_allocate(PARTS * PART);
    memset(bytes, 7, PARTS * PART);
    assert_int_equal(murWriteDatabaseBlob(world.database, bytes, PARTS * PART), VK_SUCCESS);
    assert_int_equal(world_commit(&world), VK_SUCCESS);
    murCloseDatabase(world.database);
    (void)world_ask("ALTER TABLE database DROP COLUMN sum");
    (void)world_ask("PRAGMA user_version = 1");
    for (uint32_t parts = 0; parts <= PARTS; ++parts) {
        char text[100];
        uint64_t size = 77;
        (void)snprintf(text, sizeof text, "UPDATE database SET blob_size = %u", parts * PART);
        (void)world_ask(text);
        open_golden(&world, MUR_DATABASE_READ_ONLY);
        assert_int_equal(murReadDatabaseBlob(world.database, &size, NULL),
                         parts == PARTS ? VK_SUCCESS : MUR_ERROR_CORRUPT);
        assert_int_equal(size, parts == PARTS ? PARTS * PART : 77);
        murCloseDatabase(world.database);
    }
    free(bytes);
}

/* Flips each bit of the index. Either the file is rejected, or all pages are correct. */
WORLD_TEST(index_with_a_flipped_bit_reads_no_other_page) {
    enum { FIRST_ROW = 0x3FA0, INDEX_END = 0x4000 };
    uint32_t refused = 0;
    size_t size;
    uint8_t *bytes = golden_bytes(GOLDEN_VERSIONS, &size);
    for (uint32_t bit = 8 * FIRST_ROW; bit < 8 * INDEX_END; ++bit) {
        World world = {0};
        bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
        world_store(bytes, size);
        bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
        const VkResult result = world_try(&world, MUR_DATABASE_READ_ONLY);
        for (uint32_t page = 0; result == VK_SUCCESS && page < GOLDEN_PAGES; ++page) {
            bool right;
            const VkResult read = read_golden(&world, page, GOLDEN_COMMITS, &right);
            assert_true(read != VK_SUCCESS || right);
        }
        murCloseDatabase(world.database);
        refused += result != VK_SUCCESS;
    }
    free(bytes);
    assert_true(refused > 100);
}
