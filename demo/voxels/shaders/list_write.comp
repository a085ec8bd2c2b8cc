#version 450
#extension GL_GOOGLE_include_directive : require
// Writes a list of voxels, no two at the same place. Neighbours share words: hence the atomics.
// SPDX-License-Identifier: MIT
#include "world.glsl"
#include "group.glsl"
#include "list.glsl"

void main() {
    uvec3 voxel;
    uint color;
    if (!listVoxel(voxel, color)) {
        return;
    }
    uint index = findBrick(push.world, voxel >> BRICK_SHIFT);
    if (!brickAllocated(index)) {
        return;
    }
    uint number = voxelNumber(voxel);
    uint shift = 8u * (number & 3u);
    BrickPool pool = BrickPool(push.world.pool);
    atomicOr(pool.bricks[index].occupancy[number >> 5], 1u << (number & 31u));
    atomicAnd(pool.bricks[index].palette[number >> 2], ~(255u << shift));
    atomicOr(pool.bricks[index].palette[number >> 2], color << shift);
}
