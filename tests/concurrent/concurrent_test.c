/* What concurrent operations on the same keys guarantee.
 *
 *   concurrent_test [PATTERN]    only the cases whose names match
 *
 * SPDX-License-Identifier: MIT */
#include "cases.h"

#include <stdlib.h>
#include <string.h>

uint32_t parse_mix(const char *text) {
    const char *names = "AK+<>|UFEXTWC"; /* MUR_MODE_*, then STORM_* */
    uint32_t mix = 0;
    for (uint32_t i = 0; i < 8; ++i) {
        const char *name = strchr(names, text[i]);
        assert_non_null(name);
        mix |= (uint32_t)(name - names) << (4 * i);
    }
    return mix;
}

Trial cell_trial(const Cell *cell, MurAtomicWidth width, uint64_t seed) {
    return (Trial){.name = cell->name,
                   .mix = parse_mix(cell->mix),
                   .scheme = cell->scheme,
                   .pattern = cell->pattern,
                   .reserved = cell->reserved,
                   .present = cell->present,
                   .width = width,
                   .wideShader = width == MUR_ATOMIC_WIDTH_64,
                   .seed = seed};
}

void cell_run(Arena *arena, Trial *trial) {
    trial_run(arena, trial);
    trial_check(trial);
    trial_free(trial);
}

int main(void) {
    struct {
        const struct CMUnitTest *tests;
        size_t count;
    } lists[] = {{contract_tests, contract_count},
                 {bulk_tests, bulk_count},
                 {linear_tests, linear_count},
                 {hazard_tests, hazard_count}};
    const char *unvalidated = getenv("MUR_TEST_NO_VALIDATION");
    if (unvalidated && *unvalidated && strcmp(unvalidated, "0") != 0) {
        lists[3].count =
            0; /* these test the layer's view of the library: no layer, nothing to test */
    }
    static struct CMUnitTest tests[512];
    size_t count = 0;
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; ++i) {
        memcpy(tests + count, lists[i].tests, lists[i].count * sizeof tests[0]);
        count += lists[i].count;
    }
    return _cmocka_run_group_tests("concurrency", tests, count, arena_setup, arena_teardown);
}
