/* Snapshots as bytes: made by the library, changed by tests.
 *
 * SPDX-License-Identifier: MIT */
#ifndef SNAPSHOT_BYTES_H
#define SNAPSHOT_BYTES_H

#include "host/image.h"
#include "seal.h"

#include <murmuration/snapshot.h>

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

/* Makes both checksums right again. */
void bytes_seal(Bytes *bytes);

#endif
