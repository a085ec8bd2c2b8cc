/* Tests of databases with several processes, locks, paths, limits and threads.
 * SPDX-License-Identifier: MIT */
#define _DEFAULT_SOURCE
#include "shim.h"
#include "world.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- Only one writer ------------------------------------------------------------------------- */

/* Runs a task in another process, which starts this program again. Returns its exit status. */
static int elsewhere(const char *task) {
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        (void)execl("/proc/self/exe", "again", task, (char *)NULL);
        _exit(255);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

/* Opens or creates a database. Returns errno, or 0 if the call succeeded. */
static int try_to(VkResult (*verb)(const MurDatabaseInfo *, MurDatabase *), const char *path,
                  MurDatabaseFlags flags, char *said) {
    World world = {0};
    MurDatabaseInfo info = world_info(&world);
    info.pPath = path;
    info.flags = flags;
    errno = 0;
    const VkResult result = verb(&info, &world.database);
    const int error = errno;
    murCloseDatabase(result == VK_SUCCESS ? world.database : NULL);
    if (said) {
        (void)snprintf(said, sizeof world.said, "%s", world.said);
    }
    return result == VK_SUCCESS ? 0 : error;
}

static int try_open(const char *path, MurDatabaseFlags flags) {
    return try_to(murOpenDatabase, path, flags, NULL);
}

static int try_create(const char *path) {
    return try_to(murCreateDatabase, path, 0, NULL);
}

static int open_to_write(void) {
    return try_open(PATH, 0);
}

static int open_to_read(void) {
    return try_open(PATH, MUR_DATABASE_READ_ONLY);
}

/* Opens and closes the database's files, as an engine may do. The file locks must remain. */
static void touch_all(void) {
    static const char *const names[] = {"world.db", "world.db-lock"};
    for (size_t i = 0; i < 2; ++i) {
        FILE *file = fopen(names[i], "rb");
        assert_non_null(file);
        (void)fgetc(file);
        assert_int_equal(fclose(file), 0);
    }
}

WORLD_TEST(there_is_one_writer) {
    World world = world_create();
    char said[512];
    for (int i = 0; i < 2; ++i) {
        assert_int_equal(try_to(murOpenDatabase, PATH, 0, said), EBUSY);
        assert_non_null(strstr(said, "somebody has it open for writing"));
        assert_int_equal(elsewhere("open_to_write"), EBUSY);
        assert_int_equal(open_to_read(), 0);
        assert_int_equal(elsewhere("open_to_read"), 0);
        touch_all();
    }
    world_save(&world, 1, 2);
    world_close(&world);
    assert_int_equal(elsewhere("open_to_write"), 0);
    world_open(&world);
    world_close(&world);
}

/* The child inherits all descriptors and outlives the database. */
WORLD_TEST(closed_database_opens_again_despite_a_forked_child) {
    World world = world_create();
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        for (;;) {
            (void)pause();
        }
    }
    world_close(&world);
    const int error = elsewhere("open_to_write");
    assert_int_equal(kill(child, SIGKILL), 0);
    assert_int_equal(waitpid(child, NULL, 0), child);
    assert_int_equal(error, 0);
}

/* Counts pages by a connection in another process. SQLite must not treat it as the last user of the
 * database, because the last user removes the log. */
static int read_alone(void) {
    return (int)world_ask("SELECT count(*) FROM pages");
}

WORLD_TEST(closing_a_reader_keeps_commits) {
    World world = world_create();
    for (uint32_t i = 0; i < 3; ++i) {
        world_save(&world, i, i + 5);
        touch_all();
        assert_int_equal(elsewhere("read_alone"), i + 1);
    }
    world_close(&world);
    world_open(&world);
    world_close(&world);
    world_check_file();
}

static int make_one(void) {
    World world = {0};
    const MurDatabaseInfo info = world_info(&world);
    errno = 0;
    if (murCreateDatabase(&info, &world.database) != VK_SUCCESS) {
        return errno == EEXIST || errno == EBUSY ? 1 : 2;
    }
    world.file = murGetDatabaseFile(world.database);
    const bool written = world_write(&world, 3, 4) == VK_SUCCESS &&
                         world_commit(&world) == VK_SUCCESS;
    murCloseDatabase(world.database);
    return written ? 0 : 3;
}

