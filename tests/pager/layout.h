/* Shared by the tests of pagers and their shader.
 * SPDX-License-Identifier: MIT */
#ifndef PAGER_TEST_LAYOUT_H
#define PAGER_TEST_LAYOUT_H

#include "murmuration/pager_layout.h"

#define VISIT_LOAD       0u
#define VISIT_STORE      1u
#define VISIT_STORE_QUAD 2u /* stores value, value + 1, value + 2, value + 3 */
#define VISIT_PEEK       3u
#define VISIT_SUM        4u /* returns the sum of value and all words of the page */
#define VISIT_FRAME      5u /* stores to pool page number `page`, even if it is invalid */
#define VISIT_VERBS      6u

/* A visit is one access of a shader to a page. Its result has this many words: the pool page or
 * MUR_NO_POOL_PAGE, and the loaded value. */
#define VISIT_ANSWER 2u

MUR_STRUCT(VisitItem) {
    MUR_U32 page;
    MUR_U32 verb; /* VISIT_* */
    MUR_U32 word;
    MUR_U32 value;
    MUR_U32 priority;
};

MUR_STRUCT(VisitPush) {
    MurPagerRef pager;
    MUR_ADDRESS items;
    MUR_ADDRESS answers;
    MUR_U32 count;
    MUR_U32 pad;
};

#endif
