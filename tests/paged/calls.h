/* Shared by the tests of paged tables and their shader.
 * SPDX-License-Identifier: MIT */
#ifndef PAGED_TEST_CALLS_H
#define PAGED_TEST_CALLS_H

#include "murmuration/paged_layout.h"

/* Verbs (operations of items) in addition to MUR_MODE_* and MUR_PAGED_ERASE. */
#define CALL_FIND 16u
#define CALL_PEEK 17u

MUR_STRUCT(CallItem) {
    MUR_U32 keyLow;
    MUR_U32 keyHigh;
    MUR_U32 valueLow;
    MUR_U32 valueHigh;
    MUR_U32 name;
    MUR_U32 verb;
    MUR_U32 status; /* written by the shader */
    MUR_U32 oldLow; /* written by the shader: the found value or the replaced value */
    MUR_U32 oldHigh;
    MUR_U32 pad;
};

/* The push constants are only the address of this struct. */
MUR_STRUCT(CallPush) {
    MurPagedRef table;
    MUR_ADDRESS items;
    MUR_U32 count;
    MUR_U32 pad;
};

#endif
