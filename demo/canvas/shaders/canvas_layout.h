/* Shared by C and GLSL: keys, texels, dabs, offsets in buffers, push constants. All arithmetic is
 * of integers, so that a painting is the same on every device.
 * SPDX-License-Identifier: MIT */
#ifndef CANVAS_LAYOUT_H
#define CANVAS_LAYOUT_H

#include "murmuration/hash.h"
#include "murmuration/pager_layout.h"

/* A painting is 2^20 pixels a side, in tiles of 128 x 128. Level 0 is its pixels; a texel of each
 * level above is the mean of four below it. The last level is one tile. */
#define CANVAS_TILE_BITS  7u
#define CANVAS_TILE       (1u << CANVAS_TILE_BITS)
#define CANVAS_TILE_SHIFT 17u /* of a tile's bytes: 8 a texel */
#define CANVAS_SIDE_BITS  13u /* tiles a side */
#define CANVAS_SIDE       (1u << CANVAS_SIDE_BITS)
#define CANVAS_PIXELS     (CANVAS_SIDE * CANVAS_TILE)
#define CANVAS_LEVELS     (CANVAS_SIDE_BITS + 1u)
#define CANVAS_LAYERS     4u

/* A texel is two words: red and green, blue and alpha, premultiplied, 0 to CANVAS_ONE each. */
#define CANVAS_ONE_BITS 15u
#define CANVAS_ONE      (1u << CANVAS_ONE_BITS)
#define CANVAS_HALF     (CANVAS_ONE >> 1u)

/* Of a batch. */
#define CANVAS_DABS       16384u  /* and of a stroke */
#define CANVAS_MAX_TILES  1024u   /* of each level; a square of a power of two */
#define CANVAS_PAIRS      262144u /* of a dab and a tile */
#define CANVAS_MAX_RADIUS 2048u   /* pixels */
#define CANVAS_FRACTION   256u    /* of a pixel, in dabs */
#define CANVAS_STROKES    4096u   /* more than can be undone; a power of two */

/* A tile is painted by 16 workgroups, a block of 32 x 32 texels each. */
#define CANVAS_BLOCK       32u
#define CANVAS_BLOCK_ROW   (CANVAS_TILE / CANVAS_BLOCK)
#define CANVAS_BLOCKS      (CANVAS_BLOCK_ROW * CANVAS_BLOCK_ROW)
#define CANVAS_BLOCKS_SEEN 0x10000u /* of such blocks' count */
#define CANVAS_BLOCKS_LOST 0x1000000u
#define CANVAS_LANES       8u   /* of such a workgroup's invocations, each way */
#define CANVAS_GROUP       32u  /* invocations of the other shaders' workgroups */
#define CANVAS_FEW         256u /* workgroups that go over what strokes have in the log */
#define CANVAS_VIEW_GROUP  16u  /* pixels of a view, a side */

/* Words of the state: for each level the number of touched tiles, as an indirect dispatch. */
#define CANVAS_COMMANDS 0u
#define CANVAS_FREE     (3u * CANVAS_LEVELS) /* tiles that are free again */
#define CANVAS_USED     (CANVAS_FREE + 1u)   /* tiles that were ever taken, from 1 on */
#define CANVAS_LOGGED   (CANVAS_FREE + 2u)   /* entries of the log, ever */
#define CANVAS_KEYS     (CANVAS_FREE + 3u)   /* in the table */
#define CANVAS_FAILED   (CANVAS_FREE + 4u)   /* tiles without room, or not there: cannot be */
#define CANVAS_OLDEST   (CANVAS_FREE + 5u)   /* entry of the log that is still needed */
#define CANVAS_ENDS     (CANVAS_FREE + 6u)   /* where strokes end in the log: a ring */
#define CANVAS_STATE    (CANVAS_ENDS + CANVAS_STROKES)

/* Buffers. A slot's words: the last batch that touched it; the last stroke that gave it a tile; the
 * counts of finished blocks and of blocks that are not empty; in level 0 the tile before the last
 * stroke. An entry of the list of touched tiles: key, slot, previous tile (in level 0: of the time
 * before the stroke), new tile. An entry of the log: key, tile. */
#define CANVAS_PART_STATE   0u
#define CANVAS_PART_LOG     1u
#define CANVAS_PART_TABLE   2u
#define CANVAS_PART_FREE    3u /* the tiles that are free again */
#define CANVAS_PART_SLOTS   4u
#define CANVAS_PART_TOUCHED 5u /* CANVAS_MAX_TILES for each level */
#define CANVAS_PART_DABS    6u
#define CANVAS_PART_PARTS   7u /* CanvasParts */
#define CANVAS_PARTS        8u

