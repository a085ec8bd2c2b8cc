// Counts values, for murCmdMultiCount and murCmdMultiRetrieve. Include it after multi.glsl.
// SPDX-License-Identifier: MIT
#include "multi_long.glsl"

// Returns the number of values of a key. holes (output): whether some ordinals may have no value.
uint count_of(MurTableRef table, bool own, uvec2 key, out bool holes) {
    uint lane = gl_LocalInvocationIndex;
    multi_long_begin();
    uint counter = own ? mur_multi_word(table, key, 0u) : 0u;
    uint count = mur_multi_ordinals_in(table, counter);
    holes = (counter & MUR_MULTI_HOLES) != 0u;
    bool isLong = holes && count > MUR_MULTI_SHORT;
    if (isLong) {
        multi_long_add(key, count, 0u);
    }
    barrier();
    uint few = isLong || !holes ? 0u : count;
    for (uint i = 0u; i <= long_total; ++i) {
        MultiWalk walk = multi_walk(i, key, few);
        uint some = mur_multi_count_some(table, walk.key, walk.first, walk.end, walk.step);
        if (i == 0u) {
            count = holes ? some : count;
        } else {
            atomicAdd(long_sum[long_lane[i - 1u]], some);
        }
    }
    barrier();
    return isLong ? long_sum[lane] : count;
}
