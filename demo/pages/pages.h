/* What pages.c and pages.comp agree on: the texture, what is in it, push constants.
 * SPDX-License-Identifier: MIT */
#ifndef PAGES_H
#define PAGES_H

#include "murmuration/hash.h"
#include "murmuration/pager_layout.h"
#include "common/terrain.h"

#define PAGES_WIDTH  480u
#define PAGES_HEIGHT 270u
#define PAGES_PIXELS (PAGES_WIDTH * PAGES_HEIGHT)
#define PAGES_GROUP  64u

/* The texture: level 0 has SIDE * SIDE texels, each level above it half as many a side, the last is
 * one tile. A tile is a page. */
#define PAGES_TILE_BITS 5u
#define PAGES_TILE      (1u << PAGES_TILE_BITS)
#define PAGES_LEVELS    7u
#define PAGES_SIDE      (PAGES_TILE << (PAGES_LEVELS - 1u))
#define PAGES_SIZE      (4u * PAGES_TILE * PAGES_TILE) /* bytes of a page */
#define PAGES_PINNED    4u                             /* levels from here on are always there */
#define PAGES_ALL       (((1u << (2u * PAGES_LEVELS)) - 1u) / 3u)

/* Counts of a frame. */
#define PAGES_LOOKUPS 0u
#define PAGES_AT_ONCE 1u /* by the level that was wanted; the others by a coarser one */
#define PAGES_WRONG   2u /* not even by that, or not by the terrain's texel: cannot be */
#define PAGES_COUNTS  3u

MUR_STRUCT(PagesPush) {
    MurPagerRef pager;
    MUR_ADDRESS picture;
    MUR_ADDRESS counts;
    MUR_U32 frame;
    MUR_U32 pad;
};

/* The first page of a level. */
MUR_INLINE MUR_U32 pages_first(MUR_U32 level) {
    return PAGES_ALL - ((1u << (2u * (PAGES_LEVELS - level))) - 1u) / 3u;
}

/* The page that has this texel of a level. */
MUR_INLINE MUR_U32 pages_page(MUR_U32 level, MUR_U32 x, MUR_U32 y) {
    MUR_U32 row = (y >> PAGES_TILE_BITS) << (PAGES_LEVELS - 1u - level);
    return pages_first(level) + row + (x >> PAGES_TILE_BITS);
}

/* Where it is in the page. */
MUR_INLINE MUR_U32 pages_word(MUR_U32 x, MUR_U32 y) {
    return (y & (PAGES_TILE - 1u)) * PAGES_TILE + (x & (PAGES_TILE - 1u));
}

/* What is there. */
MUR_INLINE MUR_U32 pages_texel(MUR_U32 level, MUR_U32 x, MUR_U32 y) {
    MUR_U32 east = terrain_height(2u, 9u, level, PAGES_SIDE, (x + 1u) << level, y << level);
    MUR_U32 height = terrain_height(2u, 9u, level, PAGES_SIDE, x << level, y << level);
    return terrain_color(height, east, level);
}

#endif
