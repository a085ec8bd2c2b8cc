/* Parameters and results of visit.comp. SPDX-License-Identifier: MIT */
#ifndef MUR_TEST_VISIT_H
#define MUR_TEST_VISIT_H

#include "murmuration/layout.h"

MUR_STRUCT(VisitPush) {
    MurTableRef table;
    MUR_ADDRESS groups;
    MUR_U32 count; /* number of keys */
    MUR_U32 base;  /* offset of the groups in the bound array */
};

MUR_STRUCT(VisitItem) {
    MUR_U32 key;
    MUR_U32 keyHigh;
    MUR_U32 count; /* written: visited values; 0xFFFFFFFF: the key has no group */
    MUR_U32 sum;
};

#endif
