/* SPDX-License-Identifier: MIT */
#define _DEFAULT_SOURCE
#include "run.h"

#include <string.h>
#include <unistd.h>

enum { MOST_FRAMES = 5000 }; /* maximum number of frames until all requests must be complete */

static void *pump_on(void *user) {
    Run *run = user;
    Random random = {(uintptr_t)&random};
    while (!run->stop) {
        const uint32_t most = 1 + random_below(&random, 30);
        uint32_t moved;
        (void)murProcessPagerIo(run->pages.pager, most, &moved);
        if (moved > most) {
            run->wrong = true;
        }
        (void)usleep(moved ? 0 : random_below(&random, 2000));
    }
    return NULL;
}

void run_start_pumps(Run *run) {
    run->stop = false;
    for (; run->running < run->pumpCount; ++run->running) {
        assert_int_equal(pthread_create(&run->pumps[run->running], NULL, pump_on, run), 0);
    }
}

void run_stop_pumps(Run *run) {
    run->stop = true;
    for (; run->running != 0; --run->running) {
        (void)pthread_join(run->pumps[run->running - 1], NULL);
    }
}

VkResult run_pump(Run *run, uint32_t maxPages) {
    uint32_t moved;
    const VkResult result = murProcessPagerIo(run->pages.pager, maxPages, &moved);
    run_require(run, moved <= maxPages, "a pump moved too much");
    return result;
}

MurPagerStatus run_status(const Run *run) {
    MurPagerStatus status;
    murGetPagerStatus(run->pages.pager, &status);
    return status;
}

void run_require(Run *run, bool right, const char *wrong) {
    const bool changed = run->wrong || (run->disk && run->disk->changed);
    if (!right || changed) {
        run_stop_pumps(run);
        (void)vkDeviceWaitIdle(run->pages.gpu->device);
        fail_msg("frame %llu: %s", (unsigned long long)run->frame,
                 right ? "a held page changed, or a pump moved too much" : wrong);
    }
}

static uint32_t page_count(const Run *run) {
    return murGetPagerRef(run->pages.pager, 0).pageCount;
}

static uint32_t page_frames(const Run *run) {
    return murGetPagerRef(run->pages.pager, 0).poolPageCount;
}

static void check_answer(Run *run, uint64_t frame, const VisitItem *item, const uint32_t *answer) {
    const uint32_t page = item->page;
    if (page >= page_count(run)) {
        run_require(run, answer[0] == MUR_NO_POOL_PAGE, "a page out of range");
        return;
    }
    uint64_t *used = &run->used[page];
    if (answer[0] == MUR_NO_POOL_PAGE) {
        run_require(run, *used == 0 || frame >= *used + run->frames.inFlight,
                    "a page went too early");
        run_require(run, run->stays[page] != 2, "a pinned page went");
        ++run->misses;
        return;
    }
    run_require(run, answer[0] < page_frames(run), "a pool page out of range");
    ++run->hits;
    run->seen[page] = true;
    run->stays[page] = run->stays[page] ? 2 : 0;
    *used = item->verb == VISIT_PEEK ? *used : frame;
    run_require(run, pages_apply(&run->pages, item, answer[1]), "a wrong word");
}

static void do_list(Run *run, const RunFrame *frame, const Step *step) {
    const uint32_t *list = &frame->shared->lists[step->first];
    for (uint32_t i = 0; i < step->count && step->kind != REQUESTS; ++i) {
        if (list[i] < page_count(run)) {
            uint8_t *stays = &run->stays[list[i]];
            *stays = step->kind == UNPINS ? 0 : *stays == 0 ? 1 : *stays;
            run->pages.notes[list[i]].pinned = *stays != 0;
        }
    }
}

static void do_step(Run *run, uint32_t at, const Step *step) {
    RunFrame *flight = &run->flights[at];
    const uint64_t frame = run->frames.flights[at].frame;
    switch (step->kind) {
    case VISITS:
        for (uint32_t i = step->first; i < step->first + step->count; ++i) {
            check_answer(run, frame, &flight->shared->items[i], flight->shared->answers[i]);
        }
        break;
    case PAGING: /* the first update of a frame begins the frame's checkpoint */
        if (flight->flags) {
            memcpy(run->saved, run->pages.model, (size_t)DISK_PAGE * page_count(run));
            run->savedFrame = frame;
            flight->flags = 0;
        }
        break;
    case EVICTION:
        for (uint32_t page = 0; page < page_count(run); ++page) {
            run->used[page] = run->stays[page] ? run->used[page] : 0;
        }
        break;
    default:
        do_list(run, flight, step);
    }
}

static void check_checkpoint(Run *run) {
    const uint64_t committed = run_status(run).checkpoint;
    if (committed != run->committed) {
        run->committed = committed;
        run_require(run, committed == run->savedFrame, "a checkpoint that no frame began");
        run_require(run,
                    !run->disk || memcmp(run->disk->committed, run->saved,
                                         (size_t)DISK_PAGE * page_count(run)) == 0,
                    "a checkpoint is not what the pages were");
    }
}

