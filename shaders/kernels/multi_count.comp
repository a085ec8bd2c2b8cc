#version 450
#extension GL_GOOGLE_include_directive : require
// murCmdMultiCount: how many values each key has. With MUR_MULTI_RETRIEVE, the first step of
// murCmdMultiRetrieve: the same into scratch memory, and sums over workgroups.
// SPDX-License-Identifier: MIT
#define MUR_READ_ONLY
#define MUR_MULTI
#include "../murmuration.glsl"
#include "kernel.glsl"
#ifdef MUR_MULTI_RETRIEVE
#include "multi_retrieve.glsl"
#else
#include "batch.glsl"
#endif
#include "multi.glsl"
#include "multi_long.glsl"

// The key's count; holes: must its ordinals be walked?
uint count_of(MurTableRef table, bool own, uint key, out bool holes) {
    uint lane = gl_LocalInvocationIndex;
    multi_long_begin();
    uint counter = own ? mur_multi_word(table, key, 0u) : 0u;
    uint count = mur_multi_ordinals_in(table, counter);
    holes = (counter & MUR_MULTI_HOLES) != 0u;
    bool isLong = holes && count > MUR_MULTI_SHORT;
    if (isLong) {
        multi_long_add(key, count, 0u);
    } else if (holes) {
        count = mur_multi_count_some(table, key, 0u, count, 1u);
    }
    barrier();
    for (uint i = 0u; i < long_total; ++i) {
        uint some = mur_multi_count_some(table, long_key[i], lane, long_end[i], MUR_WORKGROUP);
        atomicAdd(long_sum[long_lane[i]], some);
    }
    barrier();
    return isLong ? long_sum[lane] : count;
}

void main() {
    uint item;
    bool holes;
#ifdef MUR_MULTI_RETRIEVE
    bool own = mur_item(multi_keys(), item);
    uint key = own ? mur_input(push.keys, item) : 0u;
    uint count = count_of(multi_table(push.table), own, key, holes);
    uint total;
    workgroup_sum_before(count, total);
    if (own) {
        mur_output(push.scratch, item, count | (holes ? MUR_MULTI_HOLES : 0u));
    }
    if (own && gl_LocalInvocationIndex == 0u) {
        mur_output(multi_sums(), mur_workgroup(), total);
    }
#else
    bool own = mur_item(mur_batch_count(), item);
    uint key = own ? mur_input(push.keys, item) : 0u;
    uint count = count_of(multi_table(push.table), own, key, holes);
    if (own) {
        mur_output(push.values, item, count);
    }
#endif
}
