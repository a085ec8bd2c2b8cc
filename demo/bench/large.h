/* Suite large: tables in pages that are far larger than the GPU's share of them.
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

/* A table in pages of 2^log2 items, which come in parts of 2^partLog2. */
typedef struct LargeTable {
    const Large *large;
    PagedTable on;
    uint32_t kind, log2, partLog2;
    GpuBuffer keys, values;   /* of a part, to be inserted */
    GpuBuffer queries, found; /* of a part, to be found */
    GpuBuffer scratch;
    LargeItems items; /* that are looked for */
} LargeTable;

/* Makes what is beside the table, which is open: keys and values in memory of this kind. */
bool largeOpen(LargeTable *table, GpuMemory memory);

LargeItems largePart(const LargeTable *table, uint32_t part);
/* Inserts a part, the first one into the cleared table; milliseconds: of the command. */
bool largeInsert(LargeTable *table, uint32_t part, double *milliseconds);
/* Chooses the items that are looked for, makes their keys and forgets what was found. */
bool largeAsk(LargeTable *table, LargeItems items);
/* Records a find of those (user: the table). And checks what it found. */
bool largeFind(Bench *bench, void *user);
bool largeVerify(const LargeTable *table, const char *operation);
/* Every part is found, with its values. */
bool largeHolds(LargeTable *table, const char *operation);

/* A row on the table, of this many pairs. */
Row largeRow(const LargeTable *table, const char *operation, uint32_t pairs, Timing timing);

/* Inserts and finds over all pages of a table of 2^31 pairs, or as many as the host's memory
 * takes. */
bool largeStreamRows(const Large *large);
/* A camera over a terrain of bricks. */
bool largeFlyRows(const Large *large);

#endif
