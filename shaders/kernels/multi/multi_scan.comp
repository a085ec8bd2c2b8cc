#version 450
#extension GL_GOOGLE_include_directive : require
// murCmdMultiRetrieve, second step, one workgroup: computes prefix sums of the sums, and the total.
// SPDX-License-Identifier: MIT
#define MUR_READ_ONLY
#include "multi_retrieve.glsl"

const uint ITEMS = 8u;

void main() {
    uint lane = gl_LocalInvocationIndex;
    uint keys = multi_keys();
    uint groups = multi_groups(keys);
    uint carry = 0u;
    for (uint chunk = 0u; chunk < groups; chunk += ITEMS * MUR_WORKGROUP) {
        uint first = chunk + ITEMS * lane;
        uint sums[ITEMS];
        uint sum = 0u;
        [[unroll]] for (uint i = 0u; i < ITEMS; ++i) {
            sums[i] = first + i < groups ? mur_input(multi_sums(), first + i) : 0u;
            sum += sums[i];
        }
        uint total;
        uint before = carry + workgroup_sum_before(sum, total);
        [[unroll]] for (uint i = 0u; i < ITEMS; ++i) {
            if (first + i < groups) {
                mur_output(multi_sums_before(), first + i, before);
            }
            before += sums[i];
        }
        carry += total;
    }
    if (lane == 0u) {
        mur_output(push.offsets, keys, carry);
        mur_output(push.total, 0u, carry);
    }
}
