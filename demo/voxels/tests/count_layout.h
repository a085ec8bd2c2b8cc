/* Data shared by the shader and the host that count a world. SPDX-License-Identifier: MIT */
#ifndef COUNT_LAYOUT_H
#define COUNT_LAYOUT_H

#include "shaders/shapes.h"
#include "shaders/world_layout.h"

MUR_STRUCT(CountPush) {
    WorldRef world;
    MUR_ADDRESS sums; /* COUNT_* words */
};

#define COUNT_SOLID_LOW  0u /* solid voxels: 64 bits */
#define COUNT_SOLID_HIGH 1u
#define COUNT_SUM_LOW    2u /* the checksum */
#define COUNT_SUM_HIGH   3u
#define COUNT_BRICKS     4u /* entries of the brick table */
#define COUNT_PAYLOADS   5u /* of them, with voxels in the pool */
#define COUNT_WRONG      6u /* of them, empty, uniform after all, or with an impossible value */
#define COUNT_REGIONAL   7u /* bricks that the region table counts */
#define COUNT_WORDS      8u

/* The checksum of a world is the sum of these over its solid voxels, for salts 1 and 2: it does not
 * depend on their order. */
MUR_INLINE MUR_U32 voxelSum(MUR_U32 x, MUR_U32 y, MUR_U32 z, MUR_U32 color, MUR_U32 salt) {
    return mur_hash(placeHash(x, y, z, salt) + color * 0x9E3779B9u, salt);
}

#endif
