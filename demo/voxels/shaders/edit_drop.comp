#version 450
#extension GL_GOOGLE_include_directive : require
// Forgets undo records: the pool bricks that they hold go back to the free list, a workgroup's
// together.
// SPDX-License-Identifier: MIT
#include "edit.glsl"

layout(local_size_x = 256) in;

shared uint count;
shared uint first;

void main() {
    BlockAt at = BlockAt(push.block);
    uint lane = gl_LocalInvocationIndex;
    uint left = Words(push.world.state).words[STATE_FREE]; // nothing is taken at the same time
    uint stride = gl_NumWorkGroups.x * 256u;
    for (uint base = gl_WorkGroupID.x * 256u; base < at.block.dropCount; base += stride) {
        barrier();
        if (lane == 0u) {
            count = 0u;
        }
        barrier();
        bool there = base + lane < at.block.dropCount;
        uint i = ringAt(at.block.dropStart, there ? base + lane : base, at.block.ringSize);
        uint value = there ? Quads(at.block.ring).quads[i].z : BRICK_VOID;
        uint place = brickHasVoxels(value) ? atomicAdd(count, 1u) : 0u;
        barrier();
        if (lane == 0u && count != 0u) {
            first = atomicAdd(at.block.pushed, count);
        }
        barrier();
        if (brickHasVoxels(value)) {
            Words(at.block.freeList).words[left + first + place] = value;
        }
    }
}
