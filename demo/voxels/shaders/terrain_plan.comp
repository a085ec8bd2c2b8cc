#version 450
#extension GL_GOOGLE_include_directive : require
// The terrain's bricks below the tops become items, a slab of rows along z at a time: an invocation
// a column of bricks. A few turn out to hold nothing, being all cave or beside a tree.
// SPDX-License-Identifier: MIT
#define PUSH TerrainPush
#include "edit.glsl"
#include "terrain.glsl"

layout(local_size_x = 64) in;

void main() {
    BlockAt at = BlockAt(push.block);
    uint column = groupIndex() * gl_WorkGroupSize.x + gl_LocalInvocationIndex;
    uint x = column % terrainBricks();
    uint z = push.slab + column / terrainBricks();
    if (z >= at.block.high[2]) {
        return;
    }
    uint high = (tops().words[z * terrainBricks() + x] + BRICK_WIDTH - 1u) / BRICK_WIDTH;
    uint first = atomicAdd(at.block.itemCount, high);
    for (uint y = 0u; y < high && first + y < EDIT_MAX_BRICKS; ++y) {
        uvec3 brick = uvec3(push.lowX + x, push.lowY + y, push.lowZ + z);
        Quads(at.block.items).quads[first + y] = uvec4(brickKey(brick), BRICK_ABSENT, 0u);
    }
}
