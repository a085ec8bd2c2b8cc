#version 450
#extension GL_GOOGLE_include_directive : require
// murCmdBuild, tiled path, last: if a slice had no place for some pairs, inserts the whole batch
// directly. What the slices wrote is then a table that lacks some pairs, and may have wrong values.
// Compiled twice: the table's atomic width is a constant here.
// SPDX-License-Identifier: MIT
#include "../murmuration.glsl"
#include "kernel.glsl"
#include "tiles.glsl"

void main() {
    if (mur_input(push.scratch, MUR_TILE_LOST) == 0u) {
        return;
    }
    MurTableRef table = push.table;
#ifdef MUR_INT64_ATOMICS
    table.flags |= MUR_TABLE_INT64;
#endif
    uint first = gl_WorkGroupID.x * MUR_WORKGROUP + gl_LocalInvocationIndex; // there are few
    if (first == 0u) {
        atomicAnd(MUR_STATE_WORD(table, MUR_HEADER_STATE), ~MUR_STATE_ORDERED);
    }
    uint none = mur_no_value(table);
    uint count = tile_items();
    for (uint item = first; item < count; item += gl_NumWorkGroups.x * MUR_WORKGROUP) {
        uint value = mur_input(push.values, item);
        if (value != none) { // else it has been counted
            mur_upsert(table, mur_input(push.keys, item), value);
        }
    }
}
