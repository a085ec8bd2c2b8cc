/* Tables in pages: what their commands need of them.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MUR_PAGED_H
#define MUR_PAGED_H

#include "pager.h"

#include <murmuration/paged.h>

struct MurPagedTable_T {
    MurContext context;
    MurPager pager;
    MurPagedShape shape;
    MurBuffer memory; /* of the library's own; else none */
    bool read;        /* the store has what the file has of the table besides its pages */
};

/* Is what the store has besides pages this table's? */
VkResult mur_check_kept(MurPagedTable table, const char *function);

#endif
