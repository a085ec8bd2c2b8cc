#version 450
#extension GL_GOOGLE_include_directive : require
// Forgets undo records: the pool bricks that they hold go back to the free list.
// SPDX-License-Identifier: MIT
#include "edit.glsl"

layout(local_size_x = 256) in;
layout(push_constant) uniform Push {
    EditPush push;
};

void main() {
    BlockAt at = BlockAt(push.block);
    uint count = at.block.dropCount;
    uint stride = gl_NumWorkGroups.x * 256u;
    for (uint i = gl_GlobalInvocationID.x; i < count; i += stride) {
        uint change = ringAt(at.block.dropStart, i, at.block.ringSize);
        uint value = Quads(at.block.ring).quads[change].z;
        if (brickHasVoxels(value)) {
            giveBack(push.world, at, value);
        }
    }
}
