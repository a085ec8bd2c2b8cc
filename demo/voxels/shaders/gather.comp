#version 450
#extension GL_GOOGLE_include_directive : require
// Palette indices of bricks for the host: a workgroup a brick, an invocation 16 voxels.
// SPDX-License-Identifier: MIT
#define PUSH GatherPush
#include "edit.glsl"

layout(local_size_x = 32) in;

void main() {
    uint i = groupIndex();
    if (i >= push.count) {
        return;
    }
    uint value = Words(push.values).words[push.first + i];
    uint lane = gl_LocalInvocationIndex;
    if (brickHasVoxels(value)) {
        Quads(push.target).quads[BRICK_LANES * i + lane] =
            BrickPool(push.world.pool).bricks[value].palette[lane];
    }
}
