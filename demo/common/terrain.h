/* Heights and colors of terrains, in whole numbers: the same in C and GLSL. After
 * murmuration/hash.h.
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

/* Noise of octaves first ... end - 1, up to 2^(end + 6), that repeats after side, a power of two;
 * 0: never. Octaves up to level count as their mean. */
MUR_INLINE MUR_U32 terrain_height(MUR_U32 first, MUR_U32 end, MUR_U32 level, MUR_U32 side,
                                  MUR_U32 x, MUR_U32 y) {
    MUR_U32 height = 0u;
    for (MUR_U32 octave = first; octave < end; ++octave) {
        MUR_U32 noise = terrain_noise(octave, (side >> octave) - 1u, x, y);
        height += (octave > level ? noise : 128u) << (octave - 2u);
    }
    return height;
}

/* Red, green, blue by height, 0 ... 32767, water to snow; lit from one side: beside is the height
 * 2^level further on. */
MUR_INLINE MUR_U32 terrain_color(MUR_U32 height, MUR_U32 beside, MUR_U32 level) {
    MUR_U32 up = (height > beside ? height - beside : 0u) >> level;
    MUR_U32 down = (beside > height ? beside - height : 0u) >> level;
    MUR_U32 light = 512u + (up < 256u ? up : 256u) - (down < 176u ? 2u * down : 352u);
    if (height < 14500u) {
        return 0xFF963C28u + (height / 300u << 8u); /* water, darker where it is deep */
    }
    MUR_U32 color = height < 15000u   ? 0x6496AAu  /* sand: blue, green, red */
                    : height < 18000u ? 0x286E46u  /* grass */
                    : height < 19500u ? 0x505F6Eu  /* rock */
                                      : 0xAAA5A5u; /* snow */
    MUR_U32 red = (color & 255u) * light / 512u, green = (color >> 8u & 255u) * light / 512u;
    return 0xFF000000u | ((color >> 16u) * light / 512u) << 16u | green << 8u | red;
}

#endif
