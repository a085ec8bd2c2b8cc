/* Pagers against a model: random frames of lookups and stores, with murCmdUpdatePager between
 * frames. All effects of murCmdUpdatePager are checked in the pager's memory.
 * SPDX-License-Identifier: MIT */
#include "pages.h"

#include "support/seed.h"

#include <string.h>

enum { PAGES = 24, PAGE = MUR_PAGE_MIN_SIZE };

/* Adds random items (accesses to pages). A word to which an item stores has no other item. */
static void add_random(Pages *pages, Random *random, uint32_t items) {
    const uint32_t last = murGetPagerRef(pages->pager, 0).pageCount;
    for (uint32_t i = 0; i < items; ++i) {
        const uint32_t page = random_below(random, last + last / 8 + 1);
        const uint32_t verb = random_below(random, 4);
        const uint32_t priority = random_below(random, 4) * 127; /* the library limits it to 255 */
        const bool stores = verb == VISIT_STORE || verb == VISIT_STORE_QUAD;
        const uint32_t first = pages->pageWords - 16 * items; /* words close to the page's end */
        uint32_t word = first + 16 * (stores ? i : random_below(random, items));
        word += random_below(random, 4) ? 0
                                        : pages->pageWords << random_below(random, 20); /* wraps */
        pages_add(pages, (VisitItem){page, verb, word + (stores ? 0 : 4 + random_below(random, 12)),
                                     (uint32_t)random_next(random), priority});
    }
}

static void pin_random(Pages *pages, Random *random) {
    uint32_t list[3];
    for (uint32_t i = 0; i < 3; ++i) {
        list[i] = random_below(random, murGetPagerRef(pages->pager, 0).pageCount);
    }
    const bool pins = random_below(random, 2);
    pages_pin(pages, pins ? 1 : 3, list, pins);
}

/* Runs random frames. Frame numbers overflow 32 bits, and sometimes skip many numbers. */
static void frames(Pages *pages, Random *random, uint32_t count, uint32_t items,
                   MurFlushFlags flush) {
    pages->frame = 0u - random_below(random, count);
    for (uint32_t i = 0; i < count; ++i) {
        add_random(pages, random, 1 + random_below(random, items));
        pages_visit(pages);
        pages_page(pages, random_below(random, 4) ? UINT32_MAX : random_below(random, 5));
        pages->frame += random_below(random, 10) ? 0 : 1500;
        pin_random(pages, random);
        if (flush || random_below(random, 6) == 0) {
            pages_flush(pages, flush);
        }
    }
    pages_flush(pages, 0);
    pages_flush(pages, MUR_FLUSH_EVICT);
}

GPU_TEST(random_frames) {
    Random random = {test_seed(0x9A6E)};
    static const uint32_t pools[] = {1, 2, 7, PAGES};
    for (uint32_t i = 0; i < 12; ++i) {
        Pages pages = PAGES_OPEN(i % 3 ? MUR_PAGES_IN_STORE : MUR_PAGES_ZERO, .pageCount = PAGES,
                                 .pageSize = PAGE, .poolPageCount = pools[i % 4],
                                 .framesInFlight = 1 + i % 3,
                                 .chunkPages = i % 3 == 0 ? 0
                                               : i % 2    ? 8
                                                          : 2,
                                 .maxRequests = i < 4 ? 0 : 5);
        frames(&pages, &random, 20, 24, 0);
        pages_close(&pages);
    }
}

GPU_TEST(pages_of_every_size) {
    Random random = {test_seed(0x9A70)};
    for (uint32_t size = MUR_PAGE_MIN_SIZE; size <= MUR_PAGE_MAX_SIZE; size *= 2) {
        Pages pages = PAGES_OPEN(MUR_PAGES_IN_STORE, .pageCount = 4, .pageSize = size,
                                 .poolPageCount = 2);
        frames(&pages, &random, 4, 8, 0);
        pages_close(&pages);
    }
}

