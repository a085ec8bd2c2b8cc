/* Pagers with a file: pages are loaded on request, checkpoints are complete, failures are reported.
 * SPDX-License-Identifier: MIT */
#include "run.h"

#include <errno.h>
#include <string.h>

enum { PAGES = RUN_DISK_PAGES };

static VisitItem load_of(uint32_t page) {
    return (VisitItem){.page = page, .verb = VISIT_SUM};
}

static VisitItem store_of(uint32_t page, uint32_t value) {
    return (VisitItem){.page = page, .verb = VISIT_STORE, .word = 5, .value = value};
}

RUN_CASE(page_arrives_in_the_frame_after_its_read, .poolPageCount = 4) {
    run_one(run, load_of(7));
    assert_int_equal(run_pump(run, 10), VK_SUCCESS);
    assert_int_equal(disk->reads, 0); /* the host has not read the request yet */
    run_one(run, load_of(8));         /* frame 1 is completed first */
    assert_int_equal(run_status(run).waiting, 1);
    assert_int_equal(run_pump(run, 10), VK_SUCCESS);
    assert_int_equal(disk->reads, 1);
    assert_int_equal(run_status(run).arrived, 1);
    assert_int_equal(run->hits, 0);
    run_frame(run, NULL, 0, false); /* loads page 7 without a new request */
    run_one(run, load_of(7));
    assert_int_equal(run->hits, 1);
    assert_int_equal(run_status(run).read, 1);
    run_visit_all(run, false);
    assert_int_equal(disk->reads, PAGES);
    run_visit_all(run, false);
    assert_int_equal(disk->reads, PAGES); /* pages came from host memory, not from the file */
    assert_int_equal(disk->writes + disk->commits, 0);
}

RUN_CASE(the_last_frame_and_the_highest_priority_are_read_first, .poolPageCount = PAGES,
         .framesInFlight = 1, .maxFilePages = 4) {
    VisitItem items[3] = {load_of(1), load_of(2), load_of(3)};
    items[1].priority = 9;
    run_frame(run, items, 3, false);
    items[0].page = 11; /* these visits request pages 2 and 3 again, in reverse order */
    items[1].priority = 1;
    items[2].priority = 200;
    run_frame(run, items, 3, false);
    run_frame(run, NULL, 0, false);
    /* The last frame requested pages 3, 2 and 11. Page 1 was requested only by the frame before. */
    static const uint32_t order[] = {3, 2, 11, 1};
    for (uint32_t i = 0; i < 4; ++i) {
        assert_int_equal(run_status(run).waiting, 4 - i);
        disk->damaged = order[i];
        assert_int_equal(run_pump(run, 1), MUR_ERROR_CORRUPT);
        assert_int_equal(run_status(run).failedPage, order[i]);
        disk->damaged = MUR_NO_PAGE;
    }
}

/* Called while a thread reads the only requested page. A second thread then has nothing to read. */
static void read_beside(void *user) {
    Run *run = user;
    uint32_t moved;
    run_one(run, load_of(9));
    run_one(run, load_of(9));
    assert_int_equal(run_status(run).waiting, 1);
    assert_int_equal(murProcessPagerIo(run->pages.pager, 1, &moved), VK_SUCCESS);
    assert_int_equal(moved, 0);
}

RUN_CASE(reads_are_limited_per_frame, .poolPageCount = 4, .maxFilePages = 1) {
    run_one(run, load_of(7));
    run_one(run, load_of(7));
    disk->user = run;
    disk->pfnReading = read_beside;
    assert_int_equal(run_pump(run, 1), VK_SUCCESS);
    assert_int_equal(run_status(run).arrived, 1);
    run_visit_all(run, false);
}

RUN_CASE(failed_read_is_reported_and_repeated, .poolPageCount = 4) {
    uint32_t moved;
    for (uint32_t i = 1; i <= 3; ++i) {
        disk->failRead = i;
        run_one(run, load_of(5));
        run_one(run, load_of(5));
        assert_int_equal(murProcessPagerIo(run->pages.pager, 10, &moved), MUR_ERROR_FILE);
        assert_int_equal(moved, 0);
        const MurPagerStatus status = run_status(run);
        assert_int_equal(status.failures, i);
        assert_int_equal(status.lastFailure, MUR_ERROR_FILE);
        assert_int_equal(status.systemError, EIO);
        assert_int_equal(status.failedPage, 5);
    }
    assert_int_equal(run->hits, 0); /* a failed read must not produce a page of zeros */
    run_visit_all(run, false);
    assert_int_equal(run_status(run).failures, 3);
}

