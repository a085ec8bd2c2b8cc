/* Push constants of murbench's kernels, for C and GLSL. SPDX-License-Identifier: MIT */
#ifndef MURBENCH_PUSH_H
#define MURBENCH_PUSH_H

#include "murmuration/layout.h"

MUR_STRUCT(PairsPush) {
    MUR_ADDRESS keys;
    MUR_ADDRESS values;
    MUR_U32 count;
    MUR_U32 constant; /* verify: what each word should be */
    MUR_U32 isValue;  /* verify: 1 if each word should be the value of its pair instead */
    MUR_U32 first;    /* index of the first pair */
};

MUR_STRUCT(RegionPush) {
    MUR_ADDRESS region;
    MUR_ADDRESS sink; /* written when the impossible happens, so that reads are not optimised away */
    MUR_U32 count;    /* accesses */
    MUR_U32 mask;     /* elements in the region - 1 */
    MUR_U32 seed;
    MUR_U32 pad;
};

#endif
