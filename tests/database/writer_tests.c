/* Tests of two writers without a working lock, and of files that are removed or renamed while a
 * database is open.
 * SPDX-License-Identifier: MIT */
#define _DEFAULT_SOURCE
#include "shim.h"
#include "world.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char LOCK[] = "world.db-lock";

static void open_with_commits(World *world) {
    *world = world_create();
    world_save(world, 1, 2);
    world_close(world);
    world_open(world);
    world_save(world, 3, 4);
}

/* Checks that every function that writes fails with this error, and fails again when repeated. */
static void expect_end(World *world, int error, const char *words) {
    MurDatabaseStatus status;
    for (int i = 0; i < 2; ++i) {
        errno = 0;
        assert_int_equal(world_commit(world), MUR_ERROR_FILE);
        assert_int_equal(errno, error);
        assert_non_null(strstr(world->said, words));
        errno = 0;
        assert_int_equal(world_write(world, 1, 1), MUR_ERROR_FILE);
        assert_int_equal(errno, error);
        assert_int_equal(world_write_blob(world, 1), MUR_ERROR_FILE);
        murGetDatabaseStatus(world->database, &status);
        assert_true(status.failed);
    }
    world->next = world->committed;
}

/* Makes more writes than fit into one transaction of SQLite, which the library then commits. */
static void write_to_the_end(World *world) {
    for (uint32_t i = 0; i < 512; ++i) {
        assert_int_equal(world_write(world, i % PAGES, 2000 + i), VK_SUCCESS);
    }
}

/* Makes a commit fail after it wrote rows. The next write must remove these rows. */
static void fail_to_commit(World *world) {
    write_to_the_end(world);
    shim_reset((Shim){.counted = SHIM_WRITE, .failFrom = 1, .failCount = UINT32_MAX});
    assert_int_equal(world_commit(world), MUR_ERROR_FILE);
    shim_reset((Shim){0});
}

/* Removes the lock file and opens a second writer. From then on, all writes by the first writer
 * must fail. writes: optional, called for the first writer before the second one opens. changed:
 * whether `writes` leaves uncommitted changes. */
static void let_a_second_in(void (*writes)(World *world), bool changed) {
    World first = world_create(), second = {0};
    world_save(&first, 3, 4);
    murCloseDatabase(first.database);
    assert_int_equal(world_try(&first, 0), VK_SUCCESS); /* world_create sets no log callback */
    if (writes) {
        writes(&first);
    }
    assert_int_equal(unlink(LOCK), 0);
    second.committed = first.committed;
    world_open(&second);
    assert_true(world_is(&second, &first.committed));
    world_save(&second, 11, 12);
    if (!changed) {
        assert_int_equal(world_commit(&first), VK_SUCCESS); /* an empty commit */
        first.next.pages[5] = 6;
        errno = 0;
        assert_int_equal(world_write(&first, 5, 6), MUR_ERROR_FILE);
        assert_int_equal(errno, EBUSY);
    }
    expect_end(&first, EBUSY, "another writer has opened it");
    world_save(&second, 7, 8);
    assert_int_equal(world_write_blob(&second, 5), VK_SUCCESS);
    assert_int_equal(world_commit(&second), VK_SUCCESS);
    assert_true(world_is(&first, &second.committed)); /* the first writer can still read */
    murCloseDatabase(first.database);
    world_save(&second, 9, 10);
    world_close(&second);
    world_open(&second);
    world_close(&second);
    world_check_file();
}

WORLD_TEST(second_writer_without_the_lock_ends_the_first) {
    let_a_second_in(NULL, false);
    assert_int_equal(unlink(PATH), 0);
    let_a_second_in(write_to_the_end, true);
    assert_int_equal(unlink(PATH), 0);
    let_a_second_in(fail_to_commit, false);
}

WORLD_TEST(reader_that_came_first_lets_a_writer_in) {
    World world = world_create(), reader = {0};
    world_save(&world, 1, 2);
    world_close(&world);
    assert_int_equal(world_try(&reader, MUR_DATABASE_READ_ONLY), VK_SUCCESS);
    for (uint32_t i = 0; i < 2; ++i) {
        world_open(&world);
        world_save(&world, 3, 4 + i);
        assert_true(world_is(&reader, &world.committed));
        world_close(&world);
        assert_true(world_is(&reader, &world.committed));
    }
    murCloseDatabase(reader.database);
    world_check_file();
}

static void open_one(void *user) {
    assert_int_equal(unlink(LOCK), 0);
    world_open(user);
}

/* The second writer opens between the last row of the commit and its end. */
WORLD_TEST(second_writer_during_a_commit_ends_the_first) {
    World first = world_create(), second = {0};
    world_save(&first, 3, 4);
    second.committed = first.committed;
    assert_int_equal(world_write(&first, 5, 6), VK_SUCCESS);
    shim_reset((Shim){.pragma = "synchronous", .pfnPragma = open_one, .user = &second});
    errno = 0;
    assert_int_equal(world_commit(&first), MUR_ERROR_FILE);
    assert_int_equal(errno, EBUSY);
    assert_true(world_is(&second, &first.committed));
    murCloseDatabase(first.database);
    world_save(&second, 7, 8);
    world_close(&second);
}

static void commit_one(void *user) {
    world_save(user, 11, 12);
}

/* A commit between the steps of a second writer's opening is unknown to the second writer, which
 * would overwrite it. Therefore the second writer must fail to open. */
