/* Plans of commands on pagers and paged tables.
 * SPDX-License-Identifier: MIT */
#ifndef MUR_PLAN_PAGING_H
#define MUR_PLAN_PAGING_H

#include "../plan/steps.h"

#include <murmuration/paged.h>

/* Input of plans: a pager. */
typedef struct MurPagerShape {
    MurPagerRef ref;
    uint64_t block; /* address; the pool ends at block + bytes, unless the store is the pool */
    uint64_t bytes;
    uint64_t chunks[MUR_PAGER_CHUNKS]; /* addresses */
    uint32_t chunkCount;
    uint32_t chunkShift;
    uint32_t framesInFlight;
    uint32_t moveGroups; /* maximum number of workgroups that move pages */
    bool resident;       /* the store is the pool */
    /* Address of the lists that the host shares with the GPU; 0: the pager has no file. Those of a
     * frame begin at lists + listsSize * (frame % listsCount). */
    uint64_t lists;
    uint64_t listsSize;  /* bytes */
    uint32_t listsCount; /* a power of two, because frame numbers wrap */
    uint32_t maxListed;  /* capacity of each list, in pages */
    uint32_t hostPages;  /* pages of the store */
} MurPagerShape;

/* Input of plans: a paged table. */
typedef struct MurPagedShape {
    MurPagedRef ref;
    uint64_t bytes; /* from the partition table to the end of the state */
    /* A checkpoint writes the first keptBytes of these bytes to the store, in the persistentPages
     * pages of the pager that follow the pages of the reference. 0: the table is not persistent. */
    uint64_t keptBytes;
    uint32_t persistentPages;
} MurPagedShape;

/* plan_pager.c */
MurPlanner mur_plan_pages, mur_plan_clear_pager, mur_plan_update_pager, mur_plan_flush_pager;
/* plan_paged.c. A build first empties the table. */
MurPlanner mur_plan_clear_paged, mur_plan_flush_paged, mur_plan_update_paged_table;
MurPlanner mur_plan_paged_batch, mur_plan_paged_build, mur_plan_paged_extract;
MurPlanner mur_plan_paged_rehash;

/* In plan_pager.c. keep: a step to append to a checkpoint before the step that pins pages, or NULL.
 * A paged table passes the step that copies its own memory to the store. */
void mur_plan_update(const MurPagerShape *pager, const MurPagerUpdate *paging, const MurStep *keep,
                     MurPlan *plan);

/* plan_paged.c. Return the bytes of scratch memory for batches of maxCount items: with this number
 * of own pages (copies of pages in scratch memory), and with the minimum number. */
uint64_t mur_paged_scratch(const MurPagedShape *table, uint32_t maxCount, uint64_t pages);
uint64_t mur_paged_scratch_minimum(const MurPagedShape *table, uint32_t maxCount);
/* Returns the number of own pages with which a command is fastest. */
uint64_t mur_paged_own_pages(const MurPagedShape *table);

#endif
