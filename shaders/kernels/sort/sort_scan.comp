#version 450
#extension GL_GOOGLE_include_directive : require
// Sorting a batch by home slot, second: where each bin begins, and whether one is crowded. One
// workgroup.
// SPDX-License-Identifier: MIT
#define MUR_READ_ONLY
#include "../../murmuration.glsl"
#include "../kernel.glsl"

layout(push_constant) uniform MurPush {
    MurSortPush push;
};

shared uint most; // items in a bin
shared uint scan_memory[SCAN_WORDS];
#define SCAN_MEMORY scan_memory
#include "../scan.glsl"

void main() {
    uint lane = gl_LocalInvocationIndex;
    uint count = mur_input(push.counters, lane);
    most = 0u;
    uint total;
    uint before = workgroup_sum_before(count, total);
    mur_output(push.counters, lane, before);
    atomicMax(most, count);
    barrier();
    if (lane == 0u) {
        float part = min(float(1u << push.shift) / float(push.table.capacity), 1.0);
        bool crowded = float(most) > 1.125 * part * float(total) + float(MUR_SORT_CROWD);
        mur_output(push.counters, MUR_SORT_CROWDED, crowded ? 1u : 0u);
    }
}
