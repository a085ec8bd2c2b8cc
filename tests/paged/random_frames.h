/* Random frames on a paged table.
 *
 * SPDX-License-Identifier: MIT */
#ifndef PAGED_TEST_RANDOM_FRAMES_H
#define PAGED_TEST_RANDOM_FRAMES_H

#include "paged.h"

/* Frames of items at most, with paging between most; then all that is pending, and all that is
 * there. */
static void random_frames_on(Gpu *gpu, const PagedOptions *options, Random *random, uint32_t frames,
                             uint32_t items) {
    Paged paged = paged_open(gpu, options);
    for (uint32_t i = 0; i < frames; ++i) {
        paged_add_random(&paged, random, 1 + random_below(random, items));
        if (random_below(random, 3)) {
            paged_run(&paged);
        } else {
            const uint32_t verb = paged_random_verb(&paged, random);
            paged_run_bulk(&paged, verb == CALL_PEEK ? CALL_FIND : verb,
                           1 + random_below(random, 8));
        }
        if (paged.options.info.locality == MUR_PAGE_BY_HASH && random_below(random, 6) == 0) {
            uint32_t left;
            paged_rehash(&paged, 1 + random_below(random, 8), &left);
        }
        if (random_below(random, 8)) {
            paged_page(&paged, random_below(random, 4) ? UINT32_MAX : random_below(random, 5));
        }
    }
    paged_drain(&paged);
    paged_extract(&paged, 1 + random_below(random, options->pageCount));
    paged_check(&paged);
    paged_close(&paged);
}

#endif
