/* Compares a database with a model during random writes, commits, failures and reopenings.
 * SPDX-License-Identifier: MIT */
#include "shim.h"
#include "support/seed.h"
#include "world.h"

#include <errno.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* ---- Random steps ---------------------------------------------------------------------------- */

typedef struct Model {
    World world;
    Random random;
    uint32_t version, failures, commits;
    bool mayFail;
} Model;

static uint32_t draw(Model *model, uint32_t bound) {
    return random_below(&model->random, bound);
}

/* Checks that the database still has the last commit after a failed call. After a failed flush, it
 * must be opened again, and then has the last commit or the next one. */
static void check_failure(Model *model) {
    World *world = &model->world;
    MurDatabaseStatus status;
    murGetDatabaseStatus(world->database, &status);
    assert_int_equal(status.failed, shim.counted == SHIM_SYNC);
    ++model->failures;
    shim_reset((Shim){0});
    if (status.failed) {
        const Versions next = world->next;
        assert_true(world_is(world, &world->committed));
        assert_int_equal(world_write(world, 0, 1), MUR_ERROR_FILE);
        assert_int_equal(world_commit(world), MUR_ERROR_FILE);
        world_close(world);
        world_open(world);
        if (world_is(world, &next)) {
            world->committed = next;
        }
    }
    assert_true(world_is(world, &world->committed));
    world->next = world->committed;
}

static void expect(Model *model, VkResult result) {
    if (result != VK_SUCCESS) {
        assert_true(shim.failed > 0);
        assert_int_equal(result, MUR_ERROR_FILE);
        check_failure(model);
    }
}

static void commit(Model *model) {
    expect(model, world_commit(&model->world));
    assert_true(world_is(&model->world, &model->world.committed));
    ++model->commits;
}

static void open_again(Model *model) {
    shim_reset((Shim){0});
    world_close(&model->world);
    world_check_file();
    world_open(&model->world);
    assert_true(world_is(&model->world, &model->world.committed));
}

/* Makes more writes than the database puts into one transaction of SQLite. */
static void write_many_times(Model *model) {
    VkResult result = VK_SUCCESS;
    for (uint32_t i = 0; i < 600 && result == VK_SUCCESS; ++i) {
        result = world_write(&model->world, draw(model, PAGES), ++model->version);
    }
    expect(model, result);
}

static void take_step(Model *model) {
    World *world = &model->world;
    const uint32_t step = draw(model, 40);
    if (step == 0) {
        write_many_times(model);
    } else if (step < 28) {
        expect(model,
               world_write(world, draw(model, PAGES), draw(model, 8) ? ++model->version : 0));
    } else if (step < 31) {
        expect(model, world_write_blob(world, draw(model, 4) ? ++model->version : 0));
    } else if (step < 36) {
        commit(model);
    } else if (step < 38 && model->mayFail) {
        shim_reset((Shim){.counted = draw(model, 3) ? SHIM_WRITE : SHIM_SYNC,
                          .failFrom = 1 + draw(model, 12),
                          .failCount = draw(model, 2) ? 1 : UINT32_MAX,
                          .isFull = draw(model, 2)});
    } else if (step == 39) {
        open_again(model);
    } else { /* readers must not get uncommitted data */
        assert_true(world_is(world, &world->committed));
    }
}

static Model run(uint64_t seed, uint32_t steps, bool mayFail) {
    Model model = {.world = world_create(), .random = {test_seed(seed)}, .mayFail = mayFail};
    for (uint32_t i = 0; i < steps; ++i) {
        take_step(&model);
    }
    open_again(&model);
    world_close(&model.world);
    return model;
}

WORLD_TEST(random_steps_agree_with_the_model) {
    const Model model = run(1, test_full() ? 6000 : 1500, false);
    assert_true(model.commits > 100 && model.failures == 0);
    /* The library removes old rows step by step. Their number does not grow with the steps. */
    assert_in_range(world_ask("SELECT count(*) FROM pages"), PAGES / 2, 3 * PAGES);
}

