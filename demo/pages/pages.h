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
#define PAGES_TILE_BITS   5u
#define PAGES_TILE        (1u << PAGES_TILE_BITS)
#define PAGES_LEVELS      7u
#define PAGES_SIDE        (PAGES_TILE << (PAGES_LEVELS - 1u))
#define PAGES_SIZE        (4u * PAGES_TILE * PAGES_TILE) /* bytes of a page */
#define PAGES_PINNED      4u                             /* levels from here on are always there */
#define PAGES_ALL         (((1u << (2u * PAGES_LEVELS)) - 1u) / 3u)

/* Counts of a frame. */
#define PAGES_LOOKUPS 0u
#define PAGES_AT_ONCE 1u /* by the level that was wanted; the others by a coarser one */
#define PAGES_NOTHING 2u /* not even by that: cannot be */
#define PAGES_WRONG   3u /* the texel is not the terrain's */
#define PAGES_COUNTS  4u

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

/* ---- The terrain, in whole numbers: the same here and there. -------------------------------- */

/* 0 ... 32512. What is finer than a level can show counts as its mean. */
MUR_INLINE MUR_U32 pages_height(MUR_U32 level, MUR_U32 x, MUR_U32 y) {
    MUR_U32 height = 0u;
    for (MUR_U32 octave = 2u; octave < 9u; ++octave) {
        height += (octave > level ? terrain_noise(octave, (PAGES_SIDE >> octave) - 1u, x, y) : 128u) << (octave - 2u);
    }
    return height;
}

/* A texel: red, green, blue by height, lit from one side. */
MUR_INLINE MUR_U32 pages_texel(MUR_U32 level, MUR_U32 x, MUR_U32 y) {
    MUR_U32 height = pages_height(level, x << level, y << level);
    MUR_U32 beside = pages_height(level, (x + 1u) << level, y << level);
    MUR_U32 up = (height > beside ? height - beside : 0u) >> level;
    MUR_U32 down = (beside > height ? beside - height : 0u) >> level;
    MUR_U32 light = 512u + (up < 256u ? up : 256u) - (down < 176u ? 2u * down : 352u);
    if (height < 14500u) {
        return 0xFF962828u + (32u + height / 300u) * 256u; /* water, darker where it is deep */
    }
    MUR_U32 color = height < 15000u   ? 0x6496AAu  /* sand: blue, green, red */
                    : height < 18000u ? 0x286E46u  /* grass */
                    : height < 19500u ? 0x505F6Eu  /* rock */
                                      : 0xAAA5A5u; /* snow */
    MUR_U32 r = (color & 255u) * light / 512u, g = (color >> 8u & 255u) * light / 512u;
    return 0xFF000000u | ((color >> 16u) * light / 512u) << 16u | g << 8u | r;
}

#endif
