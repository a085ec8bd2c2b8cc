/* Paged tables that are far larger than the GPU memory that they use.
 * SPDX-License-Identifier: MIT */
#ifndef MURBENCH_LARGE_H
#define MURBENCH_LARGE_H

#include "paged_table.h"
#include "shaders/push.h"

/* Items of a batch: see LargePush. */
typedef struct LargeItems {
    uint32_t kind, first, count, stride, mask;
} LargeItems;

/* A paged table of 2^log2 items. Batches process parts of 2^partLog2 items. */
typedef struct LargeTable {
    Bench *bench;
    const char *suite;
    const LinkRates *link;
    PagedTable on;
    uint32_t kind, log2, partLog2;
    GpuBuffer keys, values;   /* pairs of a part to insert */
    GpuBuffer queries, found; /* keys of a part to find, and results */
    GpuBuffer scratch;
    LargeItems items; /* items to find */
} LargeTable;

/* Creates all objects except the open table. Keys and values are in memory of this type. */
bool largeOpen(LargeTable *table, GpuMemory memory);

LargeItems largePart(const LargeTable *table, uint32_t part);
/* Inserts a part; the first part into the cleared table. milliseconds: of the command. */
bool largeInsert(LargeTable *table, uint32_t part, double *milliseconds);
/* Selects the items to find, writes their keys and clears the results. */
bool largeAsk(LargeTable *table, LargeItems items);
/* largeFind records a find of these items (user: the table). largeVerify checks the results. */
bool largeFind(Bench *bench, void *user);
bool largeVerify(const LargeTable *table, const char *operation);
/* Finds every part, and checks its values. */
bool largeHolds(LargeTable *table, const char *operation);

/* Returns a row for the table with this many pairs. */
Row largeRow(const LargeTable *table, const char *operation, uint32_t pairs, Timing timing);

/* Adds rows: a camera flies over a terrain of bricks. */
bool largeFlyRows(Bench *bench, const LinkRates *link);

#endif