void run_require_saved(Run *run) {
    check_checkpoint(run);
    assert_int_equal(run->committed, run->savedFrame);
}

static void judge(void *model, uint32_t at) {
    Run *run = model;
    const RunFrame *flight = &run->flights[at];
    check_checkpoint(run);
    for (uint32_t i = 0; i < flight->stepCount; ++i) {
        do_step(run, at, &flight->steps[i]);
    }
    const MurPagerStats *stats = &flight->shared->stats;
    run_require(run, stats->resident <= page_frames(run) && stats->dirty <= stats->resident,
                "counts of pages");
}

void run_drain(Run *run) {
    frames_drain(&run->frames);
    check_checkpoint(run);
}

uint32_t run_begin(Run *run, uint64_t frame, bool checkpoint) {
    const uint32_t at = frames_begin(&run->frames, frame);
    RunFrame *flight = &run->flights[at];
    run->frame = frame;
    flight->flags = 0;
    flight->stepCount = flight->itemCount = flight->listed = 0;
    if (run->files) {
        const MurPagerFrame begun = {.frame = frame,
                                     .completedFrame = frames_completed(&run->frames),
                                     .checkpoint = checkpoint};
        gpu_require(murBeginPagerFrame(run->pages.pager, &begun, &flight->flags));
        flight->flags = run->forgetful ? 0 : flight->flags;
    }
    gpu_require(murCmdPagerBarrier(run->frames.flights[at].lane.cmd, run->pages.pager));
    return at;
}

void run_send(Run *run, uint32_t at) {
    gpu_send(&run->frames.flights[at].lane);
}

/* Returns a range of the memory of frame in flight `at`. first: its first byte. size: bytes. */
static MurArray array_of(const Run *run, uint32_t at, const void *first, uint64_t size) {
    const Flight *flight = &run->frames.flights[at];
    const ptrdiff_t offset = (const uint8_t *)first - (const uint8_t *)flight->memory.mapped;
    return (MurArray){flight->memory.address + (uint64_t)offset, size};
}

static void end_step(Run *run, uint32_t at, Step step) {
    RunFrame *flight = &run->flights[at];
    assert_true(flight->stepCount < RUN_STEPS);
    flight->steps[flight->stepCount++] = step;
    gpu_require(murCmdPagerBarrier(run->frames.flights[at].lane.cmd, run->pages.pager));
}

void run_paging(Run *run, uint32_t at, uint32_t maxPages) {
    const Flight *flight = &run->frames.flights[at];
    gpu_require(murCmdUpdatePager(
        flight->lane.cmd, run->pages.pager,
        &(MurPagerUpdate){
            .frame = (uint32_t)flight->frame,
            .maxPages = maxPages,
            .flags = run->flights[at].flags,
            .stats = array_of(run, at, &run->flights[at].shared->stats, sizeof(MurPagerStats))}));
    end_step(run, at, (Step){.kind = PAGING});
}

void run_add(Run *run, uint32_t at, VisitItem item) {
    RunFrame *flight = &run->flights[at];
    assert_true(flight->itemCount < RUN_ITEMS);
    flight->shared->items[flight->itemCount++] = item;
}

void run_visits(Run *run, uint32_t at, uint32_t first) {
    Flight *flight = &run->frames.flights[at];
    const RunFrame *frame = &run->flights[at];
    const VisitPush push = {.pager = murGetPagerRef(run->pages.pager, (uint32_t)flight->frame),
                            .items = array_of(run, at, &frame->shared->items[first], 0).address,
                            .answers = array_of(run, at, frame->shared->answers[first], 0).address,
                            .count = frame->itemCount - first};
    gpu_dispatch(&flight->lane, &run->pages.visit, &push, (push.count + 63) / 64);
    end_step(run, at, (Step){VISITS, first, push.count});
}

void run_list(Run *run, uint32_t at, StepKind kind, uint32_t count, const uint32_t *list) {
    MurPager pager = run->pages.pager;
    const Flight *flight = &run->frames.flights[at];
    VkCommandBuffer cmd = flight->lane.cmd;
    RunFrame *frame = &run->flights[at];
    uint32_t *words = &frame->shared->lists[frame->listed];
    const uint32_t first = frame->listed + 1;
    assert_true(first + count <= RUN_LISTED);
    words[0] = count;
    memcpy(words + 1, list, 4ull * count);
    frame->listed += 1 + count;
    const MurPageList pages = {.maxCount = count,
                               .countAddress = array_of(run, at, words, 4).address,
                               .pages = array_of(run, at, words + 1, 4ull * count)};
    gpu_require(kind == PINS ? murCmdPinPages(cmd, pager, &pages)
                : kind == UNPINS
                    ? murCmdUnpinPages(cmd, pager, &pages)
                    : murCmdRequestPages(cmd, pager, &pages, count, (uint32_t)flight->frame));
    end_step(run, at, (Step){kind, first, count});
}

