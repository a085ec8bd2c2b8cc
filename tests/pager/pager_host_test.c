/* Pagers whose host memory is a cache of the file: pages are replaced only if the file has them.
 * Therefore the engine must begin checkpoints.
 * SPDX-License-Identifier: MIT */
#include "run.h"

#include <kernels/push.h>

#include <errno.h>
#include <string.h>

enum { PAGES = RUN_DISK_PAGES, POOL = 3, HOST = 9, LIMIT = (HOST - POOL) / 2 };

/* A case with three chunks of host pages, not ten. */
#define HOST_CASE(name) \
    RUN_CASE(name, .poolPageCount = POOL, .hostPageCount = HOST, .chunkPages = 4)

/* Runs frames with this visit and I/O, at most `frames`. Returns whether the page was found. */
static bool visit(Run *run, uint32_t page, uint32_t verb, uint32_t frames) {
    const uint32_t hits = run->hits;
    const VisitItem item = {page, verb, 5, page + run->hits, 255};
    while (run->hits == hits && frames-- != 0) {
        run_one(run, item);
        (void)run_pump(run, 1000);
    }
    return run->hits != hits;
}

HOST_CASE(more_pages_than_host_memory_are_visited) {
    assert_int_equal(run->pages.needs.chunkCount, 3);
    for (uint32_t round = 0; round < 2; ++round) {
        run_visit_all(run, false);
        pages_check(&run->pages);
    }
    assert_true(disk->reads >= 2 * (PAGES - HOST)); /* pages were replaced, and read again */
    assert_false(run_status(run).needsCheckpoint);
    assert_int_equal(disk->writes, 0);
}

/* Changes pages until they fill all host pages. Returns the first page that must wait for one. */
static uint32_t fill_with_changes(Run *run) {
    uint32_t page = 0;
    while (visit(run, page, VISIT_STORE, 12)) {
        const MurPagerStatus status = run_status(run);
        assert_true(status.changedPages <= page + 1);
        assert_int_equal(status.needsCheckpoint, status.changedPages >= LIMIT);
        assert_true(++page < PAGES);
    }
    assert_true(page >= HOST - POOL && page <= HOST);
    return page;
}

HOST_CASE(changed_pages_wait_for_a_checkpoint) {
    const uint32_t page = fill_with_changes(run);
    const MurPagerStatus full = run_status(run);
    assert_true(full.needsCheckpoint);
    assert_int_equal(full.waiting + full.arrived, 0); /* the request waits for a host page */
    pages_check(&run->pages);
    assert_true(visit(run, page - 1, VISIT_SUM, 1)); /* resident pages remain usable */
    run_frame(run, NULL, 0, true);
    assert_false(run_status(run).needsCheckpoint); /* a checkpoint is in progress */
    run_settle(run);
    run_require_saved(run);
    assert_false(run_status(run).needsCheckpoint);
    assert_int_equal(run_status(run).changedPages, 0);
    assert_true(visit(run, page, VISIT_STORE, 12));
    run_visit_all(run, false);
}

HOST_CASE(failed_checkpoint_keeps_changed_pages_in_host_memory) {
    const uint32_t page = fill_with_changes(run);
    for (uint32_t i = 0; i < 3; ++i) {
        disk->failWrite = i == 2 ? 0 : disk->writes + 1 + 2 * i;
        disk->failCommit = i == 2 ? disk->commits + 1 : 0;
        run_save(run);
        const MurPagerStatus status = run_status(run);
        assert_int_equal(status.failures, i + 1);
        assert_int_equal(status.systemError, i == 2 ? EIO : ENOSPC);
        assert_true(status.needsCheckpoint); /* a further checkpoint is needed */
        assert_false(visit(run, page, VISIT_STORE, 6));
        pages_check(&run->pages);
    }
    disk->failCommit = 0;
    run_save(run);
    run_require_saved(run);
    run_visit_all(run, false);
}

HOST_CASE(failed_read_returns_its_host_page) {
    for (uint32_t i = 1; i <= 2 * HOST; ++i) { /* more often than there are host pages */
        disk->failRead = i;
        assert_false(visit(run, 20, VISIT_SUM, 2));
        assert_int_equal(run_status(run).failures, i);
        run_frame(run, NULL, 0, false);
        run_drain(run);
        pages_check(&run->pages);
    }
    run_visit_all(run, false);
    assert_int_equal(run_status(run).failures, 2 * HOST);
}

