/* The voxel world as C and GLSL see it: sizes, keys, state words, push constants.
 *
 * The world is 16384 x 8192 x 16384 voxels (x, y up, z), cut into bricks of 8 x 8 x 8. A brick's
 * key has its coordinates in 11 + 10 + 11 bits. Regions are cubes of 8 x 8 x 8 bricks; their keys
 * are made the same way from brick coordinates divided by 8.
 *
 * Table bricks: key of a brick -> its index in the pool.
 * Table regions: key of a region -> how many bricks it has; a count of 0 is absence. Each slot of it
 * has MASK_WORDS words in the state's third list: a bit a brick, numbered as voxels in a brick are.
 *
 * SPDX-License-Identifier: MIT */
#ifndef WORLD_LAYOUT_H
#define WORLD_LAYOUT_H

#include "murmuration/layout.h"

#define BRICK_SHIFT       3u
#define BRICK_WIDTH       8u
#define BRICK_VOXELS      512u
#define BRICK_WORDS       144u /* 16 of occupancy, 128 of palette indices */
#define BRICK_LANES       128u /* invocations a brick: one a word of palette indices */
#define REGION_SHIFT      6u   /* of voxel coordinates */
#define MASK_WORDS        16u  /* a bit for each of a region's 512 bricks */
#define WORLD_KEY_SHIFT_Y 11u
#define WORLD_KEY_SHIFT_Z 21u
#define WORLD_SIZE_X      16384u
#define WORLD_SIZE_Y      8192u
#define WORLD_SIZE_Z      16384u
#define WORLD_MAX_BRICKS  0x400000u /* of a pool: voxel counts stay below 2^32 */

/* Values of the brick table besides pool indices. */
#define BRICK_ABSENT  0xFFFFFFFFu /* the table's reserved value */
#define BRICK_CLAIMED 0xFFFFFFFEu /* claimed by this edit, not yet allocated */

/* Words of the state buffer. */
#define STATE_NEW          0u /* slots on the list of new ones */
#define STATE_TOP          1u /* pool bricks from this index on were never used */
#define STATE_FREE         2u /* bricks on the list of free ones */
#define STATE_POOL         3u /* bricks in the pool */
#define STATE_TABLE_FULL   4u /* claims that the brick table had no room for */
#define STATE_POOL_FULL    5u /* new bricks that the pool had no room for */
#define STATE_REGIONS_FULL 6u /* new regions that their table had no room for */
#define STATE_EXTRACTED    7u /* entries found by the last count */
#define STATE_SOLID        8u /* what the last count found: solid voxels, */
#define STATE_SUM_LOW      9u /* the checksum, */
#define STATE_SUM_HIGH     10u
#define STATE_HOLLOW       11u /* bricks without a voxel or with a wrong index, */
#define STATE_REGION_SUM   12u /* and the bricks that the regions count */
#define STATE_LOW_X        16u /* a box of regions that has all that there are: low corner, */
#define STATE_HIGH_X       20u /* and high corner, included; x, y, z each */
#define STATE_WORDS        64u /* three lists follow: free bricks, new slots, masks */

/* All that a shader needs to reach the world. */
MUR_STRUCT(WorldRef) {
    MurTableRef bricks;
    MurTableRef regions;
    MUR_ADDRESS pool;  /* an array of bricks */
    MUR_ADDRESS state; /* STATE_WORDS words and two lists */
};

/* A box of bricks: its low corner and its size. */
MUR_STRUCT(BrickBox) {
    MUR_U32 lowX, lowY, lowZ;
    MUR_U32 sizeX, sizeY, sizeZ;
};

#define SPHERE_ADD 0u
#define SPHERE_DIG 1u

/* The voxels that sphereHas() says are around voxel (x, y, z). */
MUR_STRUCT(Sphere) {
    MUR_U32 x, y, z;
    MUR_U32 radius;
    MUR_U32 operation;
    MUR_U32 colors; /* first palette index, and in the second byte how many follow from it */
};

MUR_STRUCT(SpherePush) {
    WorldRef world;
    BrickBox box;
    Sphere sphere;
};

/* A list of voxels: two words each, x | y << 16 and z | color << 16, moved by an origin. */
MUR_STRUCT(ListPush) {
    WorldRef world;
    MUR_ADDRESS voxels;
    MUR_U32 count;
    MUR_U32 originX, originY, originZ;
};

/* The built-in terrain: its origin in the world is the box's low corner. */
MUR_STRUCT(TerrainPush) {
    WorldRef world;
    BrickBox box;
    MUR_ADDRESS columns; /* TerrainColumn, then TerrainTree, then heights of brick columns */
    MUR_U32 size;        /* voxels along x and z, a multiple of 8 */
    MUR_U32 seed;
};

MUR_STRUCT(CountPush) {
    WorldRef world;
    MUR_ADDRESS keys; /* what murCmdExtract found in the brick table */
    MUR_ADDRESS values;
};

#endif
