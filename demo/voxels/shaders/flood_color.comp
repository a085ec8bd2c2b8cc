#version 450
#extension GL_GOOGLE_include_directive : require
// Marks all voxels of a colour: a workgroup a slot of the brick table at a time.
// SPDX-License-Identifier: MIT
#include "edit.glsl"

layout(local_size_x = 64) in;
layout(push_constant) uniform Push {
    EditPush push;
};
#include "flood.glsl"

shared uint markSlot;

void main() {
    FloodAt at = FloodAt(BlockAt(push.block).block.flood);
    uint row = gl_LocalInvocationIndex;
    uint slots = push.world.bricks.slotCount;
    for (uint i = gl_WorkGroupID.x; i <= slots; i += gl_NumWorkGroups.x) {
        BrickKey key;
        uint value = BRICK_ABSENT;
        bool there = mur_slot_entry(push.world.bricks, i, key, value);
        uvec3 brick = keyBrick(key);
        barrier();
        rows[row] = there ? matchingRow(at, brick, value, row) : 0u;
        countMarks(at, brick, row, rows[row]);
        if (row == 0u) {
            markSlot = MUR_NO_SLOT;
            if (marked != 0u && mur_insert(at.flood.table, key, 1u, markSlot) == MUR_FULL) {
                at.flood.state = FLOOD_FULL;
            }
            atomicAdd(at.flood.bricks, marked != 0u ? 1u : 0u);
        }
        barrier();
        if (markSlot != MUR_NO_SLOT) {
            storeMarks(at, markSlot, row);
        }
    }
}
