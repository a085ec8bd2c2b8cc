/* SPDX-License-Identifier: MIT */
#include "bytes.h"

#include <stdlib.h>

Bytes bytes_of(const MurHostTable *table) {
    Bytes bytes = {.size = (size_t)murGetSnapshotSize(table)};
    bytes.data = malloc(bytes.size);
    assert_non_null(bytes.data);
    assert_int_equal(murWriteSnapshot(table, bytes.data, bytes.size), VK_SUCCESS);
    return bytes;
}

void bytes_free(Bytes *bytes) {
    free(bytes->data);
    *bytes = (Bytes){0};
}

void bytes_load(const Bytes *bytes, const Image *image, VkResult expected) {
    assert_int_equal(murLoadSnapshotFromMemory(bytes->data, bytes->size, &image->table), expected);
}

uint32_t bytes_word(const Bytes *bytes, size_t at) {
    const uint8_t *p = bytes->data + at;
    return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

void bytes_set(Bytes *bytes, size_t at, uint32_t word) {
    for (size_t i = 0; i < 4; ++i) {
        bytes->data[at + i] = (uint8_t)(word >> (8 * i));
    }
}

uint64_t bytes_sum(uint64_t sum, const uint8_t *data, size_t size) {
    sum = ~sum;
    for (size_t i = 0; i < size; ++i) {
        sum ^= data[i];
        for (int bit = 0; bit < 8; ++bit) {
            sum = (sum >> 1) ^ (sum & 1 ? 0xC96C5795D7870F42u : 0);
        }
    }
    return ~sum;
}

static void set_sum(Bytes *bytes, size_t at, uint64_t sum) {
    bytes_set(bytes, at, (uint32_t)sum);
    bytes_set(bytes, at + 4, (uint32_t)(sum >> 32));
}

void bytes_seal(Bytes *bytes) {
    uint64_t sum = bytes_sum(0, bytes->data, HEAD_SUM);
    set_sum(bytes, HEAD_SUM, bytes_sum(sum, bytes->data + HEAD, 256));
    set_sum(bytes, bytes->size - TAIL, bytes_sum(0, bytes->data, bytes->size - TAIL));
}
