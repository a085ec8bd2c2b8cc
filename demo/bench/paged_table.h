/* A table in pages, as the rows of suites paging and large use it.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MURBENCH_PAGED_TABLE_H
#define MURBENCH_PAGED_TABLE_H

#include "bench.h"

typedef struct PagedTable {
    Bench *bench;
    MurPager pager;
    MurPagedTable table;
    MurPagedTableRequirements needs;
    uint64_t gpuBytes; /* of pager and table */
    GpuBuffer stats;   /* host-visible: MurPagedStats */
    uint32_t pageSize, pageCount, frames;
    uint32_t frame; /* the engine's, so far */
    uint32_t pages; /* given out, as pagedSettle knows */
} PagedTable;

/* Given: pageCount, pageSize and poolPageCount of the pager, all but the pager of the table. The
 * table is not cleared yet, and the bench's to release. */
bool pagedOpen(PagedTable *paged, Bench *bench, MurPagerCreateInfo pager,
               MurPagedTableCreateInfo table);

/* Records. One murCmdUpdatePagedTable: so many pages may come in. */
bool pagedClear(const PagedTable *paged);
bool pagedPage(PagedTable *paged, uint32_t maxPages);

/* Pages, so many times a submission, until nothing is pending; the log must never have been
 * full. */
bool pagedSettle(PagedTable *paged, uint32_t pagings);

#endif
