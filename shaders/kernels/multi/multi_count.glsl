// How many values a key has: murCmdMultiCount, murCmdMultiRetrieve.
//
// Include after multi.glsl.
//
// SPDX-License-Identifier: MIT
#include "multi_long.glsl"

// The key's count; holes: must its ordinals be walked?
uint count_of(MurTableRef table, bool own, uvec2 key, out bool holes) {
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
