/* SPDX-License-Identifier: MIT */
#include "bytes.h"

#include <stdlib.h>

Bytes bytes_of(const MurHostTable *table) {
    Bytes bytes = {.size = (size_t)murGetSnapshotSize(table)};
    bytes.data = test_allocate(bytes.size);
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

void bytes_seal(Bytes *bytes) {
    seal(bytes->data, bytes->size);
}
