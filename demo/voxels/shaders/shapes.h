/* Functions shared by C and GLSL: hashes of places, spheres, bands of colours.
 * SPDX-License-Identifier: MIT */
#ifndef SHAPES_H
#define SHAPES_H

#include "murmuration/hash.h"

#if defined(__STDC__) && !defined(__cplusplus)
#include <stdbool.h>
#endif

/* Conversions, which C and GLSL write differently. */
#if defined(__STDC__) || defined(__cplusplus) || defined(_MSC_VER)
#define TO_INT(x)  ((int)(x))
#define TO_UINT(x) ((MUR_U32)(x))
#else
#define TO_INT(x)  int(x)
#define TO_UINT(x) uint(x)
#endif

/* Mixes a place and a salt into 32 bits. */
MUR_INLINE MUR_U32 placeHash(MUR_U32 x, MUR_U32 y, MUR_U32 z, MUR_U32 salt) {
    return mur_hash(x * 0x8DA6B343u ^ y * 0xD8163841u ^ z * 0xCB1AB31Fu, salt);
}

/* Is a voxel that is this far from a sphere's centre in it? Radii are taken half a voxel larger,
 * which leaves no single voxels at the poles. */
MUR_INLINE bool sphereHas(int dx, int dy, int dz, int radius) {
    return dx * dx + dy * dy + dz * dz <= radius * radius + radius;
}

/* Bands from the bottom of something to its top, a little frayed. up: above its lowest voxel, of
 * height. colors: first palette index | count << 8. */
MUR_INLINE MUR_U32 bandColor(int x, int y, int z, int up, int height, MUR_U32 colors) {
    MUR_U32 first = colors & 255u;
    MUR_U32 count = colors >> 8;
    if (count <= 1u) {
        return first;
    }
    MUR_U32 fray = placeHash(TO_UINT(x), TO_UINT(y), TO_UINT(z), 3u) & 255u;
    MUR_U32 at = TO_UINT(up) * count * 256u / TO_UINT(height) + fray - 128u;
    MUR_U32 band = at >> 31 != 0u ? 0u : at >> 8;
    return first + (band < count ? band : count - 1u);
}

#endif
