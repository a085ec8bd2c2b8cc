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
    GpuKernel pairs;
} Large;

/* Items of a batch: see LargePush. */
typedef struct LargeItems {
    uint32_t kind, first, count, stride, mask;
} LargeItems;

/* Records: keys and values of items, into memory of any kind. values is as long as count. */
void largeMake(const Large *large, const LargeItems *items, const GpuBuffer *keys,
               const GpuBuffer *values);
/* The first values are those of items. Submits. */
bool largeVerify(const Large *large, const char *operation, const LargeItems *items,
                 const GpuBuffer *values);

/* A batch on these arrays, of 8 bytes a key. */
MurPagedBatch largeBatch(const LargeItems *items, const GpuBuffer *keys, const GpuBuffer *values,
                         const GpuBuffer *scratch);

/* Inserts and finds over all pages of a table of 2^31 pairs, or as many as the host's memory
 * takes. */
bool largeStreamRows(const Large *large);
/* A camera over a terrain of bricks. */
bool largeFlyRows(const Large *large);

#endif