/* Pages and requests are more than the invocations of a workgroup. maxRequests fills the memory of
 * the list exactly. */
GPU_TEST(many_pages) {
    Random random = {test_seed(0x9A71)};
    Pages pages = PAGES_OPEN(MUR_PAGES_ZERO, .pageCount = 1500, .pageSize = PAGE,
                             .poolPageCount = 600, .maxRequests = 704);
    for (uint32_t i = 0; i < 3; ++i) {
        for (uint32_t j = 0; j < 1000; ++j) {
            pages_add(&pages, (VisitItem){.page = (j * 7 + i * 400) % 1500,
                                          .verb = VISIT_STORE,
                                          .word = j % 1024,
                                          .value = i + j,
                                          .priority = random_below(&random, 256)});
        }
        pages_visit(&pages);
        if (i == 0) { /* concurrent requests may increment the count of a full list, too */
            assert_in_range(pages_requests(&pages)[0], 704, 1000);
            ++pages_requests(&pages)[0];
        }
        pages_page(&pages, 450);
    }
    pages_flush(&pages, MUR_FLUSH_EVICT);
    assert_in_range(pages.counted.overflow, 1, 1000);
    pages_close(&pages);
}

/* In unified memory, pages stay in the store unless paging is forced. */
GPU_TEST(unified_memory_moves_no_pages) {
    Random random = {test_seed(0x9A72)};
    const MurPagerCreateInfo info = {.pageCount = PAGES, .pageSize = PAGE, .poolPageCount = 2};
    Pages pages = pages_open(gpu, info, MUR_PAGES_ZERO);
    frames(&pages, &random, 10, 24, MUR_FLUSH_EVICT);
    assert_true(pages.needs.resident || !gpu->software);
    if (pages.needs.resident) {
        assert_int_equal(pages.counted.resident, PAGES);
        assert_int_equal(pages.counted.misses, 0);
        for (uint32_t page = 0; page < PAGES; ++page) {
            assert_memory_equal(pages_store(&pages, page), pages_model(&pages, page), PAGE);
        }
    }
    pages_close(&pages);
}

static Pages open_small(Gpu *gpu) {
    return PAGES_OPEN(MUR_PAGES_IN_STORE, .pageCount = PAGES, .pageSize = PAGE, .poolPageCount = 4);
}

static bool is_resident(const Pages *pages, uint32_t page) {
    return (pages_directory(pages)[page] & MUR_PAGE_RESIDENT) != 0;
}

GPU_TEST(lists_load_pages) {
    static const uint32_t low[] = {1, 2, 3, 4, PAGES, UINT32_MAX}, high[] = {4, 5, 6, 5};
    Pages pages = open_small(gpu);
    pages_request(&pages, 6, low, 0);
    pages_request(&pages, 4, high, 255);
    pages_page(&pages, UINT32_MAX);
    assert_true(is_resident(&pages, 4) && is_resident(&pages, 5) && is_resident(&pages, 6));
    assert_int_equal(pages.counted.misses, 6);
    assert_int_equal(pages.counted.in, 4);
    assert_int_equal(pages.counted.rejected, 2);
    /* Requests of resident pages keep them resident. */
    static const uint32_t others[] = {10, 11, 12, 13};
    pages_request(&pages, 3, high, 1);
    pages_request(&pages, 4, others, 200);
    pages_page(&pages, UINT32_MAX);
    assert_true(is_resident(&pages, 4) && is_resident(&pages, 5) && is_resident(&pages, 6));
    pages_close(&pages);
}

