/* Shared by clocks_reference.c and busy.comp.
 * SPDX-License-Identifier: MIT */
#ifndef BUSY_LAYOUT_H
#define BUSY_LAYOUT_H

#include "murmuration/layout.h"

#define BUSY_GROUP 256

MUR_STRUCT(BusyPush) {
    MUR_ADDRESS region; /* a region of zeros */
    MUR_U32 mask;       /* number of pairs of words in the region, minus 1 */
    MUR_U32 swaps;      /* 1: compare-and-swaps, 0: reads */
};

#endif
