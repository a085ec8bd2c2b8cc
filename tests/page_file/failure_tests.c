/* Calls that fail, each of them, in each way; and full disks.
 *
 * SPDX-License-Identifier: MIT */
#include "page_file_test.h"

#include <errno.h>
#include <string.h>

enum { PAGES = 300, COMMITS = 3, WRITES = 2, TRIES = 3 };

typedef struct Run {
    Fake fake;
    MurPageFile file;
    uint32_t now[PAGES];
    uint32_t committed[PAGES];
    uint32_t tried[PAGES]; /* what a commit that failed would have made it */
    bool hasTried;
} Run;

static uint32_t whole(void *user, uint32_t write) {
    (void)user;
    (void)write;
    return WHOLE;
}

static uint32_t left_out(void *user, uint32_t write) {
    (void)user;
    (void)write;
    return LEFT_OUT;
}

static uint32_t every_other(void *user, uint32_t write) {
    (void)user;
    return (write % 2) != 0 ? WHOLE : LEFT_OUT;
}

/* A loss of power now leaves the last commit, or the one that failed. */
static void check_disk(const Run *run) {
    const FakeFate fates[] = {whole, left_out, every_other};
    for (size_t i = 0; i < sizeof fates / sizeof fates[0]; ++i) {
        Fake image;
        uint32_t found[PAGES];
        fake_crash(&run->fake, run->fake.callCount, fates[i], NULL, &image);
        MurPageFile file = pages_open(&image, PAGES);
        pages_versions(&file, PAGES, found);
        assert_true(memcmp(found, run->committed, sizeof found) == 0 ||
                    (run->hasTried && memcmp(found, run->tried, sizeof found) == 0));
        murClosePageFile(&file);
        fake_free(&image);
    }
}

static void write_page(Run *run, uint32_t page, uint32_t version) {
    for (int i = 0; pages_write(&run->file, page, version) != VK_SUCCESS; ++i) {
        assert_int_equal(errno, EIO);
        assert_true(i < TRIES);
        uint32_t found;
        assert_int_equal(pages_read(&run->file, page, &found), VK_SUCCESS);
        assert_int_equal(found, run->now[page]);
    }
    run->now[page] = version;
}

/* As the contract says: what has changed since the last commit is written again. */
static void commit(Run *run) {
    for (int i = 0; run->file.pfnCommit(run->file.pUserData) != VK_SUCCESS; ++i) {
        assert_int_equal(errno, EIO);
        assert_true(i < TRIES);
        memcpy(run->tried, run->now, sizeof run->now);
        run->hasTried = true;
        check_disk(run);
        uint32_t found[PAGES];
        pages_versions(&run->file, PAGES, found);
        assert_true(memcmp(found, run->now, sizeof found) == 0 ||
                    memcmp(found, run->committed, sizeof found) == 0);
        for (uint32_t page = 0; page < PAGES; ++page) {
            if (run->now[page] != run->committed[page]) {
                const uint32_t version = run->now[page];
                run->now[page] = found[page];
                write_page(run, page, version);
            }
        }
    }
    memcpy(run->committed, run->now, sizeof run->now);
    run->hasTried = false;
    check_disk(run);
}

static void play(Run *run) {
    for (uint32_t i = 1; i <= COMMITS; ++i) {
        for (uint32_t write = 0; write < WRITES; ++write) {
            write_page(run, (i * 149 + write) % PAGES, 10 * i + write);
        }
        write_page(run, 7, i);
        commit(run);
    }
}

/* calls: that fail in a row. */
static bool play_with_failure(uint32_t failFrom, uint32_t calls, FakeFailure failure) {
    Run run = {0};
    fake_make(&run.fake);
    run.file = pages_create(&run.fake, PAGES);
    run.fake.failFrom = run.fake.made + failFrom;
    run.fake.failCount = calls;
    run.fake.failure = failure;
    play(&run);
    const bool failed = run.fake.failed != 0;
    run.fake.failCount = 0; /* reads do not */
    pages_assert(&run.file, PAGES, run.committed);
    murClosePageFile(&run.file);
    run.file = pages_open(&run.fake, PAGES);
    pages_assert(&run.file, PAGES, run.committed);
    murClosePageFile(&run.file);
    fake_free(&run.fake);
    return failed;
}

static void any_write_or_flush_may_fail(void **state) {
    for (int failure = FAKE_NOTHING; failure <= FAKE_HALF; ++failure) {
        uint32_t call = 0;
        while (play_with_failure(call, 1, (FakeFailure)failure)) {
            ++call;
        }
        assert_true(call > COMMITS * (WRITES + 1 + 2 + 3)); /* pages, nodes, the rest */
    }
}