RUN_CASE(damaged_page_is_read_once, .poolPageCount = 4) {
    disk->damaged = 5;
    for (uint32_t i = 0; i < 6; ++i) {
        const VisitItem items[] = {load_of(5), load_of(6)};
        uint32_t moved;
        run_frame(run, items, 2, false);
        run_drain(run);
        const VkResult result = murProcessPagerIo(run->pages.pager, 10, &moved);
        assert_int_equal(result, i == 1 ? MUR_ERROR_CORRUPT : VK_SUCCESS);
        assert_int_equal(moved, i == 1);
    }
    const MurPagerStatus status = run_status(run);
    assert_int_equal(status.failures, 1);
    assert_int_equal(status.lastFailure, MUR_ERROR_CORRUPT);
    assert_int_equal(status.failedPage, 5);
    assert_int_equal(status.waiting, 0);
    assert_int_equal(status.read, 1);
    assert_true(run->hits >= 2 && run->misses >= 6); /* finds of page 6 hit, of page 5 miss */
}

/* Stores to the pages in every frame until every page contains the value. */
static void store_all(Run *run, uint32_t first, uint32_t count, uint32_t value) {
    for (uint32_t page = first; page < first + count; ++page) {
        const uint32_t hits = run->hits;
        for (uint32_t i = 0; run->hits == hits; ++i) {
            assert_true(i < 60);
            run_one(run, store_of(page, value + page));
            (void)run_pump(run, 1000);
        }
    }
}

/* Two pages compete for the only pool page. One is read from the file, the other from the store. */
RUN_CASE(page_arrives_with_the_priority_of_its_request, .poolPageCount = 1) {
    VisitItem arrives = load_of(6), stored = load_of(4);
    arrives.priority = 200;
    stored.priority = 9;
    store_all(run, 4, 2, 1);
    run_one(run, arrives);
    run_frame(run, NULL, 0, false);
    assert_int_equal(run_pump(run, 10), VK_SUCCESS);
    assert_int_equal(run_status(run).arrived, 1);
    run_one(run, stored);
    const uint32_t hits = run->hits;
    run_one(run, arrives);
    assert_int_equal(run->hits, hits + 1);
}

/* If a frame has two updates, requests that were recorded before the first one are kept. */
RUN_CASE(two_updates_in_a_frame_equal_one, .poolPageCount = 4) {
    run->twice = true;
    run_one(run, load_of(7));
    run_one(run, load_of(8));
    assert_int_equal(run_status(run).waiting, 1);
    run_visit_all(run, false);
    store_all(run, 5, 3, 40);
    run_save(run);
    run_require_saved(run);
}

/* If a call of a checkpoint fails, the checkpoint is discarded, and the file keeps the previous
 * checkpoint. The next checkpoint is complete. */
GPU_TEST(failed_checkpoint_keeps_the_previous_one) {
    enum { CHANGED = 5 };
    for (uint32_t call = 1; call <= CHANGED + 1; ++call) {
        static Run run;
        static uint8_t before[DISK_PAGE * PAGES];
        Disk disk;
        run_open_disk(&run, gpu, &disk, (MurPagerCreateInfo){.poolPageCount = 3});
        memcpy(before, disk.committed, sizeof before);
        store_all(&run, 10, CHANGED, 100);
        disk.failWrite = call <= CHANGED ? call : 0;
        disk.failCommit = call > CHANGED ? 1 : 0;
        run_save(&run);
        MurPagerStatus status = run_status(&run);
        assert_int_equal(status.checkpoint, 0);
        assert_int_equal(status.failures, 1);
        assert_int_equal(status.lastFailure, MUR_ERROR_FILE);
        assert_int_equal(status.systemError, call <= CHANGED ? ENOSPC : EIO);
        assert_int_equal(status.failedPage, call <= CHANGED ? 9 + call : MUR_NO_PAGE);
        assert_memory_equal(disk.committed, before, sizeof before);
        run_visit_all(&run, false);
        store_all(&run, 12, 1, 200);
        run_save(&run);
        status = run_status(&run);
        assert_int_equal(status.failures, 1);
        run_require_saved(&run);
        disk.writes = 0;
        run_save(&run); /* no page has changed since the last checkpoint */
        assert_int_equal(disk.writes, 0);
        run_close_disk(&run, &disk);
    }
}

/* The file calls this while a thread writes or commits: murProcessPagerIo must write nothing. */
typedef struct SecondWriter {
    MurPager pager;
    uint32_t calls, wrong;
} SecondWriter;

static void write_beside(void *user) {
    SecondWriter *writer = user;
    MurPagerStatus before, after;
    uint32_t moved;
    murGetPagerStatus(writer->pager, &before);
    const VkResult result = murProcessPagerIo(writer->pager, 10, &moved);
    murGetPagerStatus(writer->pager, &after);
    ++writer->calls;
    writer->wrong += result != VK_SUCCESS || moved != 0 ||
                     after.checkpointUnderWay != before.checkpointUnderWay;
}

RUN_CASE(one_thread_at_a_time_writes_a_checkpoint, .poolPageCount = 4) {
    SecondWriter writer = {.pager = run->pages.pager};
    store_all(run, 5, 3, 900);
    disk->user = &writer;
    disk->pfnWriting = write_beside;
    run_save(run);
    assert_int_equal(writer.wrong, 0);
    assert_int_equal(writer.calls, 3 + 1); /* 3 page writes and the commit */
    assert_int_equal(disk->writes, 3);
    assert_int_equal(disk->commits, 1);
    run_require_saved(run);
}

