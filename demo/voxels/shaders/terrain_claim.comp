#version 450
#extension GL_GOOGLE_include_directive : require
// Claims the bricks below the tops: an invocation a brick. A few turn out to hold nothing, being
// all cave or beside a tree; the sweep takes them back.
// SPDX-License-Identifier: MIT
#include "world.glsl"
#include "group.glsl"
#include "terrain.glsl"

layout(local_size_x = 4, local_size_y = 4, local_size_z = 4) in;

void main() {
    uvec3 brick;
    if (!invocationBrick(push.box, brick)) {
        return;
    }
    uvec3 at = brick - uvec3(push.box.lowX, push.box.lowY, push.box.lowZ);
    if (at.y * BRICK_WIDTH < tops().tops[at.z * push.box.sizeX + at.x]) {
        claimBrick(push.world, brick);
    }
}
