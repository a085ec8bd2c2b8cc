/* Suite large: paged tables far larger than their fraction on the GPU.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MURBENCH_LARGE_H
#define MURBENCH_LARGE_H

#include "paged_table.h"
#include "shaders/push.h"

typedef struct Large {
    Bench *bench;
    LinkRates link;
} Large;

/* Items of a batch: see LargePush. */
typedef struct LargeItems {
    uint32_t kind, first, count, stride, mask;
} LargeItems;

/* A paged table of 2^log2 items, in parts of 2^partLog2. */
typedef struct LargeTable {
    const Large *large;
    PagedTable on;
    uint32_t kind, log2, partLog2;
    GpuBuffer keys, values;   /* of a part, to insert */
    GpuBuffer queries, found; /* of a part, to find */
    GpuBuffer scratch;
    LargeItems items; /* to find */
} LargeTable;

/* Creates the objects besides the open table: keys and values in memory of this type. */
bool largeOpen(LargeTable *table, GpuMemory memory);

LargeItems largePart(const LargeTable *table, uint32_t part);
/* Inserts a part, the first one into the cleared table. milliseconds: of the command. */
bool largeInsert(LargeTable *table, uint32_t part, double *milliseconds);
/* Selects the items to find, writes their keys and clears the results. */
bool largeAsk(LargeTable *table, LargeItems items);
/* Records a find of these items (user: the table). largeCheck: checks the results. */
bool largeFind(Bench *bench, void *user);
bool largeVerify(const LargeTable *table, const char *operation);
/* Finds every part, with its values. */
bool largeHolds(LargeTable *table, const char *operation);

/* Returns a row for the table with this many pairs. */
Row largeRow(const LargeTable *table, const char *operation, uint32_t pairs, Timing timing);

/* Inserts and finds over all pages of a table with 2^31 pairs, or as many as host memory holds. */
bool largeStreamRows(const Large *large);
/* A camera flying over a terrain of bricks. */
bool largeFlyRows(const Large *large);

#endif
