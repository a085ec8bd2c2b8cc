#version 450
#extension GL_GOOGLE_include_directive : require
// Sort of a batch by home slot, third step: replaces the count of each bin by the position of its
// first item. One workgroup executes it or, in a second split, one per bin of the first split.
// SPDX-License-Identifier: MIT
#define MUR_READ_ONLY
#define PUSH MurSortPush
#include "../kernel.glsl"
#include "../scan.glsl"

void main() {
    uint lane = gl_LocalInvocationIndex;
    bool first = !mur_wanted(push.coarse);
    uint bin = mur_workgroup();
    uint bins = first ? MUR_SORT_BINS : push.mask + 1u;
    if (!first && bin >= push.coarseBins) {
        return;
    }
    uint begin = first || bin == 0u ? 0u : mur_input(push.coarse, bin - 1u);
    uvec2 counters = first ? push.counters : mur_offset(push.counters, bin * bins, 2u);
    uint count = lane < bins ? mur_input(counters, lane) : 0u;
    uint total;
    uint before = workgroup_sum_before(count, total);
    if (lane < bins) {
        mur_output(counters, lane, begin + before);
    }
}
