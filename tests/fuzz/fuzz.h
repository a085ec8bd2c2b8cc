/* Shared by all fuzzers, with or without libFuzzer.
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

#endif
