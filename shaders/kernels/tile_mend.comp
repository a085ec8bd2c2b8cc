#version 450
#extension GL_GOOGLE_include_directive : require
// murCmdBuild, tiled path, last: if something did not fit, inserts the whole batch directly; what
// is there already stays. Compiled twice: the table's atomic width is a constant here.
//
// Why that is enough: what the slices wrote is a table that lacks some pairs. A slice that more is
// pushed into than its neighbour thought moves its pairs to higher slots, never lower, so the
// pairs that the neighbour took over from it, its last ones, are in no slot of its own; and slots
// that were occupied stay so, so every pair is reached from its home.
// SPDX-License-Identifier: MIT
#include "../murmuration.glsl"
#include "kernel.glsl"
#include "tiles.glsl"

void main() {
    if (mur_input(push.scratch, MUR_TILE_IRREGULAR) == 0u) {
        return;
    }
    MurTableRef table = push.table;
#ifdef MUR_INT64_ATOMICS
    table.flags |= MUR_TABLE_INT64;
#endif
    uint none = mur_no_value(table);
    uint count = tile_items();
    uint stride = gl_NumWorkGroups.x * gl_NumWorkGroups.y * MUR_WORKGROUP;
    uint first = mur_workgroup() * MUR_WORKGROUP + gl_LocalInvocationIndex;
    for (uint item = first; item < count; item += stride) {
        uint value = mur_input(push.values, item);
        if (value != none) { // else it has been counted
            mur_upsert(table, mur_input(push.keys, item), value);
        }
    }
}
