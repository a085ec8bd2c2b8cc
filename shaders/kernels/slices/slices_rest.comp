#version 450
#extension GL_GOOGLE_include_directive : require
// Builds and inserts slice by slice, last: a build that went well is declared in order; what an
// insert's slices had no room for is inserted directly; and so is the whole batch, on top of what
// is there, if something did not fit. Compiled twice: the table's atomic width is a constant here.
// A bounded number of workgroups, since there is mostly little to do.
// SPDX-License-Identifier: MIT
#include "../../murmuration.glsl"
#include "../kernel.glsl"
#include "slices.glsl"

void insert(uint hash, uint value) {
    MurTableRef table = push.table;
#ifdef MUR_INT64_ATOMICS
    table.flags |= MUR_TABLE_INT64;
#endif
    uint mode = keeps() ? MUR_MODE_KEEP : MUR_MODE_ASSIGN;
    uint slot;
    mur_insert_mode(table, mur_key(hash, table.seed), value, mode, slot);
}

void insert_rest_of(uint slice, uint first) {
    uint count = slice_count(slice);
    for (uint i = first; i < count; i += MUR_REST_LANES) {
        uvec2 pair = MurPairsIn(slice_bin(slice)).pairs[i];
        insert(pair.x, pair.y);
    }
}

void main() {
    uint first = mur_workgroup() * MUR_WORKGROUP + gl_LocalInvocationIndex;
    uint stride = gl_NumWorkGroups.x * gl_NumWorkGroups.y * MUR_WORKGROUP;
    if (!is_irregular()) {
        if (builds() && first == 0u) {
            mur_output(push.table.address, MUR_HEADER_STATE, MUR_STATE_ORDERED);
        }
        uint lanes = builds() ? 0u : slice_total() * MUR_REST_LANES;
        for (uint lane = first; lane < lanes; lane += stride) {
            insert_rest_of(lane / MUR_REST_LANES, lane % MUR_REST_LANES);
        }
        return;
    }
    uint none = mur_no_value(push.table);
    uint count = item_total();
    for (uint item = first; item < count; item += stride) {
        uint value = mur_input(push.values, item);
        if (value != none) { // else it has been counted
            insert(mur_hash(mur_input(push.keys, item), push.table.seed), value);
        }
        if (item > 0xFFFFFFFFu - stride) {
            break;
        }
    }
}
