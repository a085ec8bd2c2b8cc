/* Files of the system: processes that are killed, other processes, limits, threads.
 *
 * SPDX-License-Identifier: MIT */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include "killed.h"
#include "page_file_test.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PAGES = 300, COMMITS = 4 };

static const char PATH[] = "world.pages";
static char folder[] = "/tmp/mur-pages-XXXXXX";

static int enter_folder(void **state) {
    strcpy(folder + strlen(folder) - 6, "XXXXXX");
    return mkdtemp(folder) && chdir(folder) == 0 ? 0 : -1;
}

static int leave_folder(void **state) {
    char name[32];
    (void)unlink(PATH);
    for (int i = 0; i < 100; ++i) { /* of processes that were killed before the file had its name */
        (void)snprintf(name, sizeof name, "%s.%d.tmp", PATH, i);
        (void)unlink(name);
    }
    return chdir("/") == 0 && rmdir(folder) == 0 ? 0 : -1;
}

static MurPageFileInfo info_of(uint32_t count) {
    return (MurPageFileInfo){.pPath = PATH, .pageSize = PAGE, .pageCount = count};
}

/* ---- Killed at any call ---------------------------------------------------------------------- */

/* What the child has done; shared with it. */
typedef struct Progress {
    uint32_t created, began, ended;
} Progress;

static uint32_t page_of(uint32_t commit, uint32_t i) {
    return (commit * 97 + i * 140) % PAGES;
}

static void live(volatile Progress *progress, uint32_t calls) {
    const MurPageFileInfo info = info_of(PAGES);
    MurPageFile file;
    killed_after(calls);
    if (murCreatePageFile(&info, &file) != VK_SUCCESS) {
        _exit(2);
    }
    progress->created = 1;
    for (uint32_t commit = 1; commit <= COMMITS; ++commit) {
        uint8_t bytes[PAGE];
        for (uint32_t i = 0; i < 3; ++i) {
            pages_fill(bytes, page_of(commit, i), commit);
            if (file.pfnWrite(file.pUserData, page_of(commit, i), bytes) != VK_SUCCESS) {
                _exit(3);
            }
        }
        progress->began = commit;
        if (file.pfnCommit(file.pUserData) != VK_SUCCESS) {
            _exit(4);
        }
        progress->ended = commit;
    }
    _exit(0);
}

static void check_left(const volatile Progress *progress) {
    const MurPageFileInfo info = info_of(PAGES);
    MurPageFile file;
    const VkResult result = murOpenPageFile(&info, &file);
    if (result == MUR_ERROR_FILE && errno == ENOENT) {
        assert_false(progress->created);
        return;
    }
    assert_int_equal(result, VK_SUCCESS);
    MurPageFileStatus status;
    murGetPageFileStatus(&file, &status);
    assert_in_range(status.commits, progress->ended, progress->began);
    uint32_t versions[PAGES] = {0};
    for (uint32_t commit = 1; commit <= status.commits; ++commit) {
        for (uint32_t i = 0; i < 3; ++i) {
            versions[page_of(commit, i)] = commit;
        }
    }
    pages_assert(&file, PAGES, versions);
    assert_int_equal(pages_write(&file, 5, 9), VK_SUCCESS);
    assert_int_equal(file.pfnCommit(file.pUserData), VK_SUCCESS);
    murClosePageFile(&file);
}

static void a_process_may_be_killed_at_any_call(void **state) {
    Progress *progress = mmap(NULL, sizeof *progress, PROT_READ | PROT_WRITE,
                              MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    assert_true(progress != MAP_FAILED);
    uint32_t kills = 0;
    for (bool killed = true; killed; kills += killed) {
        *progress = (Progress){0};
        (void)unlink(PATH);
        const pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0) {
            live(progress, kills);
        }
        int status;
        assert_int_equal(waitpid(child, &status, 0), child);
        killed = WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
        assert_true(killed || (WIFEXITED(status) && WEXITSTATUS(status) == 0));
        check_left(progress);
    }
    print_message("killed %u times\n", kills);
    assert_true(kills > COMMITS * 8);
    assert_int_equal(munmap(progress, sizeof *progress), 0);
}