GPU_TEST(pinned_pages_stay) {
    static const uint32_t first[] = {1, 2, 3, 4}, second[] = {7, 8, 9, 10}, all = PAGES + 1;
    Pages pages = open_small(gpu);
    pages_request(&pages, 4, first, 1);
    pages_page(&pages, UINT32_MAX);
    const uint32_t pinned[] = {1, 2, 3, 7, all};
    pages_pin(&pages, 5, pinned, true); /* page 7 is not resident yet */
    for (uint32_t i = 0; i < 3; ++i) {
        pages.frame += 10;
        pages_request(&pages, 4, second, i == 1 ? 0 : 7);
        pages_page(&pages, i == 0 ? 1 : UINT32_MAX);
        assert_true(is_resident(&pages, 1) && is_resident(&pages, 2) && is_resident(&pages, 3));
        pages_flush(&pages, MUR_FLUSH_EVICT);
        assert_true(is_resident(&pages, 1));
    }
    /* When page 7 is resident, all pool pages are pinned. */
    pages_request(&pages, 1, second, 255);
    pages_page(&pages, UINT32_MAX);
    pages.frame += 10;
    pages_request(&pages, 4, second, 1);
    const uint64_t refused = pages.counted.rejected;
    pages_page(&pages, UINT32_MAX);
    assert_true(is_resident(&pages, 7));
    assert_int_equal(pages.counted.rejected, refused + 3);
    pages_pin(&pages, 5, pinned, false);
    pages_request(&pages, 4, second, 1);
    pages_page(&pages, UINT32_MAX);
    assert_true(is_resident(&pages, 8) && is_resident(&pages, 9) && is_resident(&pages, 10));
    pages_close(&pages);
}

/* Each frame uses more pages than the pool has. Some of them must stay resident, because pages that
 * the frame used must not be evicted. */
GPU_TEST(too_large_working_set_does_not_thrash) {
    Pages pages = open_small(gpu);
    for (uint32_t i = 0; i < 10; ++i) {
        for (uint32_t page = 0; page < 9; ++page) {
            pages_add(&pages, (VisitItem){page, VISIT_LOAD, 5, 0, 1});
        }
        pages_visit(&pages);
        pages_page(&pages, UINT32_MAX);
    }
    assert_int_equal(pages.counted.in, 4);
    assert_int_equal(pages.counted.evictions, 0);
    assert_int_equal(pages.counted.rejected, 9 - 4 + 9 * 5);
    assert_int_equal(pages.counted.hits, 9 * 4);
    pages_close(&pages);
}

/* Pages that were never written are zero: the pager must not read the store, which is garbage. */
GPU_TEST(pages_are_zero_at_first) {
    Pages pages = PAGES_OPEN(MUR_PAGES_ZERO, .pageCount = 4, .pageSize = PAGE, .poolPageCount = 1);
    for (uint32_t i = 0; i < 8; ++i) {
        const uint32_t verb = i % 4 == 2 ? VISIT_STORE : VISIT_LOAD;
        for (uint32_t j = 0; j < 2; ++j) {
            pages_add(&pages, (VisitItem){i % 4, verb, 100, i, 0});
            pages_visit(&pages);
            pages_page(&pages, UINT32_MAX);
        }
    }
    pages_flush(&pages, 0);
    assert_int_equal(pages_store(&pages, 2)[100], 6);
    assert_int_equal(pages_store(&pages, 2)[101], 0);
    assert_int_equal(pages_store(&pages, 1)[100], 0xA5A5A5A5);
    pages_close(&pages);
}

/* Statistics have 64 bits. Increments carry into the high word. */
GPU_TEST(counts_exceed_32_bits) {
    Pages pages = open_small(gpu);
    static const uint32_t list[] = {1, 2, 3};
    uint32_t *block = (uint32_t *)pages.memory.mapped;
    uint64_t *counts = (uint64_t *)pages.memory.mapped;
    for (uint32_t i = 0; i < MUR_PAGER_STATS_COUNTERS; ++i) {
        counts[i] = 0x1FFFFFFFEull;
    }
    memcpy(&pages.counted, block, sizeof pages.counted);
    pages_request(&pages, 3, list, 1);
    pages_page(&pages, UINT32_MAX);
    assert_int_equal(pages.counted.in, 0x200000001ull);
    pages_close(&pages);
}
