/* The voxel world as C and GLSL see it: sizes, keys, values, state words, push constants.
 *
 * The world is 65536 x 16384 x 65536 voxels (x, y up, z), cut into bricks of 8 x 8 x 8. Regions are
 * cubes of 8 x 8 x 8 bricks; their keys are made the same way from brick coordinates divided by 8.
 * Only brickKeyOf and keyBrickX ... depend on this format.
 *
 * Table bricks: key of a brick -> the place of its voxels, an index in the pool; or, if they all
 * are solid and of one colour, BRICK_UNIFORM | palette index, and it needs no memory. Table
 * regions: key of a region -> how many bricks it has; a count of 0 is absence. Each slot of it has
 * MASK_WORDS words of masks: a bit a brick, numbered as voxels in a brick are.
 * SPDX-License-Identifier: MIT */
#ifndef WORLD_LAYOUT_H
#define WORLD_LAYOUT_H

#include "murmuration/layout.h"
#include "murmuration/hash.h"

#define BRICK_SHIFT    3u
#define BRICK_WIDTH    8u
#define BRICK_VOXELS   512u
#define BRICK_BYTES    576u /* 64 of occupancy, 512 of palette indices */
#define BRICK_LANES    32u  /* invocations a brick: 16 voxels each, one store of 16 bytes */
#define REGION_SHIFT   6u   /* of voxel coordinates */
#define REGION_WIDTH   8u   /* bricks */
#define MASK_WORDS     16u  /* a bit for each of a region's 512 bricks */
#define WORLD_SIZE_X   65536u
#define WORLD_SIZE_Y   16384u
#define WORLD_SIZE_Z   65536u
#define WORLD_ORIGIN_X 32768u /* the origin of files and scripts */
#define WORLD_ORIGIN_Y 8192u
#define WORLD_ORIGIN_Z 32768u
#define WORLD_MAX_POOL 0x40000000u /* bricks of a pool */

/* Values of the brick table other than pool indices, which are below BRICK_UNIFORM. */
#define BRICK_ABSENT  0xFFFFFFFFu /* the table's empty value */
#define BRICK_VOID    0xFFFFFFFEu /* in lists of changes: nothing to do, never in the table */
#define BRICK_UNIFORM 0x80000000u /* and the palette index, 1 ... 255 */

/* Keys of bricks, and of regions: 64 bits, of which each axis has 21. In GLSL x is the low word. */
#define KEY_AXIS_MASK 0x1FFFFFu
#if defined(__STDC__) || defined(__cplusplus) || defined(_MSC_VER)
typedef uint64_t BrickKey;

static inline BrickKey brickKeyOf(uint32_t x, uint32_t y, uint32_t z) {
    return x | (uint64_t)y << 21 | (uint64_t)z << 42;
}

static inline uint32_t keyBrickX(BrickKey key) {
    return key & KEY_AXIS_MASK;
}

static inline uint32_t keyBrickY(BrickKey key) {
    return key >> 21 & KEY_AXIS_MASK;
}

static inline uint32_t keyBrickZ(BrickKey key) {
    return key >> 42 & KEY_AXIS_MASK;
}
#else
#define BrickKey uvec2

BrickKey brickKeyOf(uint x, uint y, uint z) {
    return uvec2(x | y << 21, y >> 11 | z << 10);
}

uint keyBrickX(BrickKey key) {
    return key.x & KEY_AXIS_MASK;
}

uint keyBrickY(BrickKey key) {
    return (key.x >> 21 | key.y << 11) & KEY_AXIS_MASK;
}

uint keyBrickZ(BrickKey key) {
    return key.y >> 10 & KEY_AXIS_MASK;
}
#endif

/* Number of a voxel in its brick, from its coordinates modulo 8: each cube of 4 x 4 x 4 has 64
 * consecutive numbers. */
MUR_INLINE MUR_U32 voxelNumberOf(MUR_U32 x, MUR_U32 y, MUR_U32 z) {
    return (z & 4u) << 6 | (y & 4u) << 5 | (x & 4u) << 4 | (z & 3u) << 4 | (y & 3u) << 2 | (x & 3u);
}

/* Words of the state buffer. */
#define STATE_TOP       0u  /* pool bricks from this index on were never used */
#define STATE_FREE      1u  /* bricks on the list of free ones */
#define STATE_POOL      2u  /* bricks in the pool */
#define STATE_BRICKS    3u  /* entries of the brick table */
#define STATE_RING_HEAD 4u  /* start of the next list of changes */
#define STATE_LOW_X     16u /* a box of regions that has all that there are: low corner, */
#define STATE_HIGH_X    20u /* and high corner, included; x, y, z each */
#define STATE_WORDS     64u

/* All that a shader needs to reach the world. */
MUR_STRUCT(WorldRef) {
    MurTableRef bricks;
    MurTableRef regions;
    MUR_ADDRESS pool;  /* an array of bricks */
    MUR_ADDRESS state; /* STATE_WORDS words */
};

#endif
