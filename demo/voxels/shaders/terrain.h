/* The built-in terrain, in integers: the same text for C and GLSL, so that a CPU can compute the
 * GPU's result. A column is worked out once for each x and z; then each voxel of it is a few
 * comparisons, and two or three noises if there may be overhangs or caves.
 *
 * Heights are in sixteenths of a voxel. The terrain fills 0 ... size - 1 along x and z.
 * SPDX-License-Identifier: MIT */
#ifndef TERRAIN_H
#define TERRAIN_H

#include "terrain_colors.h"
#include "terrain_noise.h"

#define TERRAIN_SEA  40 /* the topmost layer of water */
#define TERRAIN_EVEN 40 /* wide terrains: deeper than this all rock of a brick is alike */

/* The data that all voxels of one x and z share. */
MUR_STRUCT(TerrainColumn) {
    int height;   /* of the ground */
    int overhang; /* how far 3D noise moves the ground; 0: not at all */
    int material; /* MATERIAL_* of the surface */
    int shade;    /* of it, 0 ... 7 */
};

/* Wide terrains are islands, 2^rise times as high and as smooth. */
MUR_INLINE int terrainRise(int size) {
    return size >= 2048 ? 2 : size >= 1024 ? 1 : 0;
}

/* Voxels along y at most, trees included; a multiple of 8. */
MUR_INLINE int terrainTop(int size) {
    return 192 << terrainRise(size);
}

/* The corresponding height in a terrain that is not wide. */
MUR_INLINE int terrainLevel(int height, int size) {
    return TERRAIN_SEA * 16 + (height - TERRAIN_SEA * 16) / (1 << terrainRise(size));
}

/* How much of the land is left this near to an island's coast: 0 ... 1024. */
MUR_INLINE int terrainCoast(int x, int z, int size, MUR_U32 seed) {
    int inland = T_MIN(T_MIN(x, size - 1 - x), T_MIN(z, size - 1 - z)) * 1024 / size;
    int frayed = gradient2(x, z, 9, seed + 9u) + gradient2(x, z, 7, seed + 9u) / 2;
    return noiseStep(20, 150, inland + frayed * T_MIN(inland, 100) / 1600);
}

/* Height of the ground, without overhangs. */
MUR_INLINE int terrainHeight(int x, int z, int size, MUR_U32 seed) {
    int rise = terrainRise(size);
    int high = 1 << rise;
    int wx = x + noiseSum2(x, z, 6, 2, seed + 10u) / 64;
    int wz = z + noiseSum2(x, z, 6, 2, seed + 20u) / 64;
    /* Mountains in one corner of the land, the sea in the opposite one. 1024: the whole size. */
    int u = wx * 1024 / size;
    int v = wz * 1024 / size;
    int mx = u - 330;
    int mz = v - 300;
    int near = T_MAX(1024 - (mx * mx + mz * mz) / 380, 0);
    int mountain = near * near >> 10;
    int bay = noiseStep(1150, 1900, u + v + gradient2(x, z, 7 + rise, seed + 1u) / 3);

    int land = TERRAIN_SEA + 22 * high +
               noiseSum2(wx, wz, 7 + rise, 4 + rise, seed + 30u) * 26 * high / 1024;
    int ridges = noiseRidges2(wx, wz, 7 + rise, 3 + rise, seed + 40u);
    int height = land * 16 + (mountain * (30 + ridges * 118 / 2048) * high >> 6);
    height = noiseMix(height, (TERRAIN_SEA - 16) * 16 + (height - 60 * 16) / (3 * high), bay >> 2);

    /* Terraces: steep steps of 14 voxels on middle heights, some places more than others. */
    int step = 14 * 16 * high;
    int steps = height / step;
    int within = height - steps * step;
    int terraced = steps * step +
                   (noiseStep(4 * 16 * high, 10 * 16 * high, within) * 14 * high >> 6);
    int amount = noiseStep(-150, 350, gradient2(x, z, 6, seed + 2u)) >> 2;
    height = noiseMix(height, terraced, amount);

    /* A river from the mountains to the sea, in a canyon where the land is high. */
    int river = T_ABS(gradient2(wx + 40, wz - 90, 8 + rise, seed + 3u));
    int bed = T_MIN(height, (TERRAIN_SEA - 4) * 16);
    int level = terrainLevel(height, size);
    int dry = T_MAX(noiseStep(26, 150, river), noiseStep(70 * 16, 125 * 16, level));
    height = noiseMix(bed, height, dry >> 2);
    return rise == 0 ? height
                     : noiseMix(T_MIN(height, (TERRAIN_SEA - 20) * 16), height,
                                terrainCoast(x, z, size, seed) >> 2);
}

