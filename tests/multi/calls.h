/* What calls.comp takes and gives. SPDX-License-Identifier: MIT */
#ifndef MUR_TEST_MULTI_CALLS_H
#define MUR_TEST_MULTI_CALLS_H

#include "murmuration/layout.h"

#define CALLS_INSERT    0u
#define CALLS_ERASE     1u
#define CALLS_ERASE_KEY 2u
#define CALLS_VISIT     3u
#define CALLS_PLAIN     4u /* calls for one value a key; status: of all of them */

MUR_STRUCT(CallsPush) {
    MurTableRef table;
    MUR_U32 count;
    MUR_U32 operation;
    MUR_U32 wide; /* calls with 64-bit keys */
};

MUR_STRUCT(CallsItem) {
    MUR_U32 key;
    MUR_U32 keyHigh;
    MUR_U32 value;  /* of a pair; visit: what find gave */
    MUR_U32 status; /* visit: of find, and how many were visited, times 256 */
    MUR_U32 count;
    MUR_U32 sum; /* of values visited */
    MUR_U32 got; /* of values got by their ordinals */
    MUR_U32 padding;
};

#endif
