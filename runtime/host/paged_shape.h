/* What follows from the description of a table in pages: the same for the GPU and for the host.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MUR_PAGED_SHAPE_H
#define MUR_PAGED_SHAPE_H

#include <murmuration/paged.h>

#include <stdbool.h>

/* What is wrong with it, for a pager of so many pages; NULL: nothing. Its table is another's to
 * check. */
const char *mur_bad_paged_info(const MurPagedTableCreateInfo *info, uint32_t pageCount);

/* Of a description that is right. pager: with all its pages; flags: MUR_TABLE_*. */
typedef struct MurPagedDescription {
    MurPagedRef ref;    /* addresses from 0 on; its pager without the pages that are kept */
    uint64_t keptBytes; /* of groups and state, what is kept in the store */
    uint32_t keptPages; /* that take it */
} MurPagedDescription;
MurPagedDescription mur_describe_paged(const MurPagedTableCreateInfo *info, MurPagerRef pager,
                                       uint32_t flags, bool kept);

/* The table in a page. */
MurTableCreateInfo mur_paged_page_info(const MurPagedTableCreateInfo *info);

#endif
