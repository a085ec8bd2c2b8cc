/* Trees of the built-in terrain: at most one in each cell of 12 x 12 columns, wholly inside it. The
 * same text for C and GLSL.
 * SPDX-License-Identifier: MIT */
#ifndef TERRAIN_TREES_H
#define TERRAIN_TREES_H

#include "terrain.h"

#define TREE_CELL 12

MUR_STRUCT(TerrainTree) {
    int x, z;
    int base; /* y of the lowest voxel of the trunk */
    int kind; /* material of the leaves; 0: no tree here */
};

/* The tree of a cell. Those that would reach past the edge of the terrain are left out. */
MUR_INLINE TerrainTree terrainTree(int cellX, int cellZ, int size, MUR_U32 seed) {
    TerrainTree tree;
    MUR_U32 h = placeHash(TO_UINT(cellX), 1u, TO_UINT(cellZ), seed + 70u);
    tree.x = cellX * TREE_CELL + 4 + TO_INT(h & 3u);
    tree.z = cellZ * TREE_CELL + 4 + TO_INT(h >> 2 & 3u);
    tree.base = 0;
    tree.kind = 0;
    if (tree.x + 5 > size || tree.z + 5 > size) {
        return tree;
    }
    TerrainColumn column = terrainColumn(tree.x, tree.z, size, seed);
    int density = gradient2(tree.x, tree.z, 6, seed + 71u) + TO_INT(h >> 8 & 511u) - 256;
    if (column.material != MATERIAL_GRASS || column.overhang > 24 || density < 40) {
        return tree;
    }
    tree.base = column.height / 16;
    int high = terrainLevel(column.height, size) / 16 + TO_INT(h >> 20 & 15u);
    tree.kind = high > 86 ? MATERIAL_PINE : (h >> 24 & 15u) < 3u ? MATERIAL_AUTUMN : MATERIAL_LEAF;
    return tree;
}

/* Palette index of a tree's voxel, 0 for none of it. */
MUR_INLINE int treeVoxel(TerrainTree tree, int x, int y, int z, MUR_U32 seed) {
    if (tree.kind == 0) {
        return 0;
    }
    MUR_U32 h = placeHash(TO_UINT(tree.x), 2u, TO_UINT(tree.z), seed);
    int grain = TO_INT(placeHash(TO_UINT(x), TO_UINT(y), TO_UINT(z), seed) & 255u);
    int dx = x - tree.x;
    int dz = z - tree.z;
    int up = y - tree.base;
    int apart = dx * dx + dz * dz;
    int tall = 8 + TO_INT(h & 3u);
    bool leaf;
    if (tree.kind == MATERIAL_PINE) {
        tall += 5;
        int left = tall - up; /* a cone with a ragged edge */
        int reach = left * left / 6 - (up % 3) * 3 + (grain & 3);
        leaf = up > 2 && left > 0 && apart <= T_MIN(reach, 16 - (up % 3) * 4);
    } else {
        int dy = up - tall;
        leaf = apart + dy * dy <= 15 + (grain & 3);
    }
    if (leaf) {
        return materialColor(tree.kind, 1 + (up * 6 + apart / 4) / (tall + 3), grain);
    }
    return apart == 0 && up >= 0 && up < tall ? materialColor(MATERIAL_TRUNK, 3, grain) : 0;
}

#endif
