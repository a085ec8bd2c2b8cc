#version 450
#extension GL_GOOGLE_include_directive : require
// First dispatch of an operation, one invocation: where the brush is, which bricks to plan, where
// the list of changes starts; or which changes to drop.
// SPDX-License-Identifier: MIT
#include "edit.glsl"

layout(local_size_x = 1) in;
layout(push_constant) uniform Push {
    EditPush push;
};
layout(buffer_reference, std430, buffer_reference_align = 4) readonly buffer PickAt {
    Pick pick;
};

// Moves an edit to where the pick hit. False: it hit nothing.
bool moveToPick(BlockAt at, inout Edit edit) {
    Pick pick = PickAt(at.block.pick).pick;
    ivec3 base = ivec3(pick.x, pick.y, pick.z);
    if ((edit.flags & EDIT_ON_FACE) != 0u) {
        base += ivec3(pick.nx, pick.ny, pick.nz);
    }
    edit.ax += base.x;
    edit.ay += base.y;
    edit.az += base.z;
    edit.bx += base.x;
    edit.by += base.y;
    edit.bz += base.z;
    edit.flags &= ~(EDIT_AT_PICK | EDIT_ON_FACE);
    return pick.hit != 0u;
}

// The box starts at a multiple of 4 bricks, so that a workgroup of the plan is within one region.
void planBox(BlockAt at, Edit edit) {
    int reach = edit.shape == SHAPE_CUBOID ? 0 : int(edit.radius);
    ivec3 low = min(ivec3(edit.ax, edit.ay, edit.az), ivec3(edit.bx, edit.by, edit.bz)) - reach;
    ivec3 high = max(ivec3(edit.ax, edit.ay, edit.az), ivec3(edit.bx, edit.by, edit.bz)) + reach;
    ivec3 size = ivec3(WORLD_SIZE_X, WORLD_SIZE_Y, WORLD_SIZE_Z);
    if (any(lessThan(high, ivec3(0))) || any(greaterThanEqual(low, size))) {
        return; // nothing of the world
    }
    uvec3 first = uvec3(max(low, ivec3(0))) >> 5 << 2;
    uvec3 last = uvec3(min(high, size - 1)) >> BRICK_SHIFT;
    at.block.lowX = first.x;
    at.block.lowY = first.y;
    at.block.lowZ = first.z;
    at.block.highX = last.x + 1u;
    at.block.highY = last.y + 1u;
    at.block.highZ = last.z + 1u;
}

void beginEdit(BlockAt at) {
    Edit edit = at.block.edit;
    bool there = (edit.flags & EDIT_AT_PICK) == 0u || moveToPick(at, edit);
    at.block.edit = edit;
    at.block.missed = there ? 0u : 1u;
    if (there && edit.tool != TOOL_PLACE) { // whose box, if any, is the host's
        planBox(at, edit);
    }
    uint head = WorldState(push.world.state).words[STATE_RING_HEAD];
    Quads(at.block.records).quads[at.block.record] = uvec4(head, 0u, 0u, 0u);
}

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
        beginEdit(at);
    } else if (at.block.operation == OPERATION_SWAP) {
        Quads(at.block.records).quads[at.block.record].z = 0u; // commit counts anew
    } else {
        beginDrop(at);
    }
}
