#version 450
#extension GL_GOOGLE_include_directive : require
// Sorting a batch by home slot, first: how many items go into each bin. A workgroup counts many
// tiles in shared memory before it adds its counts to everybody's.
// SPDX-License-Identifier: MIT
#define MUR_READ_ONLY
#define MUR_MULTI
#include "../../murmuration.glsl"
#include "../kernel.glsl"
#include "sort.glsl"

shared uint bins[MUR_SORT_BINS];

void main() {
    uint lane = gl_LocalInvocationIndex;
    bins[lane] = 0u;
    barrier();
    uint count = sort_count();
    uint groups = gl_NumWorkGroups.x * gl_NumWorkGroups.y;
    uint tiles = count / TILE + (count % TILE != 0u ? 1u : 0u);
    for (uint tile = mur_workgroup(); tile < tiles; tile += groups) {
        uvec2 keys[ITEMS];
        [[unroll]] for (uint i = 0u; i < ITEMS; ++i) {
            uint item = tile * TILE + i * MUR_WORKGROUP + lane;
            keys[i] = sort_input(push.keys, min(item, count - 1u), wide_keys());
        }
        [[unroll]] for (uint i = 0u; i < ITEMS; ++i) {
            if (tile * TILE + i * MUR_WORKGROUP + lane < count) {
                atomicAdd(bins[sort_bin(keys[i])], 1u);
            }
        }
    }
    barrier();
    if (bins[lane] != 0u) {
        atomicAdd(MurCounter(mur_offset(push.counters, lane, 2u)).word, bins[lane]);
    }
}
