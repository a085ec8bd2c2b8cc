/* What concurrent operations on the same keys guarantee.
 *
 * SPDX-License-Identifier: MIT */
#include "cases.h"

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