/* Read by all shaders. A tile is a page of the pager; page 0 is no tile. */
MUR_STRUCT(CanvasParts) {
    MurPagerRef pager; /* in this frame */
    MUR_ADDRESS at[CANVAS_PARTS];
};

/* Tiles, from the first to the last. */
MUR_STRUCT(CanvasBox) {
    MUR_U32 x0, y0, x1, y1;
};

/* A piece of a stroke: the capsule that a round brush covers on a straight way. Lengths are in
 * units of 2^shift fractions of a pixel, so that products have 32 bits: reach + radius is at most
 * 2^16. */
MUR_STRUCT(CanvasDab) {
    int x, y;               /* of the middle of the way, in fractions of a pixel */
    int towardsX, towardsY; /* the direction of the way, CANVAS_UNIT long */
    MUR_U32 reach;          /* half of the way */
    MUR_U32 shift;
    MUR_U32 radius;
    MUR_U32 inverse; /* 2^31 / radius, rounded up */
    MUR_U32 gain;    /* how steep its edge is: 256 for one that begins in the centre */
    MUR_U32 opacity; /* to CANVAS_ONE */
    MUR_U32 flow;    /* 0: the dab with the largest cover counts; else the paint of a dab */
    CanvasBox box;   /* that it may touch */
};
#define CANVAS_UNIT_BITS 14u
#define CANVAS_UNIT      (1 << CANVAS_UNIT_BITS)

MUR_STRUCT(CanvasPush) { /* of the shaders that paint */
    MurTableRef table;
    MUR_ADDRESS parts;
    MUR_U32 color[2]; /* a texel; 0: an eraser */
    MUR_U32 layer, stroke, batch, dabs;
    CanvasBox box;       /* in which they are painted */
    MUR_U32 first, last; /* history.comp: strokes of the ring, behind the first */
    MUR_U32 logMask, tiles, level;
    MUR_U32 drops; /* history.comp: strokes are given up */
};

MUR_STRUCT(CanvasView) {
    int first[2];        /* texel of the level, of the first pixel */
    MUR_U32 fraction[2]; /* of a texel, 16 bits */
    MUR_U32 step;        /* texels from pixel to pixel, 16 bits of fraction; to CANVAS_MAX_STEP */
    MUR_U32 level;
    MUR_U32 size[2]; /* in pixels */
    MUR_U32 soft;    /* 255: bilinear; 0: the nearest texel */
    MUR_U32 flags;
    MUR_U32 ring; /* radius in pixels, of the brush's outline */
    int ringAt[2];
};
#define CANVAS_MAX_STEP   98304u
#define CANVAS_BLUE_FIRST 1u
#define CANVAS_ALPHA      2u /* no paper: the picture has an alpha */
#define CANVAS_HIDES      4u /* the lowest layer; next bits: next layers */

MUR_STRUCT(CanvasViewPush) {
    MurTableRef table;
    MUR_ADDRESS parts;
    MUR_ADDRESS picture;
    CanvasView view;
};

MUR_INLINE MUR_U32 canvas_key(MUR_U32 layer, MUR_U32 level, MUR_U32 x, MUR_U32 y) {
    return layer << 30u | level << 26u | y << CANVAS_SIDE_BITS | x;
}

MUR_INLINE MUR_U32 canvas_least(MUR_U32 a, MUR_U32 b) {
    return a < b ? a : b;
}

/* The square of how far a place is along one axis; CANVAS_ONE squared, or more, is outside. */
MUR_INLINE MUR_U32 canvas_square(CanvasDab dab, MUR_U32 way) {
    MUR_U32 far = (canvas_least(way, dab.radius) * dab.inverse) >> 16u;
    return far * far;
}

/* The way from a centre to the nearest of count pixels. */
MUR_INLINE int canvas_way(int centre, MUR_U32 pixel, MUR_U32 count) {
    int low = MUR_CAST(int, pixel *CANVAS_FRACTION + CANVAS_FRACTION / 2u) - centre;
    int high = low + MUR_CAST(int, (count - 1u) * CANVAS_FRACTION);
    return low > 0 ? low : high < 0 ? high : 0;
}

