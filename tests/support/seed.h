/* What random tests start from, and how many of them there are. The normal tier takes the same
 * numbers every time; tests/run --long sets MUR_TEST_SEED to a fresh number, says which, and takes
 * it again with --seed. It sets MUR_TEST_FULL, too: every variant of a case instead of half.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MUR_TEST_SEED_H
#define MUR_TEST_SEED_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

/* usual: in the normal tier. */
static inline uint64_t test_seed(uint64_t usual) {
    const char *moved = getenv("MUR_TEST_SEED");
    return usual + (moved ? strtoull(moved, NULL, 0) : 0);
}

static inline bool test_full(void) {
    return getenv("MUR_TEST_FULL") != NULL;
}

#endif