WORLD_TEST(random_steps_with_failures_agree_with_the_model) {
    for (uint32_t i = 0; i < 1u + murCanCompress(MUR_COMPRESSION_ZSTD); ++i) {
        world_compression = i ? MUR_COMPRESSION_ZSTD : MUR_COMPRESSION_NONE;
        const Model model = run(2 + i, (test_full() ? 12000 : 2000) / (1 + i), true);
        assert_true(model.failures > 20 / (1 + i));
        (void)remove(PATH);
    }
    world_compression = MUR_COMPRESSION_NONE;
}

/* Fails each file call of a commit once, by a full disk, a failed write and a failed flush. */
WORLD_TEST(any_failing_call_keeps_a_commit) {
    static const Shim ways[] = {{.counted = SHIM_WRITE, .isFull = true, .failCount = UINT32_MAX},
                                {.counted = SHIM_WRITE, .failCount = 1},
                                {.counted = SHIM_SYNC, .failCount = 1}};
    Model model = {.world = world_create(), .mayFail = true};
    for (uint32_t way = 0; way < 3; ++way) {
        uint32_t call = 1;
        for (bool failed = true; failed; ++call) {
            for (uint32_t page = 0; page < 5; ++page) {
                assert_int_equal(world_write(&model.world, page * 7, ++model.version), VK_SUCCESS);
            }
            assert_int_equal(world_write_blob(&model.world, ++model.version), VK_SUCCESS);
            Shim next = ways[way];
            next.failFrom = call;
            shim_reset(next);
            const VkResult result = world_commit(&model.world);
            failed = shim.failed > 0;
            assert_true(failed == (result != VK_SUCCESS));
            assert_true(!failed || !next.isFull || errno == ENOSPC);
            expect(&model, result);
            shim_reset((Shim){0});
        }
        assert_true(call > (ways[way].counted == SHIM_SYNC ? 1 : 10));
        assert_true(model.failures >= call - 2);
        open_again(&model);
        model.failures = 0;
    }
    world_close(&model.world);
}

WORLD_TEST(a_commit_is_on_the_disk_when_it_returns) {
    World world = world_create();
    for (uint32_t version = 1; version < 20; ++version) {
        for (uint32_t page = 0; page < 10; ++page) {
            assert_int_equal(world_write(&world, page, version), VK_SUCCESS);
        }
        assert_int_equal(world_commit(&world), VK_SUCCESS);
        assert_int_equal(shim.unsynced, 0);
    }
    shim_reset((Shim){.counted = SHIM_WRITE | SHIM_SYNC});
    assert_int_equal(world_commit(&world), VK_SUCCESS); /* an empty commit */
    assert_int_equal(shim.calls, 0);
    world_close(&world);
}

/* ---- File size ------------------------------------------------------------------------------- */

static int64_t size_of(const char *path) {
    struct stat file;
    return stat(path, &file) == 0 ? file.st_size : 0;
}

enum { MANY = 3000 };

static void write_many(World *world, uint32_t version) {
    for (uint32_t page = 0; page < MANY; ++page) {
        uint8_t bytes[PAGE];
        world_fill(bytes, page, version);
        assert_int_equal(world->file.pfnWrite(world->file.pUserData, page, bytes), VK_SUCCESS);
    }
    assert_int_equal(world_commit(world), VK_SUCCESS);
}

WORLD_TEST(rows_are_removed_and_the_file_shrinks) {
    World world = {0};
    MurDatabaseInfo info = world_info(&world);
    info.pageCount = MANY;
    assert_int_equal(murCreateDatabase(&info, &world.database), VK_SUCCESS);
    world.file = murGetDatabaseFile(world.database);
    write_many(&world, 1);
    for (uint32_t version = 2; version < 11; ++version) {
        write_many(&world, version);
        assert_in_range(world_ask("SELECT count(*) FROM pages"), MANY, 2 * MANY + 100);
    }
    assert_in_range(size_of(PATH), 0, 3ll * MANY * PAGE);
    assert_in_range(size_of("world.db-wal"), 1, 134 << 20);
    for (uint32_t i = 0; i < 5; ++i) {
        write_many(&world, 0);
    }
    world_close(&world);
    assert_in_range(size_of(PATH), 0, 2ll * MANY * PAGE / 3);
    world_check_file();
}

