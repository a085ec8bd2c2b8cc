/* A process with a paged table and pending writes is killed between two calls of its checkpoints. A
 * new process continues from the last committed checkpoint. Both processes run this program,
 * because a process with a device must not fork.
 *
 * SPDX-License-Identifier: MIT */
#define _DEFAULT_SOURCE
#include "paged.h"

#include "database/shim.h"

#include <murmuration/database.h>

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PAGES = 40, PAGE = 4096, KEYS = 600, CHECKPOINTS = 4, STEP = 11 };

static const char FILE_PATH[] = "table.db", PROGRESS_PATH[] = "progress";
static const MurDatabaseInfo info = {.pPath = FILE_PATH, .pageSize = PAGE, .pageCount = PAGES};

static PagedOptions options_of(const MurPageFile *file, bool reopens) {
    return (PagedOptions){
        .info = {.emptyValue = MUR_EMPTY_VALUE_ZERO,
                 .partitionShift = 12,
                 .maxPending = 900,
                 .maxLeaves = 64},
        .pageCount = PAGES,
        .pageSize = PAGE,
        .poolPageCount = 2,
        .framesInFlight = 1,
        .keyCount = KEYS,
        .partitionKeys = 200,
        .file = file,
        .reopens = reopens,
    };
}

/* Returns whether the key's value increases before this checkpoint. A second application of one
 * write would give a wrong sum. */
static bool changes(uint32_t checkpoint, uint32_t key) {
    return (key * 7 + checkpoint) % 3 == 0;
}

static void add_all(Paged *paged, uint32_t checkpoint) {
    for (uint32_t i = 0; i < KEYS; ++i) {
        if (changes(checkpoint, i)) {
            paged_add(paged, i, MUR_MODE_ADD, 1u << checkpoint);
        }
    }
    paged_run(paged);
}

/* ---- The process that is killed ------------------------------------------------------------- */

static int live(uint32_t calls) {
    Gpu gpu;
    MurDatabase database;
    MurPagerStatus status;
    gpu_open(&gpu);
    const int progress = open(PROGRESS_PATH, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    shim_install();
    shim_reset((Shim){.counted = SHIM_WRITE | SHIM_SYNC, .kill = calls});
    gpu_require(murCreateDatabase(&info, &database));
    const MurPageFile file = murGetDatabaseFile(database);
    const PagedOptions options = options_of(&file, false);
    Paged paged = paged_open(&gpu, &options);
    for (uint32_t checkpoint = 1; checkpoint <= CHECKPOINTS; ++checkpoint) {
        add_all(&paged, checkpoint);
        assert_int_equal(paged.refused, 0);
        assert_true(paged.pending != 0);
        paged.checkpoint = true;
        do { /* updates apply and store writes during the checkpoint */
            paged_page(&paged, 1);
            murGetPagerStatus(paged.pager, &status);
        } while (paged.checkpoint || status.checkpointUnderWay != 0);
        assert_int_equal(write(progress, "c", 1), 1); /* reports the committed checkpoint */
    }
    paged_close(&paged);
    murCloseDatabase(database);
    gpu_close(&gpu);
    return 0;
}

/* ---- The process that continues ------------------------------------------------------------ */

static int look(void) {
    MurDatabase database;
    const VkResult result = murOpenDatabase(&info, &database);
    if (result == MUR_ERROR_FILE && errno == ENOENT) {
        return 0; /* killed before the first checkpoint */
    }
    gpu_require(result);
    MurDatabaseStatus status;
    murGetDatabaseStatus(database, &status);
    struct stat progress;
    assert_int_equal(stat(PROGRESS_PATH, &progress), 0);
    assert_in_range(status.commits, progress.st_size, progress.st_size + 1);
    if (status.commits != 0) {
        Gpu gpu;
        gpu_open(&gpu);
        const MurPageFile file = murGetDatabaseFile(database);
        const PagedOptions options = options_of(&file, true);
        Paged paged = paged_open(&gpu, &options);
        for (uint32_t i = 0; i < KEYS; ++i) {
            for (uint32_t checkpoint = 1; checkpoint <= status.commits; ++checkpoint) {
                paged.keys[i].value += changes(checkpoint, i) ? 1u << checkpoint : 0;
            }
            paged.keys[i].present = paged.keys[i].value != 0;
        }
        paged.adopts = true; /* the counts of writes before the process was killed are unknown */
        paged_page(&paged, 0);
        assert_true(paged.pending != 0);
        paged_drain(&paged);
        paged_check_finds(&paged);
        paged_close(&paged);
        gpu_close(&gpu);
    }
    murCloseDatabase(database);
    return 0;
}

/* ---- The test, which starts both ------------------------------------------------------------ */

/* Runs a task in a process that is killed at this call. Returns false if it ended earlier. */
static bool killed_again(const char *task, uint32_t calls) {
    char number[16];
    (void)snprintf(number, sizeof number, "%u", calls);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        (void)setenv("MUR_TEST_NO_VALIDATION", "1", 1);
        (void)unsetenv("MUR_TEST_CASE");
        (void)execl("/proc/self/exe", "again", task, number, (char *)NULL);
        _exit(3);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    const bool killed = WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
    assert_true(killed || (WIFEXITED(status) && WEXITSTATUS(status) == 0));
    return killed;
}

static void remove_files(void) {
    static const char *const ends[] = {"", "-lock", "-wal", "-shm", "-journal"};
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; ++i) {
        char path[32];
        (void)snprintf(path, sizeof path, "%s%s", FILE_PATH, ends[i]);
        (void)unlink(path);
    }
    (void)unlink(PROGRESS_PATH);
}

PLAIN_TEST(killed_process_leaves_a_whole_table) {
    char folder[] = "/tmp/mur-paged-XXXXXX";
    assert_true(mkdtemp(folder) && chdir(folder) == 0);
    uint32_t kills = 0;
    for (bool killed = true; killed; kills += killed) {
        remove_files();
        killed = killed_again("live", STEP * kills + 1);
        assert_false(killed_again("look", 0));
    }
    assert_true(STEP * kills > 10 * CHECKPOINTS);
    remove_files();
    assert_true(chdir("/") == 0 && rmdir(folder) == 0);
}

int main(int argc, char **argv) {
    if (argc == 3) {
        return strcmp(argv[1], "live") == 0 ? live((uint32_t)strtoul(argv[2], NULL, 10)) : look();
    }
    return cases_run();
}
