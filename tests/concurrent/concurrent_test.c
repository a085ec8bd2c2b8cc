/* Tests the guarantees for concurrent operations on the same keys.
 * SPDX-License-Identifier: MIT */
#include "cases.h"

Trial cell_trial(const Cell *cell, MurAtomicWidth width, uint64_t seed) {
    return (Trial){.name = cell->name,
                   .mix = storm_mix(cell->mix),
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