WORLD_TEST(two_concurrent_creations_create_one_database) {
    for (int i = 0; i < 20; ++i) {
        pid_t children[3];
        int made = 0;
        for (int j = 0; j < 3; ++j) {
            children[j] = fork();
            assert_true(children[j] >= 0);
            if (children[j] == 0) {
                _exit(make_one());
            }
        }
        for (int j = 0; j < 3; ++j) {
            int status;
            assert_int_equal(waitpid(children[j], &status, 0), children[j]);
            assert_true(WIFEXITED(status) && WEXITSTATUS(status) < 2);
            made += WEXITSTATUS(status) == 0;
        }
        assert_int_equal(made, 1);
        World world = {.committed.pages[3] = 4};
        world_open(&world);
        world_close(&world);
        assert_int_equal(unlink(PATH), 0);
    }
}

/* ---- Concurrent readers and backups ---------------------------------------------------------- */

static int back_up(void) {
    sqlite3 *from, *to;
    (void)sqlite3_open_v2(PATH, &from, SQLITE_OPEN_READONLY, NULL);
    (void)sqlite3_open_v2("copy.db", &to, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, NULL);
    sqlite3_backup *backup = sqlite3_backup_init(to, "main", from, "main");
    const int code = sqlite3_backup_step(backup, -1);
    (void)sqlite3_backup_finish(backup);
    (void)sqlite3_close(from);
    (void)sqlite3_close(to);
    return code == SQLITE_DONE ? 0 : 1;
}

WORLD_TEST(backup_contains_the_last_commit) {
    World world = world_create();
    assert_int_equal(world_write(&world, 1, 2), VK_SUCCESS);
    assert_int_equal(world_write_blob(&world, 5), VK_SUCCESS);
    assert_int_equal(world_commit(&world), VK_SUCCESS);
    const Versions saved = world.committed;
    /* Writes enough rows of the next commit that SQLite moves some to the file early. */
    for (uint32_t page = 0; page < PAGES; ++page) {
        static uint8_t blob[5 << 20];
        assert_int_equal(world_write(&world, page, 3), VK_SUCCESS);
        assert_int_equal(murWriteDatabaseBlob(world.database, blob, page % 20 ? 0 : sizeof blob),
                         VK_SUCCESS);
    }
    assert_int_equal(elsewhere("back_up"), 0);
    assert_int_equal(world_commit(&world), VK_SUCCESS);
    murCloseDatabase(world.database);
    assert_int_equal(rename("copy.db", PATH), 0);
    World copy = {.committed = saved};
    for (int i = 0; i < 2; ++i) {
        assert_int_equal(world_try(&copy, i ? 0 : MUR_DATABASE_READ_ONLY), VK_SUCCESS);
        world_close(&copy);
    }
    world_check_file();
}

WORLD_TEST(reader_reads_commits_and_writes_nothing) {
    World world = world_create(), reader = {0};
    MurDatabaseStatus status;
    assert_int_equal(world_try(&reader, MUR_DATABASE_READ_ONLY), VK_SUCCESS);
    murGetDatabaseStatus(reader.database, &status);
    assert_int_equal(status.pageSize, PAGE);
    assert_int_equal(status.pageCount, PAGES);
    for (uint32_t i = 1; i < 5; ++i) {
        assert_int_equal(world_write(&world, i, i), VK_SUCCESS);
        assert_true(world_is(&reader, &world.committed));
        assert_int_equal(world_commit(&world), VK_SUCCESS);
        assert_true(world_is(&reader, &world.committed));
    }
    errno = 0;
    assert_int_equal(world_write(&reader, 1, 1), MUR_ERROR_FILE);
    assert_int_equal(errno, EROFS);
    assert_int_equal(world_commit(&reader), MUR_ERROR_FILE);
    assert_int_equal(world_write_blob(&reader, 1), MUR_ERROR_FILE);
    world_close(&world);
    assert_true(world_is(&reader, &world.committed));
    murCloseDatabase(reader.database);
}

/* Returns the read version of SQLite's file format: 2 if reading needs a log. */
static int format_version(void) {
    size_t size;
    uint8_t *bytes = world_load(&size);
    const int version = bytes[19];
    free(bytes);
    return version;
}

WORLD_TEST(closed_database_is_one_file) {
    World world = world_create();
    assert_int_equal(format_version(), 2);
    world_save(&world, 1, 2);
    world_close(&world);
    assert_int_equal(format_version(), 1);
    assert_int_equal(access("world.db-wal", F_OK), -1);
    assert_int_equal(access("world.db-shm", F_OK), -1);
}

/* Opens the database as a user without write permission. Returns errno, or 0. */
static int read_without_rights(void) {
    if (geteuid() == 0 && (setgid(65534) != 0 || setuid(65534) != 0)) {
        return 200;
    }
    return open_to_write() == 0 ? 201 : open_to_read();
}

