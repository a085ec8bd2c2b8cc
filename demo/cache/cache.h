/* Shared by cache.c and the shaders. SPDX-License-Identifier: MIT */
#include "murmuration/layout.h"

#define CACHE_WIDTH  640u
#define CACHE_HEIGHT 360u
#define CACHE_PIXELS (CACHE_WIDTH * CACHE_HEIGHT)
#define CACHE_RUN    16u /* one pixel in CACHE_RUN traces a path */
#define CACHE_GROUP  64u
#define CACHE_CELL   32u /* bytes of a CacheCell */
#define CACHE_OLDEST 15u /* cells are evicted after this many frames without a sample */

#define CACHE_UPDATE  0u /* one path: finds or inserts cells, adds samples */
#define CACHE_RESOLVE 1u /* one slot: merges samples, ages, evicts */
#define CACHE_QUERY   2u /* one pixel: looks up its cell */

/* Counts of a frame: by status of inserts; MUR_FOUND: retained cells, MUR_ERASED: evicted ones. */
#define CACHE_SAMPLES 0u /* merged samples */
#define CACHE_COUNTS  8u

MUR_STRUCT(CachePush) {
    MurSetRef cells;
    MUR_U32 frame, phase, reserved, pad; /* reserved: slots of a bucket that stay free */
};
