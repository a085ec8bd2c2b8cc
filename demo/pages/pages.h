/* What pages.c and pages.comp agree on: the texture, what is in it, push constants.
 * SPDX-License-Identifier: MIT */
#ifndef PAGES_H
#define PAGES_H

#include "murmuration/hash.h"
#include "murmuration/pager_layout.h"

#define PAGES_WIDTH  480u
#define PAGES_HEIGHT 270u
#define PAGES_GROUP  64u

/* The texture: level 0 has SIDE * SIDE texels, each level above it half as many a side, the last is
 * one tile. A tile is a page. */
#define PAGES_TILE_BITS   5u
#define PAGES_TILE        (1u << PAGES_TILE_BITS)
#define PAGES_LEVELS      7u
#define PAGES_SIDE        (PAGES_TILE << (PAGES_LEVELS - 1u))
#define PAGES_SIZE        (4u * PAGES_TILE * PAGES_TILE) /* bytes of a page */
#define PAGES_PINNED      4u                             /* levels from here on are always there */
#define PAGES_TEXELS(bit) ((bit) & (PAGES_TILE - 1u))

/* Counts of a frame. */
#define PAGES_LOOKUPS 0u
#define PAGES_AT_ONCE 1u /* by the level that was wanted; the others by a coarser one */
#define PAGES_NOTHING 2u /* not even by that: cannot be */
#define PAGES_WRONG   3u /* --verify: the texel is not the terrain's */
#define PAGES_COUNTS  4u

MUR_STRUCT(PagesPush) {
    MurPagerRef pager;
    MUR_ADDRESS picture;
    MUR_ADDRESS counts;
    MUR_U32 frame;
    MUR_U32 verify;
};

/* The first page of a level; of level PAGES_LEVELS: how many there are. */
MUR_INLINE MUR_U32 pages_first(MUR_U32 level) {
    MUR_U32 all = 1u << (2u * PAGES_LEVELS);
    return (all - (all >> (2u * level))) / 3u;
}

/* The page that has this texel of a level. */
MUR_INLINE MUR_U32 pages_page(MUR_U32 level, MUR_U32 x, MUR_U32 y) {
    MUR_U32 row = (y >> PAGES_TILE_BITS) << (PAGES_LEVELS - 1u - level);
    return pages_first(level) + row + (x >> PAGES_TILE_BITS);
}

/* ---- The terrain, in whole numbers: the same here and there. -------------------------------- */

/* 0 ... 255, smooth between points 2^octave apart. */
MUR_INLINE MUR_U32 pages_noise(MUR_U32 octave, MUR_U32 x, MUR_U32 y) {
    MUR_U32 width = 1u << octave, last = (PAGES_SIDE >> octave) - 1u;
    MUR_U32 left = (x >> octave) & last, right = (left + 1u) & last, fx = x & (width - 1u);
    MUR_U32 top = (y >> octave) & last, bottom = (top + 1u) & last, fy = y & (width - 1u);
    MUR_U32 above = (mur_hash(left + top * PAGES_SIDE, octave) & 255u) * (width - fx) +
                    (mur_hash(right + top * PAGES_SIDE, octave) & 255u) * fx;
    MUR_U32 below = (mur_hash(left + bottom * PAGES_SIDE, octave) & 255u) * (width - fx) +
                    (mur_hash(right + bottom * PAGES_SIDE, octave) & 255u) * fx;
    return (above * (width - fy) + below * fy) >> (2u * octave);
}

/* 0 ... 32512. What is finer than a level can show counts as its mean. */
MUR_INLINE MUR_U32 pages_height(MUR_U32 level, MUR_U32 x, MUR_U32 y) {
    MUR_U32 height = 0u;
    for (MUR_U32 octave = 2u; octave < 9u; ++octave) {
        height += (octave > level ? pages_noise(octave, x, y) : 128u) << (octave - 2u);
    }
    return height;
}

/* A texel: red, green, blue by height, lit from one side. */
MUR_INLINE MUR_U32 pages_texel(MUR_U32 level, MUR_U32 x, MUR_U32 y) {
    MUR_U32 height = pages_height(level, x << level, y << level);
    MUR_U32 beside = pages_height(level, (x + 1u) << level, y << level);
    MUR_U32 light = 512u + (height - beside) / (1u << level); /* of rising ground: below */
    if (height < beside) {
        MUR_U32 shade = 2u * (beside - height) / (1u << level);
        light = shade < 352u ? 512u - shade : 160u;
    }
    light = light < 768u ? light : 768u;
    MUR_U32 r = 70u, g = 110u, b = 40u; /* grass */
    if (height < 14500u) {
        return 0xFF000000u | 150u << 16 | (60u + height / 300u) << 8 | 40u; /* water */
    } else if (height < 15000u) {
        r = 170u, g = 150u, b = 100u; /* sand */
    } else if (height > 19500u) {
        r = 165u, g = 165u, b = 170u; /* snow */
    } else if (height > 18000u) {
        r = 110u, g = 95u, b = 80u; /* rock */
    }
    return 0xFF000000u | (b * light / 512u) << 16 | (g * light / 512u) << 8 | r * light / 512u;
}

#endif
