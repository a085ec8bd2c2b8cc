/* Seeds of random tests. The normal tier always uses the same seeds. tests/run --long sets
 * MUR_TEST_SEED to a new number, prints it, and accepts it again with --seed. It also sets
 * MUR_TEST_FULL: every variant of a case instead of half.
 * SPDX-License-Identifier: MIT */
#ifndef MUR_TEST_SEED_H
#define MUR_TEST_SEED_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

/* Returns a seed for this run. usual: the seed that the normal tier uses. */
static inline uint64_t test_seed(uint64_t usual) {
    const char *moved = getenv("MUR_TEST_SEED");
    return usual + (moved ? strtoull(moved, NULL, 0) : 0);
}

static inline bool test_full(void) {
    return getenv("MUR_TEST_FULL") != NULL;
}

#endif
