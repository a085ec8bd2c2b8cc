/* Snapshots as bytes: made by the library, changed by tests.
 *
 * SPDX-License-Identifier: MIT */
#ifndef SNAPSHOT_BYTES_H
#define SNAPSHOT_BYTES_H

#include "host/image.h"

#include <murmuration/snapshot.h>

enum {
    HEAD = 64,          /* bytes before the image */
    HEAD_SUM = 56,      /* where the head's checksum is */
    SLOTS = HEAD + 256, /* where the slots begin */
    TAIL = 8
};

typedef struct Bytes {
    uint8_t *data;
    size_t size;
} Bytes;

/* The table's snapshot. */
Bytes bytes_of(const MurHostTable *table);
void bytes_free(Bytes *bytes);
/* They are loaded, or refused so. */
void bytes_load(const Bytes *bytes, const Image *image, VkResult expected);

uint32_t bytes_word(const Bytes *bytes, size_t at);
void bytes_set(Bytes *bytes, size_t at, uint32_t word);

/* The checksum, bit by bit; written a second time, on purpose. */
uint64_t bytes_sum(uint64_t sum, const uint8_t *data, size_t size);

/* Makes both checksums right again. */
void bytes_seal(Bytes *bytes);

#endif
