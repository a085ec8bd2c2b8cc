/* Loss of power after any call, with any of what was not flushed there, left out or half there.
 *
 * SPDX-License-Identifier: MIT */
#include "page_file_test.h"

#include <string.h>

enum { PAGES = 300, COMMITS = 6, MAX_LOOSE = 5 };

/* Which pages each commit writes: few, some of them twice, in one node of the map and in two. */
static const uint32_t SCRIPT[COMMITS][2] = {{0, 1}, {1, 299}, {0, 0}, {2, 1}, {1, 1}, {299, 0}};

typedef struct Run {
    Fake fake;
    uint32_t firstCall;                  /* before it the file was made */
    uint32_t states[COMMITS + 1][PAGES]; /* versions after each commit */
    uint32_t began[COMMITS + 1];         /* the call with which each commit began */
    uint32_t ended[COMMITS + 1];
} Run;

static void run_script(Run *run) {
    memset(run, 0, sizeof *run);
    fake_make(&run->fake);
    MurPageFile file = pages_create(&run->fake, PAGES);
    run->firstCall = run->fake.callCount;
    for (uint32_t commit = 1; commit <= COMMITS; ++commit) {
        uint32_t *state = run->states[commit];
        memcpy(state, run->states[commit - 1], sizeof run->states[0]);
        for (uint32_t i = 0; i < 2; ++i) {
            const uint32_t page = SCRIPT[commit - 1][i];
            state[page] = 10 * commit + i;
            assert_int_equal(pages_write(&file, page, state[page]), VK_SUCCESS);
        }
        run->began[commit] = run->fake.callCount;
        assert_int_equal(file.pfnCommit(file.pUserData), VK_SUCCESS);
        run->ended[commit] = run->fake.callCount;
    }
    pages_assert(&file, PAGES, run->states[COMMITS]);
    murClosePageFile(&file);
}

/* Writes that are not there for certain; their fates are the digits of a number. */
typedef struct Fates {
    uint32_t writes[MAX_LOOSE];
    uint32_t count;
    uint32_t number;
} Fates;

static uint32_t note_loose(void *user, uint32_t write) {
    Fates *fates = user;
    assert_true(fates->count < MAX_LOOSE);
    fates->writes[fates->count++] = write;
    return LEFT_OUT;
}

static uint32_t pick(void *user, uint32_t write) {
    const Fates *fates = user;
    uint32_t number = fates->number;
    for (uint32_t i = 0; fates->writes[i] != write; ++i) {
        number /= FATES;
    }
    return number % FATES;
}

/* What is there is the state that the file says it is: the last commit that returned, or the one
 * under way; and it can be used. */
static void check_image(const Run *run, uint32_t calls, Fake *image) {
    MurPageFile file = pages_open(image, PAGES);
    MurPageFileStatus status;
    murGetPageFileStatus(&file, &status);
    assert_true(status.commits <= COMMITS);
    assert_true(run->began[status.commits] <= calls);
    assert_true(status.commits == COMMITS || run->ended[status.commits + 1] > calls);
    pages_assert(&file, PAGES, run->states[status.commits]);
    if (calls % 3 == 0) {
        assert_int_equal(pages_write(&file, 299, 77), VK_SUCCESS);
        assert_int_equal(file.pfnCommit(file.pUserData), VK_SUCCESS);
        murClosePageFile(&file);
        file = pages_open(image, PAGES);
        uint32_t state[PAGES];
        memcpy(state, run->states[status.commits], sizeof state);
        state[299] = 77;
        pages_assert(&file, PAGES, state);
    }
    murClosePageFile(&file);
}

static uint32_t check_crashes(const Run *run, uint32_t calls) {
    Fake image;
    Fates fates = {0};
    fake_crash(&run->fake, calls, note_loose, &fates, &image);
    fake_free(&image);
    uint32_t ways = 1;
    for (uint32_t i = 0; i < fates.count; ++i) {
        ways *= FATES;
    }
    for (fates.number = 0; fates.number < ways; ++fates.number) {
        fake_crash(&run->fake, calls, pick, &fates, &image);
        check_image(run, calls, &image);
        fake_free(&image);
    }
    return ways;
}

static void any_crash_leaves_a_whole_commit(void **state) {
    static Run run;
    run_script(&run);
    uint32_t crashes = 0;
    for (uint32_t calls = run.firstCall; calls <= run.fake.callCount; ++calls) {
        crashes += check_crashes(&run, calls);
    }
    print_message("%u crashes\n", crashes);
    assert_true(crashes > 1000);
    fake_free(&run.fake);
}

static uint32_t lose_superblocks(void *user, uint32_t write) {
    const Fake *fake = user;
    return fake->calls[write].offset < 2 * PAGE ? LEFT_OUT : WHOLE;
}

/* A process is killed before it has flushed its superblock; the next one finds it in the system's
 * memory, and overwrites what the commit before had; then the power goes. */
static void a_commit_that_a_killed_process_left_is_flushed_first(void **state) {
    static Run run;
    run_script(&run);
    MurPageFile file = pages_open(&run.fake, PAGES);
    /* What the last commit's superblock needs, a page, two nodes, sync, superblock; not: sync. */
    run.fake.failFrom = run.fake.made + 7;
    run.fake.failCount = 1;
    assert_int_equal(pages_write(&file, 0, 1), VK_SUCCESS);
    assert_int_equal(file.pfnCommit(file.pUserData), MUR_ERROR_FILE);
    assert_int_equal(run.fake.made, run.fake.failFrom + 1);
    murClosePageFile(&file);
    uint32_t *versions = run.states[COMMITS];
    versions[0] = 1;
    file = pages_open(&run.fake, PAGES);
    pages_assert(&file, PAGES, versions);
    for (uint32_t page = 1; page < 8; ++page) {
        assert_int_equal(pages_write(&file, page, 2), VK_SUCCESS);
    }
    murClosePageFile(&file);
    Fake image;
    fake_crash(&run.fake, run.fake.callCount, lose_superblocks, &run.fake, &image);
    file = pages_open(&image, PAGES);
    pages_assert(&file, PAGES, versions);
    murClosePageFile(&file);
    fake_free(&image);
    fake_free(&run.fake);
}

TEST_GROUP(crash_tests, "page files: crashes", NULL, NULL,
           cmocka_unit_test(any_crash_leaves_a_whole_commit),
           cmocka_unit_test(a_commit_that_a_killed_process_left_is_flushed_first))
