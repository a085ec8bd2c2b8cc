#version 450
#extension GL_GOOGLE_include_directive : require
// murCmdInsert, sliced path, last: inserts directly what the slices had no room for; the whole batch,
// if a bin was too small. Compiled twice: the table's atomic width is a constant here.
// SPDX-License-Identifier: MIT
#include "../murmuration.glsl"
#include "kernel.glsl"
#include "build.glsl"

void insert(uint hash, uint value) {
    MurTableRef table = push.table;
#ifdef MUR_INT64_ATOMICS
    table.flags |= MUR_TABLE_INT64;
#endif
    uint mode = (push.fineBits & MUR_BUILD_KEEP) != 0u ? MUR_MODE_KEEP : MUR_MODE_ASSIGN;
    uint slot;
    mur_insert_mode(table, mur_key(hash, table.seed), value, mode, slot);
}

void main() {
    uint first = mur_workgroup() * MUR_WORKGROUP + gl_LocalInvocationIndex;
    if (!is_irregular()) {
        uint slice = first / MUR_INSERT_REST_LANES;
        if (slice < build_slices()) {
            uint count = slice_count(slice);
            for (uint i = first % MUR_INSERT_REST_LANES; i < count; i += MUR_INSERT_REST_LANES) {
                uvec2 pair = MurPairsIn(slice_bin(slice)).pairs[i];
                insert(pair.x, pair.y);
            }
        }
        return;
    }
    uint none = mur_no_value(push.table);
    uint count = build_count();
    uint stride = gl_NumWorkGroups.x * gl_NumWorkGroups.y * MUR_WORKGROUP;
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
