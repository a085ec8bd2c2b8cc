/* A paged table, for the suites paging and large.
 * SPDX-License-Identifier: MIT */
#ifndef MURBENCH_PAGED_TABLE_H
#define MURBENCH_PAGED_TABLE_H

#include "bench.h"

typedef struct PagedTable {
    Bench *bench;
    MurPager pager;
    MurPagedTable table;
    MurPagedTableRequirements needs;
    uint64_t gpuBytes; /* bytes of the pager and the table */
    GpuBuffer stats;   /* host-visible: MurPagedStats */
    uint32_t pageSize, pageCount, frames;
    uint32_t frame; /* the engine's frame number */
    uint32_t pages; /* allocated pages at the last pagedSettle */
} PagedTable;

/* Opens a table that is not cleared, and which the bench releases. Requires pageCount, pageSize and
 * poolPageCount of the pager, and all fields of the table except the pager. */
bool pagedOpen(PagedTable *paged, Bench *bench, MurPagerCreateInfo pager,
               MurPagedTableCreateInfo table);

/* Each records a command. pagedPage records one murCmdUpdatePagedTable that loads at most maxPages
 * pages. */
bool pagedClear(const PagedTable *paged);
bool pagedPage(PagedTable *paged, uint32_t maxPages);

/* Runs murCmdUpdatePagedTable, `pagings` times per submission, until no write is pending. Fails if
 * the log was ever full. */
bool pagedSettle(PagedTable *paged, uint32_t pagings);

#endif