/* A flush during a read transaction leaves data in SQLite's log. A later flush leaves none. */
WORLD_TEST(flushed_file_alone_contains_the_commit) {
    World world = world_create();
    sqlite3 *reader;
    world_save(&world, 1, 2);
    assert_int_equal(sqlite3_open(PATH, &reader), SQLITE_OK);
    for (uint32_t reads = 2; reads-- > 0;) {
        const char *const query = reads ? "BEGIN; SELECT * FROM database" : "COMMIT";
        assert_int_equal(sqlite3_exec(reader, query, NULL, NULL, NULL), SQLITE_OK);
        world_save(&world, 2, 3 + reads);
        assert_int_equal(world_write(&world, 3, 4 + reads), VK_SUCCESS);
        assert_int_equal(murFlushDatabase(world.database), reads ? VK_NOT_READY : VK_SUCCESS);
        assert_int_equal(size_of("world.db-wal") != 0, reads);
        MurDatabaseStatus status;
        murGetDatabaseStatus(world.database, &status);
        assert_int_equal(status.logSize != 0, reads);
    }
    assert_int_equal(sqlite3_close(reader), SQLITE_OK);
    assert_refused(murFlushDatabase(NULL));
    world_close(&world);
}

WORLD_TEST(a_blob_of_many_parts_belongs_to_its_commit) {
    World world = world_create();
    const uint64_t sizes[] = {1, 1 << 20, (5 << 20) + 3, 2 << 20, 0};
    uint8_t *bytes = malloc(6 << 20), *found = malloc(6 << 20);
    assert_true(bytes && found);
    for (uint32_t i = 0; i < 5; ++i) {
        memset(bytes, (int)(i + 1), 6 << 20);
        assert_int_equal(murWriteDatabaseBlob(world.database, bytes, sizes[i]), VK_SUCCESS);
        uint64_t size = 6 << 20;
        assert_int_equal(murReadDatabaseBlob(world.database, &size, NULL), VK_SUCCESS);
        assert_int_equal(size, i ? sizes[i - 1] : 0);
        world_save(&world, i, 7);
        size = 6 << 20;
        assert_int_equal(murReadDatabaseBlob(world.database, &size, found), VK_SUCCESS);
        assert_int_equal(size, sizes[i]);
        assert_memory_equal(found, bytes, size);
        if (size != 0) {
            --size;
            assert_refused(murReadDatabaseBlob(world.database, &size, found));
        }
    }
    for (uint32_t i = 0; i < 20; ++i) { /* commits remove the rows of the earlier, larger blobs */
        world_save(&world, 0, i);
    }
    world_close(&world);
    assert_in_range(world_ask("SELECT sum(length(bytes)) FROM pages"), 5 * PAGE, 16 * PAGE);
    free(bytes);
    free(found);
}

/* Pages of zeros use no bytes in the file; all other pages are stored. */
WORLD_TEST(pages_with_one_byte_that_is_not_zero_keep_it) {
    World world = world_create();
    uint8_t bytes[PAGE], found[PAGE];
    for (int turn = 0; turn < 2; ++turn) {
        for (uint32_t page = 0; page < PAGES; ++page) { /* a first or last byte is 1 */
            const uint32_t at = page % 2 ? PAGE - 1 - page / 2 : page / 2;
            memset(bytes, 0, PAGE);
            bytes[at] = 1;
            const MurPageFile *file = &world.file;
            if (turn == 0) {
                assert_int_equal(file->pfnWrite(file->pUserData, page, bytes), VK_SUCCESS);
            } else {
                assert_int_equal(file->pfnRead(file->pUserData, page, found), VK_SUCCESS);
                assert_memory_equal(found, bytes, PAGE);
            }
        }
        assert_int_equal(world_commit(&world), VK_SUCCESS);
    }
    murCloseDatabase(world.database);
}
