#version 450
#extension GL_GOOGLE_include_directive : require
// murCmdMultiRetrieve, third step: writes each key's offset, and the values of keys with holes.
// SPDX-License-Identifier: MIT
#define MUR_READ_ONLY
#define MUR_MULTI
#include "multi_retrieve.glsl"
#include "multi.glsl"
#include "multi_long.glsl"

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
    uvec2 key = uvec2(0u);
    uint few = 0u;
    if (own && holes && count != 0u) {
        key = multi_input_key(item);
        few = mur_multi_ordinals(table, key);
        if (few > MUR_MULTI_SHORT) {
            multi_long_add(key, few, at);
            few = 0u;
        }
    }
    barrier();
    for (uint i = 0u; i <= long_total; ++i) {
        MultiWalk walk = multi_walk(i, key, few);
        uint from = i == 0u ? item : mur_workgroup() * MUR_WORKGROUP + long_lane[i - 1u];
        for (uint ordinal = walk.first; ordinal < walk.end; ordinal += walk.step) {
            uint value;
            if (mur_multi_get(table, walk.key, ordinal, value)) {
                uint to = i == 0u ? at++ : atomicAdd(long_sum[long_lane[i - 1u]], 1u);
                multi_output(to, value, from);
            }
        }
    }
}
