#version 450
#extension GL_GOOGLE_include_directive : require
// murCmdMultiCount: writes the number of values of each key, one key per invocation.
// SPDX-License-Identifier: MIT
#define MUR_READ_ONLY
#define MUR_MULTI
#include "../batch/batch.glsl"
#include "multi.glsl"
#include "multi_count.glsl"

void main() {
    uint item;
    bool holes;
    bool own = mur_item(mur_batch_count(), item);
    uvec2 key = own ? multi_input_key(item) : uvec2(0u);
    uint count = count_of(multi_table(push.table), own, key, holes);
    if (own) {
        mur_output(push.values, item, count);
    }
}
