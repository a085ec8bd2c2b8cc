/* Pages against a model: random frames of lookups and stores, murCmdPage between them, and all that
 * it should have done looked for in the pager's memory.
 *
 * SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#include "pages.h"

#include "support/seed.h"

static void add_random(Pages *pages, Random *random, uint32_t pageCount) {
    const uint32_t last = murGetPagerRef(pages->pager, 0).pageCount;
    for (uint32_t i = 0; i < pageCount; ++i) {
        /* Of each page some words are stored and others loaded. */
        const uint32_t page = random_below(random, last + last / 8 + 1);
        const uint32_t verb = random_below(random, 4);
        const uint32_t priority = random_below(random, 3) * 127;
        const bool stores = verb == VISIT_STORE || verb == VISIT_STORE_QUAD;
        const uint32_t word = 16 * (stores ? i : random_below(random, pages->pageWords / 16));
        pages_add(pages, (VisitItem){page, verb, word + (stores ? 0 : 4 + random_below(random, 12)),
                                     (uint32_t)random_next(random), priority});
    }
}

static void frames(Pages *pages, Random *random, uint32_t count, uint32_t items) {
    for (uint32_t i = 0; i < count; ++i) {
        add_random(pages, random, 1 + random_below(random, items));
        pages_visit(pages);
        pages_page(pages, random_below(random, 4) ? UINT32_MAX : random_below(random, 5));
    }
    pages_flush(pages, 0);
    pages_flush(pages, MUR_FLUSH_EVICT);
}

static void random_frames(void **state) {
    Random random = {test_seed(0x9A6E)};
    static const uint32_t pools[] = {1, 2, 7, 24};
    for (uint32_t i = 0; i < 8; ++i) {
        Pages pages = pages_open(
            *state, &(PagesOptions){.pageCount = 24,
                                    .pageSize = 4096,
                                    .frameCount = pools[i % 4],
                                    .framesInFlight = 2,
                                    .content = i % 3 ? MUR_PAGES_IN_STORE : MUR_PAGES_ZERO,
                                    .flags = MUR_PAGER_FORCE});
        frames(&pages, &random, 20, 24);
        pages_close(&pages);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        gpu_test(random_frames),
    };
    return cmocka_run_group_tests_name("pager", tests, gpu_group_setup, gpu_group_teardown);
}