WORLD_TEST(read_only_files_can_be_read) {
    World world = world_create();
    world_save(&world, 1, 2);
    world_close(&world);
    assert_int_equal(unlink("world.db-lock"), 0);
    assert_int_equal(chmod(PATH, 0444), 0);
    for (int i = 0; i < 2; ++i) { /* first the file, then also the folder */
        assert_int_equal(chmod(".", i ? 0555 : 0777), 0);
        assert_int_equal(elsewhere("read_without_rights"), 0);
    }
    assert_int_equal(chmod(".", 0700), 0);
}

int system_task(const char *name) {
    static const struct {
        const char *name;
        int (*function)(void);
    } tasks[] = {{"open_to_write", open_to_write},
                 {"open_to_read", open_to_read},
                 {"read_alone", read_alone},
                 {"back_up", back_up},
                 {"read_without_rights", read_without_rights}};
    for (size_t i = 0; i < sizeof tasks / sizeof tasks[0]; ++i) {
        if (strcmp(tasks[i].name, name) == 0) {
            return tasks[i].function();
        }
    }
    return 254;
}

/* ---- Paths of databases ---------------------------------------------------------------------- */

WORLD_TEST(creation_replaces_no_file) {
    FILE *file = fopen("else.db", "w");
    assert_non_null(file);
    assert_true(fputs("somebody's", file) >= 0);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(try_create("else.db"), EEXIST);
    struct stat status;
    assert_int_equal(stat("else.db", &status), 0);
    assert_int_equal(status.st_size, 10);
    World world = world_create();
    world_save(&world, 1, 2);
    assert_int_equal(try_create(PATH), EEXIST);
    world_close(&world);
    assert_int_equal(try_create(PATH), EEXIST);
    world_open(&world);
    world_close(&world);
}

WORLD_TEST(paths_are_what_users_expect) {
    assert_int_equal(try_open(PATH, 0), ENOENT);
    assert_int_equal(try_open("no/world.db", 0), ENOENT);
    assert_int_equal(try_create("no/world.db"), ENOENT);
    assert_int_equal(mkdir("folder", 0700), 0);
    assert_int_equal(try_open("folder", 0), EISDIR);
    assert_int_equal(try_open("folder", MUR_DATABASE_READ_ONLY), EISDIR);
    assert_int_equal(try_create("folder"), EEXIST);
    assert_int_equal(mkfifo("pipe", 0600), 0);
    assert_int_equal(try_open("pipe", 0), EINVAL); /* an open of a pipe must not block */
    assert_int_equal(try_open("pipe", MUR_DATABASE_READ_ONLY), EINVAL);
    assert_int_equal(try_create("pipe"), EEXIST);
    assert_int_equal(try_create("pipe/world.db"), ENOTDIR);
    assert_int_equal(try_open("pipe/world.db", 0), ENOTDIR);
    assert_int_equal(symlink("loop", "loop"), 0);
    assert_int_equal(try_create("loop"), ELOOP);
    assert_int_equal(try_open("loop", 0), ELOOP);
    assert_int_equal(symlink("behind.db", "link"), 0);
    assert_int_equal(try_open("link", 0), ENOENT);
    assert_int_equal(try_create("link"), 0);
    assert_int_equal(try_open("behind.db", 0), 0);
    World world = world_create();
    assert_int_equal(symlink(PATH, "alias.db"), 0);
    assert_int_equal(try_open("alias.db", 0), EBUSY);
    assert_int_equal(try_open("./folder/../world.db", 0), EBUSY);
    world_close(&world);
    assert_int_equal(try_open("alias.db", 0), 0);
    assert_int_equal(access("alias.db-lock", F_OK), -1);
    /* A creator that is killed early leaves an empty file. */
    assert_int_equal(fclose(fopen("empty.db", "w")), 0);
    assert_int_equal(try_open("empty.db", 0), ENOENT);
    assert_int_equal(try_create("empty.db"), 0);
    assert_int_equal(try_open("empty.db", 0), 0);
    assert_int_equal(try_create("\xC3\xA4 %3f?#.db"), 0);
    assert_int_equal(try_open("\xC3\xA4 %3f?#.db", 0), 0);
}

