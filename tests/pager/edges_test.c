/* Pagers at their edges: memory that somebody has written over, arguments that are wrong.
 *
 * SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#include "pages.h"

#include "support/observe.h"
#include "support/seed.h"

#include <kernels/push.h>

#include <stdlib.h>
#include <string.h>

#define INVALID MUR_ERROR_INVALID_ARGUMENT

enum { PAGE = MUR_PAGE_MIN_SIZE };

/* ---- Memory that is wrong ------------------------------------------------------------------- */

enum { WRONG_PAGES = 11 };

/* Often the first number that is no page's. */
static uint32_t any_word(Random *random) {
    switch (random_below(random, 6)) {
    case 0:
        return UINT32_MAX;
    case 4:
        return WRONG_PAGES;
    case 1:
        return random_below(random, 12);
    case 2:
        return MUR_PAGE_RESIDENT | random_below(random, 12);
    case 3:
        return MUR_PAGE_REQUESTED | random_below(random, 300);
    default:
        return (uint32_t)random_next(random);
    }
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
    const MurPages list = {.maxCount = 64, .pages = gpu_part(&pages->items, 0, 64)};
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
    gpu_require(
        murCmdPage(gpu->cmd, pages->pager, &(MurPaging){.frame = frame, .maxPages = UINT32_MAX}));
    gpu_barrier(gpu);
    gpu_require(murCmdFlushPager(gpu->cmd, pages->pager, MUR_FLUSH_EVICT));
    gpu_submit(gpu);
}

/* Directory, records, lists and counts are anything: pages get lost, but nobody reads or writes
 * beyond the pager and its store. And after a clear all is well. */