/* Requests pages in one frame each. The host does not read them yet. */
static void request(Run *run, uint32_t first, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i) {
        const VisitItem item = {first + i, VISIT_SUM, 5, 0, 255};
        run_one(run, item);
    }
}

HOST_CASE(pages_that_the_host_reads_keep_their_host_pages) {
    request(run, 0, 2 * HOST);
    pages_check(&run->pages);
    for (uint32_t page = 0; page < HOST; ++page) {
        assert_true(visit(run, page, VISIT_SUM, 12));
    }
    run_visit_all(run, false);
}

HOST_CASE(pages_of_a_checkpoint_keep_their_host_pages) {
    for (uint32_t page = 0; page < LIMIT + POOL; ++page) { /* POOL visits evict changed pages */
        assert_true(visit(run, page, page < LIMIT ? VISIT_STORE : VISIT_SUM, 12));
    }
    run_frame(run, NULL, 0, true);
    run_drain(run);
    request(run, 20, 2 * HOST);
    pages_check(&run->pages);
    run_settle(run);
    run_require_saved(run);
    run_visit_all(run, false);
}

HOST_CASE(damaged_page_occupies_no_host_page) {
    disk->damaged = 5;
    assert_false(visit(run, 5, VISIT_SUM, 6));
    assert_int_equal(run_status(run).failures, 1); /* read once, though requested twice */
    assert_int_equal(run_status(run).lastFailure, MUR_ERROR_CORRUPT);
    assert_int_equal(pages_host(&run->pages)[MUR_HOST_FREE], HOST);
    assert_true(visit(run, 6, VISIT_SUM, 6));
}

/* Pages that are requested in a frame's first update, and again in its second, are read once. */
HOST_CASE(two_updates_in_a_frame_read_a_page_once) {
    run->twice = true;
    const VisitItem items[] = {{7, VISIT_SUM, 0, 0, 3}, {8, VISIT_SUM, 0, 0, 9}};
    for (uint32_t i = 0; i < 3; ++i) {
        run_frame(run, items, 2, false);
        run_drain(run);
    }
    assert_int_equal(run_status(run).waiting, 2);
    assert_true(visit(run, 7, VISIT_SUM, 4));
    assert_true(visit(run, 8, VISIT_SUM, 4));
    assert_int_equal(disk->reads, 2);
}

GPU_TEST(wrong_sizes_are_rejected) {
    Disk disk;
    disk_make(&disk, PAGES);
    MurPageFile file = disk_file(&disk);
    MurPagerCreateInfo info = {.pageCount = PAGES,
                               .pageSize = DISK_PAGE,
                               .poolPageCount = POOL,
                               .framesInFlight = 1,
                               .hostPageCount = HOST};
    MurPager pager;
    gpu_refused(gpu, murCreatePager(gpu->context, &info, &pager),
                "hostPageCount is 9 and there is no file, expected 0 or at least pageCount, which "
                "is 40");
    info.pFile = &file;
    file.pageSize = 2 * DISK_PAGE;
    gpu_refused(gpu, murCreatePager(gpu->context, &info, &pager),
                "pFile->pageSize is 8192, expected 4096");
    file.pageSize = DISK_PAGE;
    info.hostPageCount = POOL;
    gpu_refused(gpu, murCreatePager(gpu->context, &info, &pager), "hostPageCount is 3, expected 4");
    info.hostPageCount = HOST;
    gpu_require(murCreatePager(gpu->context, &info, &pager));
    assert_null(murGetPagerStorePage(pager, 0)); /* invalid before the first commands */
    gpu_refused(gpu, murCmdClearPager(gpu->cmd, pager, MUR_PAGES_IN_STORE),
                "content is MUR_PAGES_IN_STORE, expected another one, because hostPageCount is 9");
    murDestroyPager(pager);
    info.pFile = NULL;
    info.hostPageCount = PAGES + 1; /* more host pages than pages */
    gpu_require(murCreatePager(gpu->context, &info, &pager));
    assert_non_null(murGetPagerStorePage(pager, PAGES - 1));
    murDestroyPager(pager);
    disk_free(&disk);
}
