#version 450
#extension GL_GOOGLE_include_directive : require
// Starts a flood, one invocation (pick.comp says why there are others): what colour is there, and
// the first brick.
// SPDX-License-Identifier: MIT
#include "edit.glsl"

layout(local_size_x = 32) in;
layout(push_constant) uniform Push {
    EditPush push;
};
layout(buffer_reference, std430, buffer_reference_align = 8) buffer FloodAt {
    FloodBlock flood;
};

uint colorAt(ivec3 v) {
    ivec3 size = ivec3(WORLD_SIZE_X, WORLD_SIZE_Y, WORLD_SIZE_Z);
    if (any(lessThan(v, ivec3(0))) || any(greaterThanEqual(v, size))) {
        return 0u;
    }
    uint value = findBrick(push.world, uvec3(v) >> BRICK_SHIFT);
    if (!brickHasVoxels(value)) {
        return brickUniform(value) ? brickColor(value) : 0u;
    }
    uint number = voxelNumber(uvec3(v) & 7u);
    uint word = BrickPool(push.world.pool).bricks[value].palette[number >> 4][number >> 2 & 3u];
    return word >> (8u * (number & 3u)) & 255u;
}

void main() {
    if (gl_LocalInvocationIndex != 0u) {
        return;
    }
    BlockAt at = BlockAt(push.block);
    FloodAt flood = FloodAt(at.block.flood);
    ivec3 v = ivec3(at.block.edit.ax, at.block.edit.ay, at.block.edit.az);
    flood.flood.x = v.x;
    flood.flood.y = v.y;
    flood.flood.z = v.z;
    uint color = at.block.missed == 0u ? colorAt(v) : 0u;
    if (color == 0u || color == (at.block.edit.colors & 255u)) {
        flood.flood.state = FLOOD_DONE;
        return;
    }
    uint slot;
    mur_insert(flood.flood.table, brickKey(uvec3(v) >> BRICK_SHIFT), 1u, slot);
    uint row = (uint(v.z) & 7u) * 8u + (uint(v.y) & 7u);
    Words(flood.flood.wanted).words[slot * FLOOD_MASK_WORDS + (row >> 2)] =
        1u << (8u * (row & 3u) + (uint(v.x) & 7u));
    Words(flood.flood.lists[0]).words[0] = slot;
    flood.flood.target = color;
    flood.flood.counts[0] = 1u;
    flood.flood.bricks = 1u;
}
