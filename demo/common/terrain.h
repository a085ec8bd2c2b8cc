/* Noise for terrains, in whole numbers: the same in C and GLSL. After murmuration/hash.h.
 * SPDX-License-Identifier: MIT */
#ifndef DEMO_TERRAIN_H
#define DEMO_TERRAIN_H

/* 0 ... 255, smooth between points 2^octave apart; mask: of their numbers each way, behind which
 * they repeat. */
MUR_INLINE MUR_U32 terrain_noise(MUR_U32 octave, MUR_U32 mask, MUR_U32 x, MUR_U32 y) {
    MUR_U32 width = 1u << octave, fx = x & (width - 1u), fy = y & (width - 1u);
    MUR_U32 west = (x >> octave) & mask, east = (west + 1u) & mask;
    MUR_U32 south = ((y >> octave) & mask) * 65536u, north = (((y >> octave) + 1u) & mask) * 65536u;
    MUR_U32 low = (mur_hash(west + south, octave) & 255u) * (width - fx) +
                  (mur_hash(east + south, octave) & 255u) * fx;
    MUR_U32 high = (mur_hash(west + north, octave) & 255u) * (width - fx) +
                   (mur_hash(east + north, octave) & 255u) * fx;
    return (low * (width - fy) + high * fy) >> (2u * octave);
}

#endif
