#version 450
#extension GL_GOOGLE_include_directive : require
// First dispatch of an operation, one invocation: sets the start of the list of changes, or
// selects the changes to drop.
// SPDX-License-Identifier: MIT
#include "edit.glsl"

layout(local_size_x = 1) in;

// Records lie in the ring one after the other.
void beginDrop(BlockAt at) {
    Quads records = Quads(at.block.records);
    uint count = 0u;
    uint first = at.block.record;
    uint record = first;
    bool more = true;
    while (more) {
        count += records.quads[record].y;
        more = record != at.block.lastRecord;
        record = (record + 1u) % EDIT_RECORDS;
    }
    at.block.dropStart = records.quads[first].x;
    at.block.dropCount = count;
}

void main() {
    BlockAt at = BlockAt(push.block);
    if (at.block.operation == OPERATION_EDIT || at.block.operation == OPERATION_PROBE) {
        uint head = Words(push.world.state).words[STATE_RING_HEAD];
        Quads(at.block.records).quads[at.block.record] = uvec4(head, 0u, 0u, 0u);
    } else if (at.block.operation == OPERATION_SWAP) {
        Quads(at.block.records).quads[at.block.record].z = 0u; // commit counts again
    } else {
        beginDrop(at);
    }
}
