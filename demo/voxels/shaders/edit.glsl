// Shared by the kernels of edits: the operation's block, the lists, the pool's counters. Define
// PUSH before the include if the push constants are no EditPush.
// SPDX-License-Identifier: MIT
#include "world.glsl"
#include "edit_layout.h"

#ifndef PUSH
#define PUSH EditPush
#endif
layout(push_constant) uniform Push {
    PUSH push;
};
layout(buffer_reference, std430, buffer_reference_align = 8) buffer BlockAt {
    EditBlock block;
};
layout(buffer_reference, std430, buffer_reference_align = 16) buffer Quads {
    uvec4 quads[];
};

// Index of this workgroup. The host lays large grids out in two dimensions.
uint groupIndex() {
    return gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
}

// The colour of a voxel of a brick with that value; 0: empty.
uint valueColor(WorldRef world, uint value, uvec3 voxel) {
    if (!brickHasVoxels(value)) {
        return brickUniform(value) ? brickColor(value) : 0u;
    }
    uint number = voxelNumber(voxel & 7u);
    uint word = BrickPool(world.pool).bricks[value].palette[number >> 4][number >> 2 & 3u];
    return word >> (8u * (number & 3u)) & 255u;
}

// Of the world, which is empty outside.
uint voxelColor(WorldRef world, ivec3 v) {
    if (!isInWorld(v)) {
        return 0u;
    }
    return valueColor(world, findBrick(world, uvec3(v) >> BRICK_SHIFT), uvec3(v));
}

// The value of the i-th of the 27 bricks around one, itself 13th; bricks outside are absent.
uint aroundBrick(WorldRef world, uvec3 brick, uint i) {
    ivec3 at = ivec3(brick) + ivec3(i % 3u, i / 3u % 3u, i / 9u) - 1;
    return isInWorld(at * int(BRICK_WIDTH)) ? findBrick(world, uvec3(at)) : BRICK_ABSENT;
}

// The place of change i of a list that starts at start; a list may wrap around the ring's end.
uint ringAt(uint start, uint i, uint size) {
    uint left = size - start;
    return i < left ? start + i : i - left;
}

// The pool brick that is number i of those this operation takes, or BRICK_ABSENT: the pool is full.
uint poolBrick(WorldRef world, BlockAt at, uint i) {
    Words state = Words(world.state);
    uint free = state.words[STATE_FREE];
    if (i < free) {
        return Words(at.block.freeList).words[free - 1u - i];
    }
    uint top = state.words[STATE_TOP];
    return i - free < state.words[STATE_POOL] - top ? top + (i - free) : BRICK_ABSENT;
}

// Gives a pool brick back. Not in a dispatch that takes some.
void giveBack(WorldRef world, BlockAt at, uint brick) {
    uint free = Words(world.state).words[STATE_FREE];
    uint left = free - min(free, at.block.taken);
    uint i = atomicAdd(at.block.pushed, 1u);
    Words(at.block.freeList).words[left + i] = brick;
}
