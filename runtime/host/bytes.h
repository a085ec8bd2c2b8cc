/* Numbers in files: the lowest byte first, on every machine.
 * SPDX-License-Identifier: MIT */
#ifndef MUR_BYTES_H
#define MUR_BYTES_H

#include <stdint.h>

static inline void mur_store_number(uint8_t *at, uint64_t value, int bytes) {
    for (int i = 0; i < bytes; ++i) {
        at[i] = (uint8_t)(value >> (8 * i));
    }
}

static inline uint64_t mur_load_number(const uint8_t *at, int bytes) {
    uint64_t value = 0;
    for (int i = bytes - 1; i >= 0; --i) {
        value = value << 8 | at[i];
    }
    return value;
}

#endif
