/* Damaged rows and files, foreign files, and files of later versions.
 * SPDX-License-Identifier: MIT */
#include "support/seed.h"
#include "world.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Creates and closes a database with two commits of the blob and of all pages but the last. */
static World make(void) {
    World world = world_create();
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

WORLD_TEST(damaged_row_is_reported) {
    static const char *const damages[] = {
        "UPDATE pages SET bytes = zeroblob(4096) WHERE page = 7",
        "UPDATE pages SET bytes = zeroblob(4095) WHERE page = 7",
        "UPDATE pages SET bytes = zeroblob(0) WHERE page = 7",
        "UPDATE pages SET sum = sum + 1 WHERE page = 7",
        /* Page 7 gets bytes and checksum of page 8, then those of an older row of page 7. */
        "UPDATE pages SET (sum, bytes) = (SELECT sum, bytes FROM pages WHERE page = 8 "
        "ORDER BY generation DESC) WHERE page = 7",
        "UPDATE pages SET (sum, bytes) = (SELECT sum, bytes FROM pages WHERE page = 7 "
        "AND generation = 1) WHERE page = 7 AND generation = 2",
    };
    for (size_t i = 0; i < sizeof damages / sizeof damages[0]; ++i) {
        World world = make();
        (void)world_ask(damages[i]);
        world_open(&world);
        for (uint32_t page = 0; page < PAGES; ++page) {
            bool right;
            const VkResult result = read_page(&world, page, &right);
            assert_int_equal(result, page == 7 ? MUR_ERROR_CORRUPT : VK_SUCCESS);
            assert_true(right || page == 7);
        }
        assert_non_null(strstr(world.said, "world.db: page 7 is damaged"));
        world_save(&world, 7, 9); /* a write repairs the page */
        world_close(&world);
        (void)remove(PATH);
    }
}

WORLD_TEST(damaged_blob_is_reported) {
    static const char *const damages[] = {
        "UPDATE pages SET bytes = substr(bytes, 2) WHERE page >= 4294967296",
        "UPDATE pages SET sum = 0 WHERE page >= 4294967296",
        "UPDATE pages SET bytes = zeroblob(0) WHERE page >= 4294967296",
    };
    for (size_t i = 0; i < sizeof damages / sizeof damages[0]; ++i) {
        World world = make();
        (void)world_ask(damages[i]);
        world_open(&world);
        uint8_t bytes[2 * PAGE];
        uint64_t size = sizeof bytes;
        assert_int_equal(murReadDatabaseBlob(world.database, &size, bytes), MUR_ERROR_CORRUPT);
        assert_non_null(strstr(world.said, "part of the blob 0 is damaged"));
        murCloseDatabase(world.database);
        (void)remove(PATH);
    }
}

static void expect_refusal(const char *damage, VkResult result, const char *words) {
    World world = make();
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

/* ---- Files with changed bytes ---------------------------------------------------------------- */

/* With any change, the database returns correct pages or an error. */
WORLD_TEST(damaged_file_returns_no_wrong_page) {
    World world = make();
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