MUR_INLINE int terrainMaterial(int height, int level, int slope, int rough) {
    if (height < (TERRAIN_SEA + 3) * 16 + rough / 32 && slope < 40) {
        return MATERIAL_SAND;
    }
    if (level > 106 * 16 + rough / 2 && slope < 80) {
        return MATERIAL_SNOW;
    }
    if (slope > 34 + rough / 64 || level > 100 * 16 + rough / 2) {
        return MATERIAL_ROCK;
    }
    return MATERIAL_GRASS;
}

MUR_INLINE TerrainColumn terrainColumn(int x, int z, int size, MUR_U32 seed) {
    TerrainColumn column;
    column.height = terrainHeight(x, z, size, seed);
    int dx = terrainHeight(x + 1, z, size, seed) - column.height;
    int dz = terrainHeight(x, z + 1, size, seed) - column.height;
    int slope = T_MAX(T_ABS(dx), T_ABS(dz)); /* sixteenths a voxel */
    int rough = noiseSum2(x, z, 5, 3, seed + 50u);
    column.material = terrainMaterial(column.height, terrainLevel(column.height, size), slope,
                                      rough);
    int steep = noiseStep(16, 64, slope);
    int wild = noiseStep(100, 500, gradient2(x, z, 6, seed + 4u));
    column.overhang = column.height > (TERRAIN_SEA + 6) * 16 ? T_MAX(steep, wild) * 5 * 16 >> 10
                                                             : 0;
    MUR_U32 grain = placeHash(TO_UINT(x), 7u, TO_UINT(z), seed) & 511u;
    column.shade = T_CLAMP(
        (noiseSum2(x, z, 6, 3, seed + 60u) + 768 + TO_INT(grain) - 256) * 8 / 1536, 0, 7);
    return column;
}

/* Is there a tunnel here? Two noises that are both near 0 make winding tubes. */
MUR_INLINE bool terrainCave(int x, int y, int z, MUR_U32 seed) {
    int a = gradient3(x, 2 * y, z, 6, seed + 5u);
    if (T_ABS(a) > 120) {
        return false;
    }
    return T_ABS(gradient3(x, 2 * y, z, 6, seed + 6u)) < 120;
}

/* Color of a ground voxel that is this deep below the surface, in sixteenths. */
MUR_INLINE int terrainGround(TerrainColumn column, int x, int y, int z, int depth, int size,
                             MUR_U32 seed) {
    bool even = terrainRise(size) > 0 && depth > TERRAIN_EVEN * 16;
    int grain = even ? 128 : TO_INT(placeHash(TO_UINT(x), TO_UINT(y), TO_UINT(z), seed) & 255u);
    int cover = column.material == MATERIAL_SNOW || column.material == MATERIAL_SAND ? 48 : 18;
    if (column.material != MATERIAL_ROCK && depth < cover) {
        return materialColor(column.material, column.shade, grain);
    }
    if (column.material == MATERIAL_GRASS && depth < 80) {
        return materialColor(MATERIAL_DIRT, depth / 20, grain);
    }
    int layer = even ? y >> 3 : (y * 2 + gradient2(x, z, 7, seed + 7u) / 64) / 7;
    int kind = TO_INT(placeHash(TO_UINT(layer), 3u, 5u, seed) >> 4 & 15u);
    return kind < 7    ? materialColor(MATERIAL_ROCK, 1 + kind, grain)
           : kind < 12 ? materialColor(MATERIAL_CLAY, (kind - 7) * 2, grain)
                       : materialColor(MATERIAL_SLATE, (kind - 12) * 2, grain);
}

/* Palette index of a voxel, 0 for air; trees are in terrain_trees.h. */
MUR_INLINE int terrainVoxel(TerrainColumn column, int x, int y, int z, int size, MUR_U32 seed) {
    int depth = column.height - 16 * y;
    if (column.overhang > 0 && T_ABS(depth) <= column.overhang) {
        depth += gradient3(x, y, z, 4, seed + 8u) * column.overhang >> 10;
    }
    if (y == 0) {
        return terrainGround(column, x, y, z, depth, size,
                             seed); /* nothing falls through the floor */
    }
    if (depth <= 0) {
        int below = TERRAIN_SEA * 16 - column.height;
        return y <= TERRAIN_SEA && below > 0 ? materialColor(MATERIAL_WATER, below / 24, 128) : 0;
    }
    bool drowned = column.height < (TERRAIN_SEA + 2) * 16;
    if (!drowned && y > 4 && terrainCave(x, y, z, seed)) {
        return 0;
    }
    return terrainGround(column, x, y, z, depth, size, seed);
}

#endif
