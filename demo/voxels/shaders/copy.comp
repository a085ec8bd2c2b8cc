#version 450
#extension GL_GOOGLE_include_directive : require
// Copies a box of voxels to the clipboard: an invocation four voxels along x of the copy.
// SPDX-License-Identifier: MIT
#include "edit.glsl"
#include "group.glsl"

layout(local_size_x = 64) in;
layout(push_constant) uniform Push {
    EditPush push;
};

uint colorAt(uvec3 v) {
    uint value = findBrick(push.world, v >> BRICK_SHIFT);
    if (!brickHasVoxels(value)) {
        return brickUniform(value) ? brickColor(value) : 0u;
    }
    uint number = voxelNumber(v & 7u);
    uint word = BrickPool(push.world.pool).bricks[value].palette[number >> 4][number >> 2 & 3u];
    return word >> (8u * (number & 3u)) & 255u;
}

void main() {
    BlockAt at = BlockAt(push.block);
    uint item = groupIndex() * gl_WorkGroupSize.x + gl_LocalInvocationIndex;
    uint row = item / at.block.clipRow;
    uint first = item % at.block.clipRow * 4u;
    if (row >= at.block.clipY * at.block.clipZ) {
        return;
    }
    uvec3 low = uvec3(at.block.edit.ax, at.block.edit.ay, at.block.edit.az);
    uint word = 0u;
    for (uint i = 0u; i < 4u && first + i < at.block.clipX; ++i) {
        uvec3 v = low + uvec3(first + i, row % at.block.clipY, row / at.block.clipY);
        word |= colorAt(v) << (8u * i);
    }
    Words(at.block.clipboard).words[item] = word;
}
