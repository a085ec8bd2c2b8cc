#version 450
#extension GL_GOOGLE_include_directive : require
// murCmdMultiRetrieve, third step: the offset of each key's values; and the values of the keys
// whose ordinals must be walked.
// SPDX-License-Identifier: MIT
#define MUR_READ_ONLY
#define MUR_MULTI
#include "../../murmuration.glsl"
#include "../kernel.glsl"
#include "multi_retrieve.glsl"
#include "multi.glsl"
#include "multi_long.glsl"

void write_short(MurTableRef table, uvec2 key, uint end, uint at, uint item) {
    for (uint ordinal = 0u; ordinal < end; ++ordinal) {
        uint value;
        if (mur_multi_get(table, key, ordinal, value)) {
            multi_output(at++, value, item);
        }
    }
}

void write_long(MurTableRef table, uint i) {
    uint lane = gl_LocalInvocationIndex;
    uint item = mur_workgroup() * MUR_WORKGROUP + long_lane[i];
    for (uint ordinal = lane; ordinal < long_end[i]; ordinal += MUR_WORKGROUP) {
        uint value;
        if (mur_multi_get(table, long_key[i], ordinal, value)) {
            multi_output(atomicAdd(long_sum[long_lane[i]], 1u), value, item);
        }
    }
}

void main() {
    uint item;
    bool own = mur_item(multi_keys(), item);
    uint count = own ? mur_input(push.scratch, item) : 0u;
    bool holes = (count & MUR_MULTI_HOLES) != 0u;
    count &= ~MUR_MULTI_HOLES;
    uint total;
    uint at = workgroup_sum_before(count, total);
    if (own) {
        at += mur_input(multi_sums_before(), mur_workgroup());
        mur_output(push.offsets, item, at);
    }
    MurTableRef table = multi_table(push.table);
    multi_long_begin();
    if (own && holes && count != 0u) {
        uvec2 key = multi_input_key(item);
        uint end = mur_multi_ordinals(table, key);
        if (end > MUR_MULTI_SHORT) {
            multi_long_add(key, end, at);
        } else {
            write_short(table, key, end, at, item);
        }
    }
    barrier();
    for (uint i = 0u; i < long_total; ++i) {
        write_long(table, i);
    }
}
