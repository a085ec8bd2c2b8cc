/* Snapshots as bytes, which the library creates and tests change; and snapshots as files.
 * SPDX-License-Identifier: MIT */
#ifndef SNAPSHOT_TEST_H
#define SNAPSHOT_TEST_H

#include "support/image.h"
#include "seal.h"

#include <murmuration/snapshot.h>

typedef struct Bytes {
    uint8_t *data;
    size_t size;
} Bytes;

/* Returns the table's snapshot. */
Bytes bytes_of(const MurHostTable *table);
void bytes_free(Bytes *bytes);
/* Loads the bytes, and requires this result. */
void bytes_load(const Bytes *bytes, const Image *image, VkResult expected);

void bytes_set(Bytes *bytes, size_t at, uint32_t word);
/* For tests with files in the current folder: files_here returns their number, image_with returns a
 * table with some entries, and check_file requires that a file contains this table. */
uint32_t files_here(void);
Image image_with(uint64_t capacity, uint32_t entries);
void check_file(const char *path, const Image *expected);

#endif
