#version 450
#extension GL_GOOGLE_include_directive : require
// The voxels of the terrain's items.
// SPDX-License-Identifier: MIT
#define PUSH TerrainPush
#include "edit.glsl"
#include "terrain.glsl"

const uint GROUP_BRICKS = 8u;
layout(local_size_x = 256) in;
#include "edit_bricks.glsl"

uint colorAt(ivec3 v) {
    if (v.y >= terrainTop(int(push.size))) {
        return 0u;
    }
    TerrainColumn column = columns().columns[uint(v.z) * push.size + uint(v.x)];
    int color = terrainVoxel(column, v.x, v.y, v.z, int(push.size), push.seed);
    if (color == 0) {
        uint cell = uint(v.z / TREE_CELL) * treeCells() + uint(v.x / TREE_CELL);
        color = treeVoxel(trees().trees[cell], v.x, v.y, v.z, push.seed);
    }
    return uint(color);
}

void newVoxels(BlockAt at, Edit edit, inout BrickWork work) {
    if (!work.there) {
        return;
    }
    uvec3 brick = keyBrick(work.item.xy) - uvec3(push.lowX, push.lowY, push.lowZ);
    ivec3 low = ivec3(brick * BRICK_WIDTH + numberVoxel(16u * lane()));
    for (uint y = 0u; y < 4u; ++y) {
        uint row = 0u;
        for (uint x = 0u; x < 4u; ++x) {
            row |= colorAt(low + ivec3(x, y, 0u)) << (8u * x);
        }
        work.to[y] = row;
    }
    work.looked = 16u;
}
