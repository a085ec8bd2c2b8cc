/* Materials of the built-in terrain and their places in its palette: the same text for C and GLSL.
 * The colours themselves are in terrain_palette.c.
 * SPDX-License-Identifier: MIT */
#ifndef TERRAIN_COLORS_H
#define TERRAIN_COLORS_H

#include "shapes.h"

/* Each material has 8 palette entries, from 1 + 8 * material on. */
#define MATERIAL_GRASS  0
#define MATERIAL_DIRT   1
#define MATERIAL_SAND   2
#define MATERIAL_ROCK   3
#define MATERIAL_SNOW   4
#define MATERIAL_WATER  5
#define MATERIAL_TRUNK  6
#define MATERIAL_PINE   7
#define MATERIAL_LEAF   8
#define MATERIAL_AUTUMN 9
#define MATERIAL_SPHERE 10 /* 16 entries */
#define MATERIAL_CLAY   12
#define MATERIAL_SLATE  13
#define MATERIAL_COUNT  14

/* shade: 0 ... 7; grain: 0 ... 255, moves some voxels by one. */
MUR_INLINE int materialColor(int material, int shade, int grain) {
    int moved = shade + (grain < 22 ? -1 : grain > 233 ? 1 : 0);
    return 1 + 8 * material + (moved < 0 ? 0 : moved > 7 ? 7 : moved);
}

#endif
