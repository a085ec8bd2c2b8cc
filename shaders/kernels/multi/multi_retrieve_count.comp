#version 450
#extension GL_GOOGLE_include_directive : require
// murCmdMultiRetrieve, first step: counts the values of each key, and sums them per workgroup.
// SPDX-License-Identifier: MIT
#define MUR_READ_ONLY
#define MUR_MULTI
#include "multi_retrieve.glsl"
#include "multi.glsl"
#include "multi_count.glsl"

void main() {
    uint item;
    bool holes;
    bool own = mur_item(multi_keys(), item);
    uvec2 key = own ? multi_input_key(item) : uvec2(0u);
    uint count = count_of(multi_table(push.table), own, key, holes);
    uint total;
    workgroup_sum_before(count, total);
    if (own) {
        mur_output(push.scratch, item, count | (holes ? MUR_MULTI_HOLES : 0u));
    }
    if (own && gl_LocalInvocationIndex == 0u) {
        mur_output(multi_sums(), mur_workgroup(), total);
    }
}