WORLD_TEST(names_that_are_too_long_create_nothing) {
    char name[301];
    memset(name, 'n', sizeof name - 1);
    name[300] = 0; /* a name that is too long for the system */
    assert_int_equal(try_create(name), ENAMETOOLONG);
    name[252] = 0; /* with "-lock" too long for the system */
    assert_int_equal(try_create(name), ENAMETOOLONG);
    assert_int_equal(access(name, F_OK), -1);
    name[200] = 0;
    char path[700] = "";
    for (int i = 0; i < 3; ++i) { /* names that are too long for SQLite */
        strcat(strcat(path, name), i < 2 ? "/" : "");
        assert_int_equal(mkdir(path, 0700), 0);
    }
    strcat(path, "/world.db");
    assert_int_equal(try_create(path), ENAMETOOLONG);
    for (int i = 0; i < 3; ++i) {
        *strrchr(path, '/') = 0;
        assert_int_equal(rmdir(path), 0); /* the folder must be empty */
    }
}

WORLD_TEST(names_that_mean_no_file_are_rejected) {
    static const char *const names[] = {"", ":memory:"};
    for (size_t i = 0; i < 2; ++i) {
        World world = {0};
        MurDatabaseInfo info = world_info(&world);
        info.pPath = names[i];
        assert_refused(murCreateDatabase(&info, &world.database));
        assert_non_null(strstr(world.said, "expected the name of a file"));
        assert_refused(murOpenDatabase(&info, &world.database));
    }
    assert_int_equal(access("-lock", F_OK), -1);
    assert_int_equal(access(":memory:", F_OK), -1);
    assert_int_equal(access(":memory:-lock", F_OK), -1);
}

/* ---- Rejected arguments ---------------------------------------------------------------------- */

WORLD_TEST(wrong_arguments_are_rejected) {
    World world = {0};
    const MurDatabaseInfo right = world_info(&world);
    MurDatabaseInfo wrong[8];
    for (int i = 0; i < 8; ++i) {
        wrong[i] = right;
    }
    wrong[0].pPath = NULL;
    wrong[1].pageSize = 2048;
    wrong[2].pageSize = 4096 + 16;
    wrong[3].pageSize = 1 << 21;
    wrong[4].flags = 2;
    wrong[5].pNext = &world;
    wrong[6].pageCount = 0; /* an error only in murCreateDatabase */
    wrong[7].flags = MUR_DATABASE_READ_ONLY;
    for (int i = 0; i < 8; ++i) {
        assert_refused(murCreateDatabase(&wrong[i], &world.database));
        assert_true(i > 5 ||
                    murOpenDatabase(&wrong[i], &world.database) == MUR_ERROR_INVALID_ARGUMENT);
    }
    assert_refused(murCreateDatabase(NULL, &world.database));
    assert_refused(murOpenDatabase(&right, NULL));
    assert_int_equal(access(PATH, F_OK), -1);
    world = world_create();
    uint8_t bytes[PAGE] = {0};
    uint64_t size = 0;
    const MurPageFile *file = &world.file;
    assert_refused(file->pfnRead(file->pUserData, PAGES, bytes));
    assert_refused(file->pfnWrite(file->pUserData, PAGES, bytes));
    assert_refused(murWriteDatabaseBlob(NULL, bytes, 1));
    assert_refused(murWriteDatabaseBlob(world.database, NULL, 1));
    assert_refused(murWriteDatabaseBlob(world.database, bytes, MUR_MAX_DATABASE_BLOB + 1ull));
    assert_refused(murReadDatabaseBlob(NULL, &size, NULL));
    assert_refused(murReadDatabaseBlob(world.database, NULL, bytes));
    assert_int_equal(world_write_blob(&world, 1), VK_SUCCESS); /* the database still works */
    assert_int_equal(world_commit(&world), VK_SUCCESS);
    world_close(&world);
    MurDatabaseStatus status = {.commits = 5};
    murGetDatabaseStatus(NULL, &status);
    assert_int_equal(status.commits, 0);
    murCloseDatabase(NULL);
}

WORLD_TEST(sizes_of_the_file_are_required) {
    World world = world_create();
    assert_int_equal(world.file.pageSize, PAGE);
    world_close(&world);
    MurDatabaseInfo info = world_info(&world);
    info.pageSize = 2 * PAGE;
    assert_refused(murOpenDatabase(&info, &world.database));
    assert_non_null(strstr(world.said, "60 pages of 4096 bytes, not 60 of 8192"));
    info.pageSize = PAGE;
    info.pageCount = PAGES - 1;
    assert_refused(murOpenDatabase(&info, &world.database));
    assert_non_null(strstr(world.said, "60 pages of 4096 bytes, not 59 of 4096"));
}

