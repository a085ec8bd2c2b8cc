#version 450
#extension GL_GOOGLE_include_directive : require
// Sorting a batch by home slot, second: where each bin begins. One workgroup.
// SPDX-License-Identifier: MIT
#define MUR_READ_ONLY
#define MUR_LARGE_WORKGROUP
#include "../murmuration.glsl"
#include "kernel.glsl"

layout(push_constant) uniform MurPush {
    MurSortPush push;
};

shared uint scan_memory[SCAN_WORDS];
#define SCAN_MEMORY scan_memory
#include "scan.glsl"

void main() {
    uint lane = gl_LocalInvocationIndex;
    uint total;
    uint before = workgroup_sum_before(mur_input(push.counters, lane), total);
    mur_output(push.counters, lane, before);
}