WORLD_TEST(second_writer_that_missed_a_commit_does_not_open) {
    World first = world_create(), second = {0};
    assert_int_equal(unlink(LOCK), 0);
    shim_reset((Shim){.pragma = "journal_mode", .pfnPragma = commit_one, .user = &first});
    errno = 0;
    assert_int_equal(world_try(&second, 0), MUR_ERROR_FILE);
    assert_int_equal(errno, EBUSY);
    assert_non_null(strstr(second.said, "another writer has changed it"));
    assert_int_equal(first.committed.pages[11], 12);
    world_save(&first, 13, 14); /* the first writer continues */
    world_close(&first);
    world_open(&first);
    world_close(&first);
}

static void create_one(void *user) {
    assert_int_equal(unlink(LOCK), 0);
    World *world = user;
    *world = world_create();
    world_save(world, 1, 2);
    world_close(world);
}

WORLD_TEST(second_creator_without_the_lock_removes_nothing) {
    World first = {0}, second = {0};
    const MurDatabaseInfo info = world_info(&second);
    shim_reset((Shim){.pragma = "page_size", .pfnPragma = create_one, .user = &first});
    assert_int_not_equal(murCreateDatabase(&info, &second.database), VK_SUCCESS);
    world_open(&first);
    world_close(&first);
}

WORLD_TEST(rejected_creation_leaves_no_file) {
    World world = world_create(), second = {0};
    assert_int_equal(unlink(PATH), 0);
    const MurDatabaseInfo info = world_info(&second);
    errno = 0;
    assert_int_equal(murCreateDatabase(&info, &second.database), MUR_ERROR_FILE);
    assert_int_equal(errno, EBUSY);
    assert_int_equal(access(PATH, F_OK), -1);
    murCloseDatabase(world.database);
}

/* After a failed flush, closing must not copy the log, parts of which the disk may have lost. */
WORLD_TEST(failed_flush_ends_the_writer) {
    World world;
    open_with_commits(&world);
    assert_int_equal(world_write(&world, 5, 6), VK_SUCCESS);
    shim_reset((Shim){.counted = SHIM_SYNC, .failFrom = 1, .failCount = 1});
    assert_int_equal(world_commit(&world), MUR_ERROR_FILE);
    shim_reset((Shim){.counted = SHIM_WRITE | SHIM_SYNC});
    expect_end(&world, EIO, "may not have reached the disk");
    murCloseDatabase(world.database);
    assert_int_equal(shim.calls, 0);
    shim_reset((Shim){0});
}

/* ---- Renamed and removed files --------------------------------------------------------------- */

static const char *const suffixes[] = {"", "-wal", "-shm"};

static void name_of(char *text, const char *name, const char *suffix) {
    (void)snprintf(text, 32, "%s%s", name, suffix);
}

WORLD_TEST(renamed_file_ends_the_writer) {
    for (size_t i = 0; i < 6; ++i) {
        World world;
        char name[32];
        open_with_commits(&world);
        name_of(name, PATH, suffixes[i / 2]);
        assert_int_equal(rename(name, "away"), 0);
        if (i % 2) { /* another file gets the name */
            assert_int_equal(fclose(fopen(name, "w")), 0);
        }
        errno = 0;
        assert_int_equal(world_write(&world, 5, 6), MUR_ERROR_FILE);
        assert_int_equal(errno, ENOENT);
        expect_end(&world, ENOENT, "was removed or renamed");
        assert_int_equal(rename("away", name), 0); /* this writer stays ended */
        expect_end(&world, ENOENT, "was removed or renamed");
        world_close(&world);
        world_open(&world);
        world_save(&world, 7, 8);
        world_close(&world);
        assert_int_equal(unlink(PATH), 0);
    }
}

/* The file is removed after the last write, before the commit. */
WORLD_TEST(removed_file_ends_the_commit) {
    World world;
    open_with_commits(&world);
    write_to_the_end(&world);
    assert_int_equal(unlink(PATH), 0);
    expect_end(&world, ENOENT, "was removed or renamed");
    murCloseDatabase(world.database);
    errno = 0;
    assert_int_equal(world_try(&world, 0), MUR_ERROR_FILE);
    assert_int_equal(errno, ENOENT);
    world = world_create(); /* the log of the removed file has no effect */
    world_save(&world, 9, 10);
    world_close(&world);
    world_open(&world);
    world_close(&world);
}

/* The database and its files are renamed, and the name of its log belongs to another file. */
WORLD_TEST(closing_a_renamed_database_touches_no_other_file) {
    World world;
    open_with_commits(&world);
    for (size_t i = 0; i < 3; ++i) {
        char from[32], to[32];
        name_of(from, PATH, suffixes[i]);
        name_of(to, "new.db", suffixes[i]);
        assert_int_equal(rename(from, to), 0);
    }
    FILE *file = fopen("world.db-wal", "w");
    assert_non_null(file);
    assert_true(fputs("somebody's", file) >= 0);
    assert_int_equal(fclose(file), 0);
    world_close(&world);
    assert_int_equal(access("world.db-wal", F_OK), 0);
    MurDatabaseInfo info = world_info(&world);
    info.pPath = "new.db";
    assert_int_equal(murOpenDatabase(&info, &world.database), VK_SUCCESS);
    world.file = murGetDatabaseFile(world.database);
    world_close(&world);
}