/* If an engine ignores the pager's flags, the checkpoint is discarded. The next one is complete. */
RUN_CASE(unrecorded_checkpoint_is_discarded, .poolPageCount = 3) {
    store_all(run, 0, 2, 500);
    run->forgetful = true;
    run_frame(run, NULL, 0, true);
    assert_int_equal(run_status(run).checkpointUnderWay, run->frame);
    run->forgetful = false;
    run_settle(run);
    assert_int_equal(run_status(run).checkpoint, 0);
    assert_int_equal(disk->writes + disk->commits, 0);
    run_save(run);
    run_require_saved(run);
}

RUN_CASE(draining_writes_all_pages, .poolPageCount = 3, .framesInFlight = 2) {
    assert_refused(murDrainPagerIo(run->pages.pager)); /* an error, because no frame has begun */
    store_all(run, 4, 6, 700);
    assert_refused(murDrainPagerIo(run->pages.pager));
    run_frame(run, NULL, 0, true);
    run_frame(run, NULL, 0, true); /* this frame begins no checkpoint, because one is active */
    run_drain(run);
    assert_refused(murDrainPagerIo(run->pages.pager));
    assert_int_equal(disk->commits, 0);
    run_settle(run);
    const VisitItem item = store_of(9, 3); /* resident; the visit also requests a page */
    run_frame(run, (VisitItem[]){item, load_of(20)}, 2, true);
    run_drain(run);
    disk->failWrite = disk->writes + 1;
    const VkResult expected = run->hits ? MUR_ERROR_FILE : VK_SUCCESS;
    assert_int_equal(murDrainPagerIo(run->pages.pager), expected);
    run_settle(run);
    run_frame(run, NULL, 0, true);
    run_drain(run);
    assert_int_equal(murDrainPagerIo(run->pages.pager), VK_SUCCESS);
    assert_int_equal(run_status(run).checkpoint, run->frame);
    run_require_saved(run);
    const uint32_t calls = disk->writes + disk->commits;
    assert_int_equal(murDrainPagerIo(run->pages.pager), VK_SUCCESS); /* nothing changes */
    assert_int_equal(disk->writes + disk->commits, calls);
    assert_refused(murDrainPagerIo(NULL));
    run_visit_all(run, false); /* frames can continue afterwards */
}

RUN_CASE(wrong_frame_numbers_are_rejected, .poolPageCount = 4,
         .framesInFlight = 2) { /* called before the first frame */
    MurPagerUpdateFlags flags = 77;
    const MurPagerFrame wrong[] = {{.frame = 0},
                                   {.frame = 3},
                                   {.frame = 2, .completedFrame = 2},
                                   {.frame = 9, .completedFrame = 6},
                                   {.pNext = &flags, .frame = 1}};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; ++i) {
        assert_refused(murBeginPagerFrame(run->pages.pager, &wrong[i], &flags));
    }
    const MurPagerFrame right = {.frame = 1};
    assert_refused(murBeginPagerFrame(NULL, &right, &flags));
    assert_refused(murBeginPagerFrame(run->pages.pager, NULL, &flags));
    assert_refused(murBeginPagerFrame(run->pages.pager, &right, NULL));
    assert_int_equal(flags, 77);
    assert_int_equal(murBeginPagerFrame(run->pages.pager, &right, &flags), VK_SUCCESS);
    assert_refused(murBeginPagerFrame(run->pages.pager, &right, &flags));
    assert_refused(murProcessPagerIo(NULL, 1, NULL));
    assert_int_equal(murProcessPagerIo(run->pages.pager, 1, NULL), VK_SUCCESS);
    MurPagerStatus status = {.read = 5};
    murGetPagerStatus(NULL, &status);
    assert_int_equal(status.read, 0);
}

GPU_TEST(pager_without_a_file_rejects_file_calls) {
    const MurPageFile half = {0};
    MurPagerCreateInfo info = {
        .pageCount = 4, .pageSize = 4096, .poolPageCount = 2, .framesInFlight = 1, .pFile = &half};
    MurPager pager;
    MurPagerUpdateFlags flags;
    gpu_refused(gpu, murCreatePager(gpu->context, &info, &pager), "murCreatePager");
    info.pFile = NULL;
    gpu_require(murCreatePager(gpu->context, &info, &pager));
    gpu_refused(gpu, murBeginPagerFrame(pager, &(MurPagerFrame){.frame = 1}, &flags),
                "murBeginPagerFrame: pager has no file");
    gpu_refused(gpu, murProcessPagerIo(pager, 1, NULL), "murProcessPagerIo: pager has no file");
    gpu_refused(gpu, murDrainPagerIo(pager), "murDrainPagerIo: pager has no file");
    murDestroyPager(pager);
}
