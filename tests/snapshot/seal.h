/* Offsets and checksums of a snapshot. They are implemented again on purpose, to test the
 * library's.
 * SPDX-License-Identifier: MIT */
#ifndef SNAPSHOT_SEAL_H
#define SNAPSHOT_SEAL_H

#include <stddef.h>
#include <stdint.h>

enum {
    HEAD = 64,     /* bytes before table memory */
    HEAD_SUM = 56, /* offset of the head's checksum */
    HEADER = 256,  /* bytes of table memory before the slots */
    SLOTS = HEAD + HEADER,
    TAIL = 8
};

/* Returns the checksum of data, computed bit by bit. sum: the checksum of previous data. */
static inline uint64_t seal_sum(uint64_t sum, const uint8_t *data, size_t size) {
    sum = ~sum;
    for (size_t i = 0; i < size; ++i) {
        sum ^= data[i];
        for (int bit = 0; bit < 8; ++bit) {
            sum = (sum >> 1) ^ (sum & 1 ? 0xC96C5795D7870F42u : 0);
        }
    }
    return ~sum;
}

static inline void seal_put(uint8_t *at, uint64_t sum) {
    for (int i = 0; i < 8; ++i) {
        at[i] = (uint8_t)(sum >> (8 * i));
    }
}

/* Corrects both checksums of a snapshot. */
static inline void seal(uint8_t *data, size_t size) {
    if (size >= SLOTS + TAIL) {
        seal_put(data + HEAD_SUM, seal_sum(seal_sum(0, data, HEAD_SUM), data + HEAD, HEADER));
        seal_put(data + size - TAIL, seal_sum(0, data, size - TAIL));
    }
}

#endif