WORLD_TEST(database_grows_by_pages) {
    World world = world_create();
    world_save(&world, 1, 2);
    world_close(&world);
    MurDatabaseInfo info = world_info(&world);
    uint8_t bytes[PAGE];
    static const uint32_t counts[] = {2 * PAGES, 0}; /* 0: the page count in the file */
    for (size_t i = 0; i < 2; ++i) {
        info.pageCount = counts[i];
        assert_int_equal(murOpenDatabase(&info, &world.database), VK_SUCCESS);
        world.file = murGetDatabaseFile(world.database);
        assert_int_equal(world.file.pfnRead(world.file.pUserData, 2 * PAGES - 1, bytes),
                         VK_SUCCESS);
        assert_refused(world.file.pfnRead(world.file.pUserData, 2 * PAGES, bytes));
        world_close(&world);
    }
}

/* ---- Full disks ------------------------------------------------------------------------------ */

/* Simulates a full disk by the system's limit on file sizes. */
WORLD_TEST(full_disk_is_reported) {
    World world = world_create();
    world_save(&world, 0, 1);
    (void)signal(SIGXFSZ, SIG_IGN);
    struct rlimit before;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    struct rlimit limit = before;
    limit.rlim_cur = 30 * PAGE + 100; /* only a part of a write fits */
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
    VkResult result = VK_SUCCESS;
    for (uint32_t page = 0; page < PAGES && result == VK_SUCCESS; ++page) {
        result = world_write(&world, page, 2);
    }
    errno = 0;
    result = result == VK_SUCCESS ? world_commit(&world) : result;
    const int error = errno;
    limit.rlim_cur = 100;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
    const int refused = try_create("small.db");
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    assert_true(refused != 0 && access("small.db", F_OK) != 0); /* the failed call leaves no file */
    assert_int_equal(result, MUR_ERROR_FILE);
    assert_true(error == EFBIG || error == EIO);
    assert_true(world_is(&world, &world.committed));
    for (uint32_t page = 0; page < PAGES; ++page) { /* the disk has free space again */
        assert_int_equal(world_write(&world, page, 3), VK_SUCCESS);
    }
    world.next.blob = 0;
    assert_int_equal(world_commit(&world), VK_SUCCESS);
    world_close(&world);
    world_check_file();
}

/* ---- Reads during commits -------------------------------------------------------------------- */

typedef struct Readers {
    World *world;
    atomic_bool done;
    atomic_uint wrong;
} Readers;

enum { FIXED = 20 };

static void *read_on(void *user) {
    Readers *readers = user;
    const MurPageFile *file = &readers->world->file;
    uint8_t bytes[PAGE], expected[PAGE];
    do {
        for (uint32_t page = 0; page < FIXED; ++page) {
            world_fill(expected, page, 1);
            const VkResult result = file->pfnRead(file->pUserData, page, bytes);
            readers->wrong += result != VK_SUCCESS || memcmp(bytes, expected, PAGE) != 0;
        }
    } while (!readers->done);
    return NULL;
}

enum { LARGE = 3 << 20 };

static void *read_blobs(void *user) {
    Readers *readers = user;
    uint8_t *bytes = test_allocate(LARGE);
    do {
        uint64_t size = LARGE;
        const VkResult result = murReadDatabaseBlob(readers->world->database, &size, bytes);
        readers->wrong += result != VK_SUCCESS || size != LARGE ||
                          memcmp(bytes, bytes + 1, LARGE - 1) != 0;
    } while (!readers->done);
    free(bytes);
    return NULL;
}

WORLD_TEST(pages_and_blobs_are_read_during_writes) {
    static void *(*const tasks[])(void *) = {read_on, read_on, read_blobs};
    World world = world_create();
    uint8_t *bytes = test_allocate(LARGE);
    Readers readers = {.world = &world};
    pthread_t threads[3];
    for (uint32_t version = 1; version < 60; ++version) {
        /* When SQLite replaces rows, it also moves rows of the FIXED pages, whose content stays. */
        for (uint32_t page = 0; page < PAGES; ++page) {
            assert_int_equal(world_write(&world, page, page < FIXED ? 1 : version), VK_SUCCESS);
        }
        memset(bytes, (int)version, LARGE);
        assert_int_equal(murWriteDatabaseBlob(world.database, bytes, LARGE), VK_SUCCESS);
        assert_int_equal(world_commit(&world), VK_SUCCESS);
        for (int i = 0; i < 3 && version == 1; ++i) {
            assert_int_equal(pthread_create(&threads[i], NULL, tasks[i], &readers), 0);
        }
    }
    readers.done = true;
    for (int i = 0; i < 3; ++i) {
        assert_int_equal(pthread_join(threads[i], NULL), 0);
    }
    assert_int_equal(readers.wrong, 0);
    murCloseDatabase(world.database);
    free(bytes);
}
