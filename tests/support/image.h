/* Table memory on the host, placed directly before or after memory that cannot be accessed.
 * SPDX-License-Identifier: MIT */
#ifndef MUR_TEST_IMAGE_H
#define MUR_TEST_IMAGE_H

#include "cases.h"
#include "kinds.h"
#include "random.h"

#include <murmuration/host.h>
#include <murmuration/words.h>

#include <stdbool.h>

/* A table in host memory, with an inaccessible page before and after it. */
typedef struct Image {
    MurHostTable table;
    uint64_t size;
    void *mapping;
    size_t mapped;
} Image;

/* Which end of the table is adjacent to an inaccessible page: its last byte or its first byte. */
typedef enum ImageEdge { IMAGE_ENDS_AT_EDGE, IMAGE_STARTS_AT_EDGE } ImageEdge;

/* Creates an empty table. A rejected description fails the test. */
Image image_open(const MurTableCreateInfo *info);
Image image_open_at(const MurTableCreateInfo *info, ImageEdge edge);
void image_close(Image *image);

/* Returns the number of entries. */
uint32_t image_live(const MurHostTable *table);
void image_require_same_entries(const MurHostTable *table, const MurHostTable *copy);

/* Returns a short description of a table for messages. The text is valid until the next call. */
const char *image_text(const MurTableCreateInfo *info);

#endif
