#version 450
#extension GL_GOOGLE_include_directive : require
// Claims the bricks of a list of voxels. Many voxels want the same brick at the same time; one of
// them is told that it is new.
// SPDX-License-Identifier: MIT
#include "world.glsl"
#include "group.glsl"
#include "list.glsl"

void main() {
    uvec3 voxel;
    uint color;
    if (listVoxel(voxel, color)) {
        claimBrick(push.world, voxel >> BRICK_SHIFT);
    }
}
