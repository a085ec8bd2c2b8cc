/* What fuzzers share whether or not libFuzzer runs them: promises, and checksums made right.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MUR_FUZZ_H
#define MUR_FUZZ_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static inline void require(bool holds, const char *promise) {
    if (!holds) {
        (void)fprintf(stderr, "not so: %s\n", promise);
        abort();
    }
}

/* The checksum of the library's files, bit by bit; of what follows data whose sum this is. */
static inline uint64_t addSum(uint64_t sum, const uint8_t *data, size_t size) {
    sum = ~sum;
    for (size_t i = 0; i < size; i++) {
        sum ^= data[i];
        for (int bit = 0; bit < 8; bit++) {
            sum = (sum >> 1) ^ ((sum & 1) != 0 ? 0xC96C5795D7870F42U : 0);
        }
    }
    return ~sum;
}

static inline uint64_t sumOf(const uint8_t *data, size_t size) {
    return addSum(0, data, size);
}

static inline void putBytes64(uint8_t *at, uint64_t word) {
    for (int i = 0; i < 8; i++) {
        at[i] = (uint8_t)(word >> (8 * i));
    }
}

/* Tries an input as it is, and with its checksums made right. */
static inline void tryBoth(const uint8_t *data, size_t size, void (*try)(const uint8_t *, size_t),
                           void (*seal)(uint8_t *, size_t)) {
    uint8_t *sealed = malloc(size != 0 ? size : 1);
    require(sealed != NULL, "there is memory");
    memcpy(sealed, data, size);
    try(data, size);
    seal(sealed, size);
    try(sealed, size);
    free(sealed);
}

#endif
