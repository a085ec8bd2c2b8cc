/* Images for tests: memory that ends where the image ends.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MUR_TEST_IMAGE_H
#define MUR_TEST_IMAGE_H

#include "cases.h"
#include "kinds.h"
#include "random.h"

#include <murmuration/host.h>
#include <murmuration/words.h>

#include <stdbool.h>

/* The image's memory has pages before and after it that cannot be touched. */
typedef struct Image {
    MurHostTable table;
    uint64_t size;
    void *mapping;
    size_t mapped;
} Image;

/* The last byte of the memory is right before a forbidden page, or the first right after one. */
typedef enum ImageEdge { IMAGE_ENDS_AT_EDGE, IMAGE_STARTS_AT_EDGE } ImageEdge;

/* An empty table; a description that is refused fails the test. */
Image image_open(const MurTableCreateInfo *info);
Image image_open_at(const MurTableCreateInfo *info, ImageEdge edge);
void image_close(Image *image);

/* How many entries; fails the test unless the one table has those of the other, and no more. */
uint32_t image_live(const MurHostTable *table);
void image_require_same_entries(const MurHostTable *table, const MurHostTable *copy);

/* A short description of a table for messages; the text lasts until the next call. */
const char *image_text(const MurTableCreateInfo *info);

#endif
