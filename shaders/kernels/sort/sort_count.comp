#version 450
#extension GL_GOOGLE_include_directive : require
// Sort of a batch by home slot, second step: counts the items of each bin. A workgroup counts many
// tiles in shared memory before it adds its counts to the global counters.
// SPDX-License-Identifier: MIT
#define MUR_READ_ONLY
#include "sort.glsl"

shared uint bins[MUR_SORT_BINS];

void main() {
    uint lane = gl_LocalInvocationIndex;
    bins[lane] = 0u;
    barrier();
    uint groups = gl_NumWorkGroups.x * gl_NumWorkGroups.y;
    uint first = mur_workgroup();
    SortPart part = sort_part(first);
    uvec2 counters = part.counters; // in a second split, a workgroup has one part
    for (; part.begin < part.end; part = sort_part(first)) {
        uvec2 keys[ITEMS];
        [[unroll]] for (uint i = 0u; i < ITEMS; ++i) {
            uint item = part.begin + i * MUR_WORKGROUP + lane;
            keys[i] = sort_input(push.keys, min(item, part.end - 1u), WIDE_KEYS);
        }
        [[unroll]] for (uint i = 0u; i < ITEMS; ++i) {
            if (i * MUR_WORKGROUP + lane < part.end - part.begin) {
                atomicAdd(bins[sort_bin(keys[i])], 1u);
            }
        }
        if (mur_wanted(push.coarse)) {
            break;
        }
        first += groups;
    }
    barrier();
    if (bins[lane] != 0u) {
        atomicAdd(MurCounter(mur_offset(counters, lane, 2u)).word, bins[lane]);
    }
}
