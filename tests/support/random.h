/* A small, seedable generator with the same numbers on every machine. Source: SplitMix64 by
 * Sebastiano Vigna (public domain).
 * SPDX-License-Identifier: MIT */
#ifndef MUR_TEST_RANDOM_H
#define MUR_TEST_RANDOM_H

#include <stdint.h>

typedef struct Random {
    uint64_t state;
} Random;

static inline uint64_t random_next(Random *random) {
    uint64_t z = random->state += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

/* Returns a number from 0 to bound - 1. */
static inline uint32_t random_below(Random *random, uint32_t bound) {
    return (uint32_t)((random_next(random) >> 32) * bound >> 32);
}

#endif
