#version 450
#extension GL_GOOGLE_include_directive : require
// Claims the bricks of a box that a sphere reaches into: an invocation a brick.
// SPDX-License-Identifier: MIT
#include "world.glsl"
#include "group.glsl"

layout(local_size_x = 4, local_size_y = 4, local_size_z = 4) in;
layout(push_constant) uniform Push {
    SpherePush push;
};

void main() {
    uvec3 brick;
    if (!invocationBrick(push.box, brick)) {
        return;
    }
    ivec3 center = ivec3(push.sphere.x, push.sphere.y, push.sphere.z);
    ivec3 low = ivec3(brick * BRICK_WIDTH);
    ivec3 away = clamp(center, low, low + int(BRICK_WIDTH - 1u)) - center;
    if (sphereHas(away.x, away.y, away.z, int(push.sphere.radius))) {
        claimBrick(push.world, brick);
    }
}
