/* Tests of killed processes and power losses, at any file call of SQLite.
 * SPDX-License-Identifier: MIT */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include "shim.h"
#include "support/seed.h"
#include "world.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { COMMITS = 6 };

/* The progress of a writing process, in memory that the test shares with it. */
typedef struct Progress {
    uint32_t created, began, ended;
    uint32_t steps[COMMITS + 1][2]; /* shim_steps() at the begin and the end of each commit */
} Progress;

/* Applies the changes of a commit to the model's versions. Some pages become zeros. */
static void change(Versions *versions, uint32_t commit) {
    for (uint32_t i = 0; i < 4; ++i) {
        versions->pages[(commit * 17 + i * 11) % PAGES] = i == 3 ? 0 : commit;
    }
    versions->blob = commit % 3 ? commit : versions->blob;
}

/* Writes all commits. If atLength is true, commit 2 has more writes than fit into one transaction
 * of SQLite. */
static void live(volatile Progress *progress, bool atLength) {
    World world = world_create();
    progress->created = 1;
    for (uint32_t commit = 1; commit <= COMMITS; ++commit) {
        const Versions before = world.next;
        Versions next = before;
        change(&next, commit);
        VkResult result = VK_SUCCESS;
        for (uint32_t i = 0; i < 1100 && atLength && commit == 2; ++i) { /* replaced below */
            result = world_write(&world, (commit * 17 + i % 3 * 11) % PAGES, 1000 + i);
        }
        for (uint32_t page = 0; page < PAGES && result == VK_SUCCESS; ++page) {
            if (next.pages[page] != before.pages[page]) {
                result = world_write(&world, page, next.pages[page]);
            }
        }
        if (result == VK_SUCCESS && next.blob != before.blob) {
            result = world_write_blob(&world, next.blob);
        }
        progress->began = commit;
        progress->steps[commit][0] = shim_steps();
        result = result == VK_SUCCESS ? world_commit(&world) : result;
        if (result != VK_SUCCESS) {
            _exit(3);
        }
        progress->ended = commit;
        progress->steps[commit][1] = shim_steps();
        if (commit == COMMITS / 2) { /* closes and reopens the database once */
            world_close(&world);
            world_open(&world);
        }
    }
    world_close(&world);
}

/* Checks that the database is writable and has the state after a commit from first to last. */
static void check_left(bool created, uint64_t first, uint64_t last) {
    World world = {0};
    const VkResult result = world_try(&world, 0);
    if (result == MUR_ERROR_FILE && errno == ENOENT) {
        assert_false(created);
        world = world_create();
    } else if (result != VK_SUCCESS) {
        fail_msg("%s", world.said);
    }
    world_check_rows();
    MurDatabaseStatus status;
    murGetDatabaseStatus(world.database, &status);
    assert_in_range(status.commits, first, last);
    for (uint32_t commit = 1; commit <= status.commits; ++commit) {
        change(&world.next, commit);
    }
    assert_true(world_is(&world, &world.next));
    world_save(&world, 5, 9);
    world_close(&world);
    world_check_file();
}

WORLD_TEST(process_killed_at_any_call_leaves_a_commit) {
    Progress *progress = mmap(NULL, sizeof *progress, PROT_READ | PROT_WRITE,
                              MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    assert_true(progress != MAP_FAILED);
    uint32_t call = 1;
    for (bool killed = true; killed; call += test_full() ? 1 : call < 200 ? 4 : 37) {
        *progress = (Progress){0};
        (void)unlink(PATH);
        (void)unlink("world.db-wal");
        (void)unlink("world.db-journal");
        const pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0) {
            shim_reset((Shim){.counted = SHIM_WRITE | SHIM_SYNC, .kill = call});
            live(progress, true);
            _exit(0);
        }
        int status;
        assert_int_equal(waitpid(child, &status, 0), child);
        killed = WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
        assert_true(killed || (WIFEXITED(status) && WEXITSTATUS(status) == 0));
        check_left(progress->created, progress->ended, progress->began);
    }
    assert_true(call > COMMITS * 15);
    assert_int_equal(munmap(progress, sizeof *progress), 0);
}

WORLD_TEST(power_loss_at_any_call_leaves_a_commit) {
    Progress progress = {0};
    Random random = {test_seed(3)};
    shim_reset((Shim){.remembers = true});
    live(&progress, false);
    shim.remembers = false;
    const uint32_t steps = shim_steps(), stride = test_full() ? 1 : 4;
    assert_int_equal(mkdir("after", 0700), 0);
    assert_true(steps > COMMITS * 20);
    for (uint32_t step = 1; step <= steps; step += stride) {
        shim_crash("after", step, &random);
        assert_int_equal(chdir("after"), 0);
        uint32_t first = 0, last = 0;
        for (uint32_t commit = 1; commit <= COMMITS; ++commit) {
            first = step >= progress.steps[commit][1] ? commit : first;
            last = step > progress.steps[commit][0] ? commit : last;
        }
        check_left(first > 0, first, last);
        assert_int_equal(chdir(".."), 0);
    }
    assert_int_equal(chdir("after"), 0);
    (void)unlink("world.db-lock");
    (void)unlink("world.db-wal");
    (void)unlink(PATH);
    assert_int_equal(chdir(".."), 0);
    shim_reset((Shim){0});
}
