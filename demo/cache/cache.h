/* What cache.c and cache.comp agree on. SPDX-License-Identifier: MIT */
#ifndef CACHE_H
#define CACHE_H

#include "murmuration/layout.h"

#define CACHE_WIDTH  320u
#define CACHE_HEIGHT 180u
#define CACHE_PIXELS (CACHE_WIDTH * CACHE_HEIGHT)
#define CACHE_GROUP  64u
#define CACHE_PARTS  4u /* an entry is updated in one of so many frames */

/* Buffers. */
#define CACHE_AGES    0u /* by slot */
#define CACHE_LIGHT   1u /* by slot, a vec4: light that falls onto the cell, from how many rays */
#define CACHE_LIVE    2u /* slots */
#define CACHE_ERASED  3u /* slots */
#define CACHE_SEEN    4u /* by pixel: a slot */
#define CACHE_PICTURE 5u /* by pixel: a colour */
#define CACHE_RESULT  6u /* MurAgeResult */
#define CACHE_COUNTS  7u /* by status of mur_insert, and one more: entries with a parent */
#define CACHE_BUFFERS 8u

#define CACHE_LOOK   0u /* a pixel: what it sees, its entry */
#define CACHE_CLEAR  1u /* light of entries that went */
#define CACHE_UPDATE 2u /* an entry: one more ray of light */
#define CACHE_SHADE  3u /* a pixel: its colour */

MUR_STRUCT(CachePush) {
    MurTableRef table;
    MUR_ADDRESS at[CACHE_BUFFERS];
    MUR_U32 frame;
    MUR_U32 phase;
};

#endif
