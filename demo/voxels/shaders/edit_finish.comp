#version 450
#extension GL_GOOGLE_include_directive : require
// Last dispatch of an operation, one invocation: the pool's books, the ring's, and the report.
// SPDX-License-Identifier: MIT
#include "edit.glsl"

layout(local_size_x = 1) in;
layout(buffer_reference, std430, buffer_reference_align = 4) writeonly buffer ResultAt {
    EditResult result;
};

void main() {
    BlockAt at = BlockAt(push.block);
    Words state = Words(push.world.state);
    uint free = state.words[STATE_FREE];
    uint reused = min(free, at.block.taken);
    uint top = state.words[STATE_TOP];
    top += min(at.block.taken - reused, state.words[STATE_POOL] - top);
    free += at.block.pushed - reused;
    uint operation = at.block.operation;
    if (operation != OPERATION_PROBE) { // a probe's pool bricks are not used
        state.words[STATE_FREE] = free;
        state.words[STATE_TOP] = top;
    }
    uvec4 list = Quads(at.block.records).quads[at.block.record];
    if (operation == OPERATION_EDIT) {
        state.words[STATE_RING_HEAD] = ringAt(list.x, list.y, at.block.ringSize);
    } else if (operation == OPERATION_DROP_NEW) {
        state.words[STATE_RING_HEAD] = at.block.dropStart;
    }

    if (at.block.sequence == 0u) {
        return; // no report requested
    }
    ResultAt(at.block.result).result = EditResult(
        at.block.voxels, list.y, at.block.poolFailed, at.block.tableFailed, list.z,
        state.words[STATE_BRICKS], top - free, at.block.sequence);
}