GPU_TEST(memory_that_is_wrong_leads_nowhere) {
    Random random = {test_seed(0xBAD)};
    Pages pages = PAGES_OPEN(.pageCount = WRONG_PAGES, .pageSize = PAGE, .pageFrameCount = 5,
                             .framesInFlight = 1, .maxRequests = 9, .flags = MUR_PAGER_FORCE);
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

/* Counts of ages and priorities that say more than there is: all that is chosen has a place behind
 * the list of moves, behind all of the pager. */
GPU_TEST(counts_that_are_wrong_lead_nowhere) {
    static const uint32_t first[] = {0, 1, 2, 3, 4}, second[] = {7, 8, 9};
    Pages pages = PAGES_OPEN(.pageCount = WRONG_PAGES, .pageSize = PAGE, .pageFrameCount = 5,
                             .framesInFlight = 1, .flags = MUR_PAGER_FORCE);
    uint32_t *counts = (uint32_t *)pages.memory.mapped + MUR_PAGER_COUNTS;
    const uint64_t moves = pages.needs.size / 4 - MUR_PAGER_MOVES_AT;
    const uint32_t behind = (uint32_t)(moves / MUR_PAGER_MOVE) + 1;
    pages_request(&pages, 5, first, 1);
    pages_page(&pages, UINT32_MAX);
    pages_request(&pages, 3, second, 1);
    counts[MUR_PAGER_AGES - 1] = counts[MUR_PAGER_BINS - 1] = behind;
    GPU_RUN(pages.gpu, murCmdPage(pages.gpu->cmd, pages.pager,
                                  &(MurPaging){.frame = pages.frame + 10, .maxPages = UINT32_MAX}));
    pages_close(&pages);
}

/* ---- Arguments ------------------------------------------------------------------------------ */

static const MurPagerCreateInfo right = {
    .pageCount = 8,
    .pageSize = PAGE,
    .pageFrameCount = 3,
    .framesInFlight = 2,
    .chunkPages = 4,
    .flags = MUR_PAGER_FORCE,
};

OBSERVED_CASE(wrong_descriptions) {
    MurPager pager = VK_NULL_HANDLE;
    MurPagerRequirements needs;
    MurPagerCreateInfo info = right;
#define WRONG(field, value, text)                                                              \
    info = right;                                                                              \
    info.field = value;                                                                        \
    expect_error(observed, murCreatePager(observed->context, &info, &pager), INVALID, text,    \
                 #field);                                                                      \
    expect_error(observed, murGetPagerRequirements(observed->context, &info, &needs), INVALID, \
                 text, #field);                                                                \
    assert_null(pager)
    WRONG(pNext, &info, "pNext");
    WRONG(pageCount, 0, "pageCount");
    WRONG(pageCount, MUR_MAX_PAGES + 1, "pageCount");
    WRONG(pageSize, PAGE / 2, "pageSize");
    WRONG(pageSize, PAGE + 4, "pageSize");
    WRONG(pageSize, 2 * MUR_PAGE_MAX_SIZE, "pageSize");
    WRONG(pageFrameCount, 0, "pageFrameCount");
    WRONG(pageFrameCount, MUR_MAX_PAGE_FRAMES + 1, "pageFrameCount");
    WRONG(framesInFlight, 0, "framesInFlight");
    WRONG(framesInFlight, MUR_PAGER_FRAMES_IN_FLIGHT + 1, "framesInFlight");
    WRONG(flags, 2, "flags");
    WRONG(chunkPages, 3, "chunkPages");
    info = right;
    info.pageCount = 65;
    info.chunkPages = 1;
    expect_refused(observed, murCreatePager(observed->context, &info, &pager), "chunkPages");
#undef WRONG
    expect_refused(observed, murCreatePager(observed->context, NULL, &pager), "pCreateInfo");
    expect_refused(observed, murCreatePager(observed->context, &right, NULL), "pPager");
    expect_refused(observed, murGetPagerRequirements(observed->context, &right, NULL),
                   "pRequirements");
    assert_refused(murCreatePager(VK_NULL_HANDLE, &right, &pager));
    assert_int_equal(murGetPagerRef(VK_NULL_HANDLE, 3).pageCount, 0);
}

OBSERVED_CASE(wrong_memory) {
    MurPager pager;
    MurPagerRequirements needs;
    gpu_require(murGetPagerRequirements(observed->context, &right, &needs));
    assert_int_equal(needs.chunkCount, 2);
    assert_int_equal(needs.chunkSize, 4 * PAGE);
    MurPagerCreateInfo info = right;
    info.chunkPages = 0;
    info.pageCount = 5;
    gpu_require(murGetPagerRequirements(observed->context, &info, &needs));
    assert_int_equal(needs.chunkCount, 1);
    assert_int_equal(needs.chunkSize, 5 * PAGE);
    assert_int_equal(needs.lastChunkSize, 5 * PAGE);
    gpu_require(murGetPagerRequirements(observed->context, &right, &needs));
    GpuBuffer memory = gpu_buffer(gpu, needs.size + 256), store = gpu_buffer(gpu, 8 * PAGE + 256);
    const MurPagerChunk chunks[] = {{{store.buffer, 0, 4 * PAGE}, NULL},
                                    {{store.buffer, 4 * PAGE, 4 * PAGE}, NULL}};
    MurPagerChunk own[2];
    info = right;
#define WRONG(text, what) \
    expect_error(observed, murCreatePager(observed->context, &info, &pager), INVALID, text, what)
    info.memory = (MurBufferRange){memory.buffer, 0, needs.size - 1};
    WRONG("memory.size", "too small");
    info.memory = (MurBufferRange){memory.buffer, 512, needs.size};
    WRONG("memory.offset", "beyond the buffer");
    info.memory = (MurBufferRange){memory.buffer, 16, needs.size};
    WRONG("multiple", "misaligned");
    info.memory = (MurBufferRange){VK_NULL_HANDLE, 0, needs.size};
    WRONG("memory.size", "no buffer");
    info.memory = (MurBufferRange){memory.buffer, 256, needs.size};
    info.chunkCount = 2;
    WRONG("chunkCount", "a count without chunks");
    info.pChunks = chunks;
    info.chunkCount = 1;
    WRONG("chunkCount", "too few chunks");
    info.chunkCount = 2;
    info.pChunks = own;
    memcpy(own, chunks, sizeof own);
    own[1].memory.size = PAGE;
    WRONG("pChunks[1].memory.size", "a short chunk");
    memcpy(own, chunks, sizeof own);
    own[1].memory.offset = 4 * PAGE + 4;
    WRONG("pChunks[1].memory", "a misaligned chunk");
#undef WRONG
    info.pChunks = chunks;
    gpu_require(murCreatePager(observed->context, &info, &pager));
    assert_null(murGetPagerStorePage(pager, 0)); /* not mapped */
    murDestroyPager(pager);
    gpu_free(gpu, &memory);
    gpu_free(gpu, &store);
}

static void without_a_pager(VkCommandBuffer cmd) {
    assert_null(murGetPagerStorePage(VK_NULL_HANDLE, 0));
    murDestroyPager(VK_NULL_HANDLE);
    assert_refused(murCmdPage(cmd, VK_NULL_HANDLE, &(MurPaging){.frame = 1}));
    assert_refused(murCmdClearPager(cmd, VK_NULL_HANDLE, MUR_PAGES_ZERO));
    assert_refused(murCmdFlushPager(cmd, VK_NULL_HANDLE, 0));
    assert_refused(murCmdPagerBarrier(cmd, VK_NULL_HANDLE));
}

OBSERVED_CASE(wrong_commands) {
    MurPager pager;
    GpuBuffer store = gpu_buffer(gpu, 8 * PAGE);
    const MurPagerChunk chunks[] = {{{store.buffer, 0, 4 * PAGE}, NULL},
                                    {{store.buffer, 4 * PAGE, 4 * PAGE}, NULL}};
    MurPagerCreateInfo info = right;
    info.pChunks = chunks;
    info.chunkCount = 2;
    gpu_require(murCreatePager(observed->context, &info, &pager));
    log_book_clear(&observed->log);
    GpuBuffer buffer = gpu_buffer(gpu, 256);
    VkCommandBuffer cmd = gpu_begin(gpu);
    const MurArray inside = {murGetPagerRef(pager, 0).directory, 8};
    MurPaging paging = {.frame = 1};
    MurPages pages = {.maxCount = 4, .pages = gpu_array(&buffer)};
#define REFUSED(call, text) expect_refused(observed, call, text)
    REFUSED(murCmdClearPager(NULL, pager, MUR_PAGES_ZERO), "cmd");
    REFUSED(murCmdClearPager(cmd, pager, (MurPageContent)7), "content");
    REFUSED(murCmdPage(NULL, pager, &paging), "cmd");
    REFUSED(murCmdPage(cmd, pager, NULL), "pPaging");
    paging.pNext = &paging;
    REFUSED(murCmdPage(cmd, pager, &paging), "pNext");
    paging = (MurPaging){.flags = 0x80000000u};
    REFUSED(murCmdPage(cmd, pager, &paging), "flags");
    paging = (MurPaging){.stats = {buffer.address + 4, sizeof(MurPagerStats)}};
    REFUSED(murCmdPage(cmd, pager, &paging), "stats");
    paging = (MurPaging){.stats = {buffer.address, sizeof(MurPagerStats) - 8}};
    REFUSED(murCmdPage(cmd, pager, &paging), "stats");
    paging = (MurPaging){.stats = {inside.address, sizeof(MurPagerStats)}};
    REFUSED(murCmdPage(cmd, pager, &paging), "overlaps");
    for (uint32_t page = 1; page < 8; page += 6) {
        paging.stats.address = store.address + (VkDeviceAddress)page * PAGE;
        REFUSED(murCmdPage(cmd, pager, &paging), "overlaps");
    }
    REFUSED(murCmdFlushPager(NULL, pager, 0), "cmd");
    REFUSED(murCmdPagerBarrier(NULL, pager), "cmd");
    REFUSED(murCmdFlushPager(cmd, pager, 2), "flags");
    REFUSED(murCmdRequestPages(cmd, pager, NULL, 0, 0), "pPages");
    REFUSED(murCmdRequestPages(cmd, pager, &pages, 256, 0), "priority");
    REFUSED(murCmdPinPages(NULL, pager, &pages), "cmd");
    pages.pages.size = 12;
    REFUSED(murCmdPinPages(cmd, pager, &pages), "pages");
    pages.pages = inside;
    pages.maxCount = 2;
    REFUSED(murCmdUnpinPages(cmd, pager, &pages), "overlaps");
    pages = (MurPages){.maxCount = 1};
    REFUSED(murCmdUnpinPages(cmd, pager, &pages), "pages");
    pages = (MurPages){.pages = gpu_array(&buffer), .countAddress = buffer.address + 2};
    REFUSED(murCmdUnpinPages(cmd, pager, &pages), "countAddress");
#undef REFUSED
    pages.countAddress = 0;
    gpu_require(murCmdUnpinPages(cmd, pager, &pages)); /* no pages: nothing */
    without_a_pager(cmd);
    assert_int_equal(interpose_recorded(), 0);
    gpu_submit(gpu);
    murDestroyPager(pager);
    gpu_free(gpu, &buffer);
    gpu_free(gpu, &store);
}