/* ---- Others ---------------------------------------------------------------------------------- */

static void another_process_cannot_open_it(void **state) {
    const MurPageFileInfo info = info_of(PAGES);
    MurPageFile file;
    assert_int_equal(murCreatePageFile(&info, &file), VK_SUCCESS);
    for (int open = 1; open >= 0; --open) {
        const pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0) {
            MurPageFile other;
            const VkResult result = murOpenPageFile(&info, &other);
            const bool refused = result == MUR_ERROR_FILE && (errno == EACCES || errno == EAGAIN);
            _exit(result == VK_SUCCESS ? 0 : refused ? 1 : 2);
        }
        int status;
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_true(WIFEXITED(status));
        assert_int_equal(WEXITSTATUS(status), open);
        murClosePageFile(&file);
    }
}

static void files_that_cannot_be_are_errors(void **state) {
    MurPageFileInfo info = info_of(PAGES);
    MurPageFile file = {.pUserData = &info};
    errno = 0;
    assert_int_equal(murOpenPageFile(&info, &file), MUR_ERROR_FILE);
    assert_int_equal(errno, ENOENT);
    assert_int_equal(murReadPageFileInfo(&info), MUR_ERROR_FILE);
    info.pPath = "missing/world.pages";
    errno = 0;
    assert_int_equal(murCreatePageFile(&info, &file), MUR_ERROR_FILE);
    assert_int_equal(errno, ENOENT);
    assert_ptr_equal(file.pUserData, &info);
    info.pPath = PATH;
    assert_int_equal(murCreatePageFile(&info, &file), VK_SUCCESS);
    assert_int_equal(pages_write(&file, 3, 4), VK_SUCCESS);
    assert_int_equal(file.pfnCommit(file.pUserData), VK_SUCCESS);
    murClosePageFile(&file);
    assert_null(file.pUserData);
    murClosePageFile(&file);
    murClosePageFile(NULL);
    errno = 0;
    assert_int_equal(murCreatePageFile(&info, &file), MUR_ERROR_FILE);
    assert_int_equal(errno, EEXIST);
    MurPageFileInfo found = {.pPath = PATH};
    assert_int_equal(murReadPageFileInfo(&found), VK_SUCCESS);
    assert_int_equal(found.pageSize, PAGE);
    assert_int_equal(found.pageCount, PAGES);
    assert_int_equal(murOpenPageFile(&found, &file), VK_SUCCESS);
    uint32_t version;
    assert_int_equal(pages_read(&file, 3, &version), VK_SUCCESS);
    assert_int_equal(version, 4);
    assert_int_equal(pages_write(&file, PAGES, 1), MUR_ERROR_INVALID_ARGUMENT);
    assert_int_equal(pages_read(&file, PAGES, &version), MUR_ERROR_INVALID_ARGUMENT);
    murClosePageFile(&file);
}

static void wrong_arguments_are_refused(void **state) {
    const MurFileBytes bytes = {0};
    const MurPageFileInfo wrong[] = {
        {.pageSize = PAGE, .pageCount = 1},
        {.pPath = PATH, .pBytes = &bytes, .pageSize = PAGE, .pageCount = 1},
        {.pPath = PATH, .pageSize = 0, .pageCount = 1},
        {.pPath = PATH, .pageSize = 2048, .pageCount = 1},
        {.pPath = PATH, .pageSize = PAGE + 16, .pageCount = 1},
        {.pPath = PATH, .pageSize = 1 << 21, .pageCount = 1},
        {.pPath = PATH, .pageSize = PAGE, .pageCount = 0},
    };
    MurPageFile file;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; ++i) {
        assert_int_equal(murCreatePageFile(&wrong[i], &file), MUR_ERROR_INVALID_ARGUMENT);
        assert_int_equal(murOpenPageFile(&wrong[i], &file), MUR_ERROR_INVALID_ARGUMENT);
    }
    const MurPageFileInfo right = info_of(1);
    assert_int_equal(murCreatePageFile(NULL, &file), MUR_ERROR_INVALID_ARGUMENT);
    assert_int_equal(murOpenPageFile(&right, NULL), MUR_ERROR_INVALID_ARGUMENT);
    assert_int_equal(murReadPageFileInfo(NULL), MUR_ERROR_INVALID_ARGUMENT);
    assert_int_equal(access(PATH, F_OK), -1);
}