MUR_INLINE MUR_U32 canvas_size(int way) {
    return MUR_CAST(MUR_U32, way < 0 ? -way : way);
}

/* May a dab cover a pixel of a square? Tests its box, and the distance of the square's middle from
 * the dab's line. */
MUR_INLINE bool canvas_touches(CanvasDab dab, MUR_U32 x, MUR_U32 y, MUR_U32 side) {
    MUR_U32 reachX = ((dab.reach * canvas_size(dab.towardsX)) >> CANVAS_UNIT_BITS) + dab.radius +
                     1u;
    MUR_U32 reachY = ((dab.reach * canvas_size(dab.towardsY)) >> CANVAS_UNIT_BITS) + dab.radius +
                     1u;
    if (canvas_size(canvas_way(dab.x, x, side)) >> dab.shift > reachX ||
        canvas_size(canvas_way(dab.y, y, side)) >> dab.shift > reachY) {
        return false;
    }
    MUR_U32 middle = side * (CANVAS_FRACTION / 2u);
    int wayX = (MUR_CAST(int, x *CANVAS_FRACTION + middle) - dab.x) >> dab.shift;
    int wayY = (MUR_CAST(int, y *CANVAS_FRACTION + middle) - dab.y) >> dab.shift;
    MUR_U32 across = canvas_size(wayX * dab.towardsY - wayY * dab.towardsX) >> CANVAS_UNIT_BITS;
    return across <= dab.radius + ((side * 182u) >> dab.shift) + 2u; /* half a diagonal */
}

/* The squared distance of a place from a dab's way. x, y: from the middle of the way to the place.
 * Places beyond the dab's reach are clamped, and stay outside. */
MUR_INLINE MUR_U32 canvas_squares(CanvasDab dab, int x, int y) {
    int most = MUR_CAST(int, dab.reach + dab.radius + 2u);
    x >>= dab.shift;
    y >>= dab.shift;
    x = x < -most ? -most : x > most ? most : x;
    y = y < -most ? -most : y > most ? most : y;
    MUR_U32 along = canvas_size(x * dab.towardsX + y * dab.towardsY) >> CANVAS_UNIT_BITS;
    MUR_U32 across = canvas_size(x * dab.towardsY - y * dab.towardsX) >> CANVAS_UNIT_BITS;
    along = along > dab.reach ? along - dab.reach : 0u;
    return canvas_square(dab, along) + canvas_square(dab, across);
}

/* Returns a dab's cover of a place by the squared distance: 1 - distance^2, made steeper, and
 * smooth at both ends. */
MUR_INLINE MUR_U32 canvas_edge(CanvasDab dab, MUR_U32 squares) {
    MUR_U32 one = CANVAS_ONE;
    MUR_U32 inside = (one * one - canvas_least(squares, one * one)) >> CANVAS_ONE_BITS;
    MUR_U32 rise = canvas_least((inside * dab.gain) >> 8u, one);
    return (((rise * rise) >> CANVAS_ONE_BITS) * (3u * one - 2u * rise)) >> CANVAS_ONE_BITS;
}

/* A place gathers the least squared distance of the stroke's dabs or, with flow, the sum of their
 * paint. The order of dabs does not matter. */
MUR_INLINE MUR_U32 canvas_nothing(CanvasDab dab) {
    return dab.flow == 0u ? CANVAS_ONE * CANVAS_ONE : 0u;
}
MUR_INLINE MUR_U32 canvas_gather(CanvasDab dab, MUR_U32 gathered, MUR_U32 squares) {
    if (dab.flow == 0u) {
        return canvas_least(gathered, squares);
    }
    MUR_U32 paint = (canvas_edge(dab, squares) * dab.flow) >> CANVAS_ONE_BITS;
    return canvas_least(gathered + paint, 32u * CANVAS_ONE);
}

/* Returns the stroke's cover of a place. The paint s covers 1 - 1 / (1 + s + s^2 / 2), which is
 * nearly 1 - exp(-s): as many thin layers of paint do. */
MUR_INLINE MUR_U32 canvas_cover(CanvasDab dab, MUR_U32 gathered) {
    MUR_U32 one = CANVAS_ONE, part = gathered >> 5u;
    MUR_U32 cover = dab.flow == 0u ? canvas_edge(dab, gathered)
                                   : one - one * one / (one + gathered + ((part * part) >> 6u));
    return (cover * dab.opacity + CANVAS_HALF) >> CANVAS_ONE_BITS;
}

#endif
