#version 450
#extension GL_GOOGLE_include_directive : require
// murCmdMultiEraseKeys, one key per invocation. Compiled once per atomic width.
// SPDX-License-Identifier: MIT
#define MUR_NONCOHERENT_LOOKUPS
#define MUR_MULTI
#include "../batch/batch.glsl"
#include "multi.glsl"
#include "multi_long.glsl"

void main() {
    uint lane = gl_LocalInvocationIndex;
    MurTableRef table = multi_table(push.table);
    uint item;
    bool own = mur_item(mur_batch_count(), item);
    uvec2 key = own ? multi_input_key(item) : uvec2(0u);
    multi_long_begin();
    uint ordinals = own ? mur_multi_erase_counter(table, key) : 0u;
    bool isLong = ordinals > MUR_MULTI_SHORT;
    uint erased = 0u;
    if (isLong) {
        multi_long_add(key, ordinals, 0u);
    }
    barrier();
    for (uint i = 0u; i <= long_total; ++i) {
        MultiWalk walk = multi_walk(i, key, isLong ? 0u : ordinals);
        uint some = mur_multi_erase_some(table, walk.key, walk.first, walk.end, walk.step);
        if (i == 0u) {
            erased = some;
        } else {
            atomicAdd(long_sum[long_lane[i - 1u]], some);
        }
    }
    barrier();
    erased = isLong ? long_sum[lane] : erased;
    if (own) {
        mur_output(push.values, item, erased);
        mur_output(push.statuses, item, erased != 0u ? MUR_ERASED : MUR_ABSENT);
    }
}
