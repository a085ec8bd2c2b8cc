/* What cache.c and the shaders agree on. SPDX-License-Identifier: MIT */
#include "murmuration/layout.h"

#define CACHE_WIDTH  640u
#define CACHE_HEIGHT 360u
#define CACHE_PIXELS (CACHE_WIDTH * CACHE_HEIGHT)
#define CACHE_RUN    16u /* a path is traced for one of so many pixels */
#define CACHE_GROUP  64u
#define CACHE_CELL   32u /* bytes of a CacheCell */
#define CACHE_OLDEST 15u /* frames without a sample, after which a cell goes */

#define CACHE_UPDATE  0u /* a path: finds or inserts cells, adds samples to them */
#define CACHE_RESOLVE 1u /* a slot: takes the samples in, ages, evicts */
#define CACHE_QUERY   2u /* a pixel: looks its cell up */

/* Counts of a frame by status, of inserts; MUR_FOUND: cells that stay, MUR_ERASED: that went. */
#define CACHE_SAMPLES 0u /* that were taken in */
#define CACHE_COUNTS  8u

MUR_STRUCT(CachePush) {
    MurSetRef cells;
    MUR_U32 frame, phase;
};
