#version 450
#extension GL_GOOGLE_include_directive : require
// The voxels of the terrain's items.
// SPDX-License-Identifier: MIT
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

void main() {
    BlockAt at = BlockAt(push.block);
    uint count = min(at.block.itemCount, EDIT_MAX_BRICKS);
    uint stride = gl_NumWorkGroups.x * GROUP_BRICKS;
    for (uint base = gl_WorkGroupID.x * GROUP_BRICKS; base < count; base += stride) {
        startBricks();
        uint i = base + laneBrick();
        BrickWork work = BrickWork(uvec4(0u), uvec4(0u), uvec4(0u), 0u, i < count);
        if (work.there) {
            work.item = Quads(at.block.items).quads[i];
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
        writeBrick(at, work);
    }
}
