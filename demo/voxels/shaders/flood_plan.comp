#version 450
#extension GL_GOOGLE_include_directive : require
// Turns the marked bricks into the items of an edit: an invocation per slot of their table.
// SPDX-License-Identifier: MIT
#include "edit.glsl"

layout(local_size_x = 64) in;
#include "marks.glsl"

void main() {
    BlockAt at = BlockAt(push.block);
    FloodAt flood = FloodAt(at.block.flood);
    uint stride = gl_NumWorkGroups.x * gl_WorkGroupSize.x;
    uint slots = flood.flood.table.slotCount;
    for (uint slot = gl_GlobalInvocationID.x; slot <= slots; slot += stride) {
        BrickKey key;
        uint mark;
        if (mur_slot_entry(flood.flood.table, slot, key, mark)) {
            uint i = atomicAdd(at.block.itemCount, 1u);
            if (i < EDIT_MAX_BRICKS) {
                uint value = findBrick(push.world, keyBrick(key));
                Quads(at.block.items).quads[i] = uvec4(key, value, slot);
            }
        }
    }
}