/* A full disk: a limit on the size of files. */
static void a_limit_of_the_system_is_told(void **state) {
    const MurPageFileInfo info = info_of(PAGES);
    MurPageFile file;
    assert_int_equal(murCreatePageFile(&info, &file), VK_SUCCESS);
    assert_int_equal(pages_write(&file, 0, 1), VK_SUCCESS);
    assert_int_equal(file.pfnCommit(file.pUserData), VK_SUCCESS);
    (void)signal(SIGXFSZ, SIG_IGN);
    struct rlimit before;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    struct rlimit limit = before;
    limit.rlim_cur = 6 * PAGE + 100; /* part of a page fits */
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
    VkResult results[3];
    results[0] = pages_write(&file, 1, 1);
    errno = 0;
    results[1] = pages_write(&file, 2, 1);
    const int error = errno;
    results[2] = file.pfnCommit(file.pUserData);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    assert_int_equal(results[0], VK_SUCCESS);
    assert_int_equal(results[1], MUR_ERROR_FILE);
    assert_int_equal(error, EFBIG);
    assert_int_equal(results[2], MUR_ERROR_FILE);
    murClosePageFile(&file);
    assert_int_equal(murOpenPageFile(&info, &file), VK_SUCCESS);
    uint32_t versions[PAGES] = {1};
    pages_assert(&file, PAGES, versions);
    murClosePageFile(&file);
}

/* ---- Threads --------------------------------------------------------------------------------- */

enum { READ_PAGES = 20 };

typedef struct Readers {
    const MurPageFile *file;
    atomic_bool done;
    atomic_uint wrong;
} Readers;

static void *read_on(void *user) {
    Readers *readers = user;
    uint8_t bytes[PAGE], expected[PAGE];
    do {
        for (uint32_t page = 0; page < READ_PAGES; ++page) {
            pages_fill(expected, page, 1);
            const VkResult result = readers->file->pfnRead(readers->file->pUserData, page, bytes);
            readers->wrong += result != VK_SUCCESS || memcmp(bytes, expected, PAGE) != 0;
        }
    } while (!readers->done);
    return NULL;
}

static void pages_are_read_beside_writes_of_others(void **state) {
    const MurPageFileInfo info = info_of(PAGES);
    MurPageFile file;
    assert_int_equal(murCreatePageFile(&info, &file), VK_SUCCESS);
    for (uint32_t page = 0; page < READ_PAGES; ++page) {
        assert_int_equal(pages_write(&file, page, 1), VK_SUCCESS);
    }
    assert_int_equal(file.pfnCommit(file.pUserData), VK_SUCCESS);
    Readers readers = {.file = &file};
    pthread_t threads[2];
    for (int i = 0; i < 2; ++i) {
        assert_int_equal(pthread_create(&threads[i], NULL, read_on, &readers), 0);
    }
    for (uint32_t commit = 0; commit < 20; ++commit) {
        for (uint32_t page = READ_PAGES; page < READ_PAGES + 10; ++page) {
            assert_int_equal(pages_write(&file, page, commit), VK_SUCCESS);
        }
        assert_int_equal(file.pfnCommit(file.pUserData), VK_SUCCESS);
    }
    readers.done = true;
    for (int i = 0; i < 2; ++i) {
        assert_int_equal(pthread_join(threads[i], NULL), 0);
    }
    assert_int_equal(readers.wrong, 0);
    murClosePageFile(&file);
}

#define system_test(function) cmocka_unit_test_setup_teardown(function, enter_folder, leave_folder)

TEST_GROUP(system_tests, "page files: the system", NULL, NULL,
           system_test(a_process_may_be_killed_at_any_call),
           system_test(another_process_cannot_open_it),
           system_test(files_that_cannot_be_are_errors), system_test(wrong_arguments_are_refused),
           system_test(a_limit_of_the_system_is_told),
           system_test(pages_are_read_beside_writes_of_others))
