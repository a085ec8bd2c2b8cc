#version 450
#extension GL_GOOGLE_include_directive : require
// Writes the terrain: a workgroup a brick, an invocation four voxels along x.
// SPDX-License-Identifier: MIT
#include "world.glsl"
#include "group.glsl"
#include "terrain.glsl"

layout(local_size_x = 128) in;

uint colorAt(ivec3 v) {
    if (v.y >= TERRAIN_HEIGHT) {
        return 0u;
    }
    TerrainColumn column = columns().columns[uint(v.z) * push.size + uint(v.x)];
    int color = terrainVoxel(column, v.x, v.y, v.z, push.seed);
    if (color == 0) {
        uint cell = uint(v.z / TREE_CELL) * treeCells() + uint(v.x / TREE_CELL);
        color = treeVoxel(trees().trees[cell], v.x, v.y, v.z, push.seed);
    }
    return uint(color);
}

void main() {
    uvec3 brick = groupBrick(push.box);
    uint index = findBrick(push.world, brick);
    if (!brickAllocated(index)) {
        return;
    }
    uvec3 at = gl_WorkGroupID * BRICK_WIDTH + numberVoxel(4u * gl_LocalInvocationIndex);
    uvec4 colors;
    for (uint i = 0u; i < 4u; ++i) {
        colors[i] = colorAt(ivec3(at) + ivec3(i, 0, 0));
    }
    paintVoxels(push.world, index, gl_LocalInvocationIndex, colors);
}