/* Whoever does not write again after a commit that failed loses that, and reads so: a commit that
 * succeeds never leaves behind what only looks written. */
static void a_commit_after_one_that_failed_holds_what_is_read(void **state) {
    bool failed = true;
    for (uint32_t call = 0; failed; ++call) {
        Run run = {0};
        fake_make(&run.fake);
        run.file = pages_create(&run.fake, PAGES);
        write_page(&run, 0, 1);
        write_page(&run, PAGES - 1, 1);
        run.fake.failFrom = run.fake.made + call;
        run.fake.failCount = 1;
        run.fake.failure = FAKE_HALF;
        failed = run.file.pfnCommit(run.file.pUserData) != VK_SUCCESS;
        run.fake.failCount = 0;
        assert_int_equal(run.file.pfnCommit(run.file.pUserData), VK_SUCCESS);
        pages_versions(&run.file, PAGES, run.committed);
        check_disk(&run);
        murClosePageFile(&run.file);
        fake_free(&run.fake);
    }
}

static void a_file_that_cannot_be_read_is_not_opened(void **state) {
    Fake fake;
    fake_make(&fake);
    MurPageFile file = pages_create(&fake, PAGES);
    assert_int_equal(pages_write(&file, 1, 1), VK_SUCCESS);
    assert_int_equal(file.pfnCommit(file.pUserData), VK_SUCCESS);
    fake.failFrom = fake.made;
    fake.failCount = 1;
    uint32_t version;
    errno = 0;
    assert_int_equal(pages_read(&file, 1, &version), MUR_ERROR_FILE);
    assert_int_equal(errno, EIO);
    assert_int_equal(pages_read(&file, 1, &version), VK_SUCCESS);
    murClosePageFile(&file);
    for (uint32_t call = 0; call < 3; ++call) { /* superblocks, two nodes */
        fake.failFrom = fake.made + call;
        MurPageFile none = {.pUserData = &fake};
        errno = 0;
        assert_int_equal(pages_try_open(&fake, PAGES, &none), MUR_ERROR_FILE);
        assert_int_equal(errno, EIO);
        assert_ptr_equal(none.pUserData, &fake);
    }
    file = pages_open(&fake, PAGES);
    assert_int_equal(pages_read(&file, 1, &version), VK_SUCCESS);
    assert_int_equal(version, 1);
    murClosePageFile(&file);
    fake_free(&fake);
}

/* No room for more: errors say so, nothing is lost, and room that comes back is used. */
static void a_full_disk_is_told_and_changes_nothing(void **state) {
    Fake fake;
    fake_make(&fake);
    MurPageFile file = pages_create(&fake, PAGES);
    uint32_t versions[PAGES] = {0};
    for (uint32_t page = 0; page < 20; ++page) {
        versions[page] = 1;
        assert_int_equal(pages_write(&file, page, 1), VK_SUCCESS);
    }
    assert_int_equal(file.pfnCommit(file.pUserData), VK_SUCCESS);
    for (uint32_t room = 0; room < 24; ++room) { /* 20 pages and 2 nodes fit, or fewer */
        fake.limit = (2 + 22 + room) * PAGE;
        uint32_t now[PAGES];
        memcpy(now, versions, sizeof now);
        bool full = false;
        for (uint32_t page = 0; page < 20; ++page) {
            errno = 0;
            const VkResult result = pages_write(&file, page, 2 + room);
            assert_true(result == VK_SUCCESS || (result == MUR_ERROR_FILE && errno == ENOSPC));
            now[page] = result == VK_SUCCESS ? 2 + room : now[page];
            full = full || result != VK_SUCCESS;
        }
        pages_assert(&file, PAGES, now);
        errno = 0;
        const VkResult result = file.pfnCommit(file.pUserData);
        full = full || result != VK_SUCCESS;
        assert_true(result == VK_SUCCESS || (result == MUR_ERROR_FILE && errno == ENOSPC));
        memcpy(versions, result == VK_SUCCESS ? now : versions, sizeof versions);
        pages_assert(&file, PAGES, versions);
        assert_int_equal(full, room < 22);
        murClosePageFile(&file);
        file = pages_open(&fake, PAGES);
        pages_assert(&file, PAGES, versions);
    }
    assert_int_equal(versions[19], 2 + 23);
    murClosePageFile(&file);
    fake_free(&fake);
}

TEST_GROUP(failure_tests, "page files: failures", NULL, NULL,
           cmocka_unit_test(any_write_or_flush_may_fail),
           cmocka_unit_test(a_commit_after_one_that_failed_holds_what_is_read),
           cmocka_unit_test(a_file_that_cannot_be_read_is_not_opened),
           cmocka_unit_test(a_full_disk_is_told_and_changes_nothing))
