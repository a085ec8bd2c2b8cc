/* Shared by check.c and check.comp. SPDX-License-Identifier: MIT */
#ifndef CHECK_H
#define CHECK_H

#include "murmuration/layout.h"

/* Phases of the shader. CHECK_COPIES invocations make the same call at the same time, each in
 * another workgroup. */
#define CHECK_INSERT 0u /* inserts each key */
#define CHECK_ADD    1u /* adds 1 to each value */
#define CHECK_MIXED  2u /* finds each key while other invocations insert further keys */
#define CHECK_ERASE  3u /* erases each key */
#define CHECK_COPIES 32u

/* The result for one key. */
MUR_STRUCT(CheckKey) {
    MUR_U32 successes; /* calls that returned MUR_INSERTED, MUR_FOUND or MUR_ERASED */
    MUR_U32 failures;  /* calls with another result than the phase allows */
    MUR_U32 leastSlot; /* of all calls */
    MUR_U32 mostSlot;
};

MUR_STRUCT(CheckPush) {
    MurTableRef table;
    MUR_ADDRESS results; /* an array of CheckKey */
    MUR_U32 count;       /* of keys */
    MUR_U32 phase;
};

#endif
