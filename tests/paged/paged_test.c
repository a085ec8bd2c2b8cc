/* Paged tables against a table without pages: random frames of all operations, paging between them,
 * every answer compared; after a drain all that is in the pages.
 *
 * SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#include "paged.h"

#include "support/seed.h"

static void add_random(Paged *paged, Random *random, uint32_t count) {
    /* Most of a frame is about a neighbourhood. */
    const uint32_t keys = paged->options.keyCount, near = random_below(random, keys);
    for (uint32_t i = 0; i < count; ++i) {
        const uint32_t key = random_below(random, 4) ? (near + random_below(random, 200)) % keys
                                                     : random_below(random, keys);
        paged_add(paged, key, paged_random_verb(paged, random), paged_random_value(paged, random));
    }
}

static void frames(Paged *paged, Random *random, uint32_t count, uint32_t items) {
    for (uint32_t i = 0; i < count; ++i) {
        add_random(paged, random, 1 + random_below(random, items));
        paged_run(paged);
        if (random_below(random, 8)) {
            paged_page(paged, random_below(random, 4) ? UINT32_MAX : random_below(random, 5));
        }
    }
    paged_drain(paged);
    paged_check(paged);
}

static PagedOptions options_of(MurFormat format, uint32_t frameCount) {
    return (PagedOptions){
        .info = {.format = format, .seed = 0x51DE, .shift = 12, .maxPending = 1024},
        .pageCount = 64,
        .pageSize = 4096,
        .frameCount = frameCount,
        .framesInFlight = 2,
        .keyCount = 3000,
        .groupKeys = 700,
    };
}

static void random_frames(void **state) {
    Random random = {test_seed(0x7AB1E)};
    static const uint32_t pools[] = {1, 2, 7, 64};
    for (uint32_t i = 0; i < 8; ++i) {
        PagedOptions options = options_of(i % 2 ? MUR_FORMAT_K64V32 : MUR_FORMAT_K32V32,
                                          pools[i / 2]);
        options.info.reservedValue = (MurReservedValue)(i / 2 % 2);
        Paged paged = paged_open(*state, &options);
        frames(&paged, &random, 30, 400);
        print_message("answered %llu, not resident %llu, noted %llu, refused %llu, pages %u\n",
                      (unsigned long long)paged.answered, (unsigned long long)paged.notResident,
                      (unsigned long long)paged.noted, (unsigned long long)paged.refused,
                      paged_stats(&paged)->pages);
        paged_close(&paged);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        gpu_test(random_frames),
    };
    return cmocka_run_group_tests_name("paged", tests, gpu_group_setup, gpu_group_teardown);
}
