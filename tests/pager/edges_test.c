/* Edge cases of pagers: overwritten memory, and sizes of chunks.
 * SPDX-License-Identifier: MIT */
#include "pages.h"

#include "support/seed.h"

#include <kernels/push.h>

enum { PAGE = MUR_PAGE_MIN_SIZE, WRONG_PAGES = 11 };

/* Returns a random word. Every few calls it is the first invalid page number. */
static uint32_t any_word(Random *random) {
    const uint32_t words[] = {UINT32_MAX,
                              WRONG_PAGES,
                              random_below(random, 12),
                              MUR_PAGE_RESIDENT | random_below(random, 12),
                              MUR_PAGE_REQUESTED | random_below(random, 300),
                              (uint32_t)random_next(random)};
    return words[random_below(random, 6)];
}

static void any_items(Pages *pages, Random *random, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i) {
        ((VisitItem *)pages->items.mapped)[i] = (VisitItem){
            any_word(random), random_below(random, VISIT_VERBS), any_word(random), any_word(random),
            any_word(random)};
    }
}

static void run_everything(Pages *pages, uint32_t frame) {
    Gpu *gpu = pages->gpu;
    const VisitPush push = {.pager = murGetPagerRef(pages->pager, frame),
                            .items = pages->items.address,
                            .answers = pages->answers.address,
                            .count = 64};
    const MurPageList list = {.maxCount = 64, .pages = gpu_part(&pages->items, 0, 64)};
    gpu_begin(gpu);
    if (frame % 2) {
        gpu_require(murCmdFlushPager(gpu->cmd, pages->pager, 0));
        gpu_barrier(gpu);
    }
    gpu_dispatch(gpu, &pages->visit, &push, 1);
    gpu_barrier(gpu);
    gpu_require(murCmdRequestPages(gpu->cmd, pages->pager, &list, 9, frame));
    gpu_barrier(gpu);
    gpu_require(murCmdPinPages(gpu->cmd, pages->pager, &list));
    gpu_barrier(gpu);
    gpu_require(murCmdUnpinPages(gpu->cmd, pages->pager, &list));
    gpu_barrier(gpu);
    gpu_require(murCmdUpdatePager(gpu->cmd, pages->pager,
                                  &(MurPagerUpdate){.frame = frame, .maxPages = UINT32_MAX}));
    gpu_barrier(gpu);
    gpu_require(murCmdFlushPager(gpu->cmd, pages->pager, MUR_FLUSH_EVICT));
    gpu_submit(gpu);
}

/* The test overwrites the directory, pool page records, lists and counts. Pages may be lost, but no
 * access may leave the pager's memory and the store. After a clear, the pager works again. */
GPU_TEST(overwritten_memory_causes_no_stray_access) {
    Random random = {test_seed(0xBAD)};
    Pages pages = PAGES_OPEN(MUR_PAGES_ZERO, .pageCount = WRONG_PAGES, .pageSize = PAGE,
                             .poolPageCount = 5, .maxRequests = 9);
    const uint64_t words = (murGetPagerRef(pages.pager, 0).pool - pages.memory.address) / 4;
    for (uint32_t round = 0; round < 40; ++round) {
        for (uint64_t i = 0; i < words; ++i) {
            ((uint32_t *)pages.memory.mapped)[i] = any_word(&random);
        }
        any_items(&pages, &random, 64);
        run_everything(&pages, round);
        run_everything(&pages, round + 1);
    }
    GPU_RUN(gpu, murCmdClearPager(gpu->cmd, pages.pager, MUR_PAGES_ZERO));
    pages_add(&pages, (VisitItem){3, VISIT_LOAD, 0, 0, 1});
    pages_visit(&pages);
    pages_page(&pages, 1);
    pages_close(&pages);
}

/* The counts of pages per age and per priority are overwritten by too large numbers, which would
 * move writes beyond the list of moves. All writes must stay inside the pager's memory. */
GPU_TEST(too_large_counts_cause_no_stray_access) {
    static const uint32_t first[] = {0, 1, 2, 3, 4}, second[] = {7, 8, 9};
    Pages pages = PAGES_OPEN(MUR_PAGES_ZERO, .pageCount = WRONG_PAGES, .pageSize = PAGE,
                             .poolPageCount = 5);
    uint32_t *counts = (uint32_t *)pages.memory.mapped + MUR_PAGER_COUNTS;
    const uint64_t moves = pages.needs.size / 4 - MUR_PAGER_MOVES_AT;
    const uint32_t behind = (uint32_t)(moves / MUR_PAGER_MOVE) + 1;
    pages_request(&pages, 5, first, 1);
    pages_page(&pages, UINT32_MAX);
    pages_request(&pages, 3, second, 1);
    counts[MUR_PAGER_AGES - 1] = counts[MUR_PAGER_BINS - 1] = behind;
    GPU_RUN(pages.gpu, murCmdUpdatePager(
                           pages.gpu->cmd, pages.pager,
                           &(MurPagerUpdate){.frame = pages.frame + 10, .maxPages = UINT32_MAX}));
    pages_close(&pages);
}

GPU_TEST(chunk_counts_match_the_requested_size) {
    MurPagerRequirements needs;
    MurPagerCreateInfo info = {.pageCount = 8,
                               .pageSize = PAGE,
                               .poolPageCount = 3,
                               .framesInFlight = 2,
                               .chunkPages = 4,
                               .flags = MUR_PAGER_FORCE};
    gpu_require(murGetPagerRequirements(gpu->context, &info, &needs));
    assert_int_equal(needs.chunkCount, 2);
    assert_int_equal(needs.chunkSize, 4 * PAGE);
    info.chunkPages = 0;
    info.pageCount = 5;
    gpu_require(murGetPagerRequirements(gpu->context, &info, &needs));
    assert_int_equal(needs.chunkCount, 1);
    assert_int_equal(needs.chunkSize, 5 * PAGE);
    assert_int_equal(needs.lastChunkSize, 5 * PAGE);
}
