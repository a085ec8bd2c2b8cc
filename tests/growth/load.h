/* Growth under load, at any size: see load.c.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MUR_TEST_LOAD_H
#define MUR_TEST_LOAD_H

#include "engine.h"

typedef struct LoadCase {
    uint32_t format;
    MurAtomicWidth width;
    uint32_t inFlight;
    uint32_t from, to; /* entries */
    uint32_t frames;
} LoadCase;

/* From a capacity of about `from` to `to` entries in so many frames, with erasures, upserts and
 * finds in each; nothing may be lost, nobody may wait for the GPU. */
void grow_under_load(Gpu *gpu, const LoadCase *test);

#endif