void run_flush(Run *run, uint32_t at, StepKind kind) {
    gpu_require(murCmdFlushPager(run->frames.flights[at].lane.cmd, run->pages.pager,
                                 kind == EVICTION ? MUR_FLUSH_EVICT : 0));
    end_step(run, at, (Step){.kind = kind});
}

void run_frame(Run *run, const VisitItem *items, uint32_t count, bool checkpoint) {
    const uint32_t at = run_begin(run, run->frame + 1, checkpoint);
    for (uint32_t i = 0; i < count; ++i) {
        run_add(run, at, items[i]);
    }
    run_visits(run, at, 0);
    for (uint32_t i = 0; i < (run->twice ? 2 : 1); ++i) {
        run_paging(run, at, UINT32_MAX);
    }
    run_send(run, at);
}

void run_one(Run *run, VisitItem item) {
    run_frame(run, &item, 1, false);
    run_drain(run);
}

static uint32_t not_seen(const Run *run) {
    uint32_t count = 0;
    for (uint32_t page = 0; page < page_count(run); ++page) {
        count += !run->seen[page];
    }
    return count;
}

void run_visit_all(Run *run, bool checkpoint) {
    const uint64_t start = run->frame + 1;
    uint32_t list[RUN_PAGES];
    memset(run->seen, 0, sizeof run->seen);
    for (uint32_t page = 0; page < page_count(run); ++page) {
        list[page] = page;
    }
    for (uint32_t i = 0; not_seen(run) != 0 || (checkpoint && run->committed < start); ++i) {
        run_require(run, i < MOST_FRAMES, "pages or a checkpoint that never come");
        const uint32_t at = run_begin(run, run->frame + 1, checkpoint);
        run_list(run, at, UNPINS, page_count(run), list);
        for (uint32_t page = 0; page < page_count(run); ++page) {
            if (!run->seen[page]) {
                run_add(run, at, (VisitItem){page, VISIT_SUM, 0, page, 255});
            }
        }
        run_visits(run, at, 0);
        run_paging(run, at, UINT32_MAX);
        run_send(run, at);
        if (run->files && run->pumpCount == 0) {
            (void)run_pump(run, 1000);
        }
        run_drain(run);
    }
}

void run_settle(Run *run) {
    for (uint32_t i = 0; i < 4; ++i) {
        run_frame(run, NULL, 0, false);
        (void)run_pump(run, UINT32_MAX);
    }
    run_drain(run);
    assert_int_equal(run_status(run).checkpointUnderWay, 0);
}

void run_save(Run *run) {
    run_frame(run, NULL, 0, true);
    run_settle(run);
}

void run_open(Run *run, Gpu *gpu, MurPagerCreateInfo info, MurPageContent content, Disk *disk,
              uint64_t before) {
    assert_true(info.pageCount <= RUN_PAGES && info.pageSize == DISK_PAGE);
    *run = (Run){.files = info.pFile != NULL, .disk = disk, .frame = before};
    run->pages = pages_open(gpu, info, content);
    frames_open(&run->frames, gpu, run->pages.framesInFlight, sizeof(Shared));
    run->frames.judge = judge;
    run->frames.model = run;
    for (uint32_t i = 0; i < run->pages.framesInFlight; ++i) {
        run->flights[i].shared = run->frames.flights[i].memory.mapped;
    }
}

void run_fill_disk(Run *run) {
    for (uint32_t i = 0; i < DISK_PAGE / 4 * page_count(run); ++i) {
        run->pages.model[i] = mur_hash(i, 1);
    }
    memcpy(run->disk->now, run->pages.model, (size_t)DISK_PAGE * page_count(run));
    memcpy(run->disk->committed, run->disk->now, (size_t)DISK_PAGE * page_count(run));
}

void run_close(Run *run) {
    frames_drain(&run->frames);
    run_stop_pumps(run);
    frames_close(&run->frames);
    pages_close(&run->pages);
}

void run_open_disk(Run *run, Gpu *gpu, Disk *disk, MurPagerCreateInfo info) {
    disk_make(disk, RUN_DISK_PAGES);
    const MurPageFile file = disk_file(disk);
    info.pageCount = RUN_DISK_PAGES;
    info.pageSize = DISK_PAGE;
    info.pFile = &file;
    run_open(run, gpu, info, MUR_PAGES_IN_FILE, disk, UINT32_MAX - 30);
    run_fill_disk(run);
}

void run_close_disk(Run *run, Disk *disk) {
    run_drain(run);
    pages_check(&run->pages);
    run_close(run);
    disk_free(disk);
}
