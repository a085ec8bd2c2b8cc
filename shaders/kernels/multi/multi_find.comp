#version 450
#extension GL_GOOGLE_include_directive : require
// murCmdMultiFind: writes one value of each key, one key per invocation.
// SPDX-License-Identifier: MIT
#define MUR_READ_ONLY
#define MUR_MULTI
#include "../batch/batch.glsl"
#include "multi.glsl"

void main() {
    uint item;
    if (!mur_item(mur_batch_count(), item)) {
        return;
    }
    uint value;
    bool there = mur_multi_find(multi_table(push.table), multi_input_key(item), value);
    mur_output(push.values, item, value);
    mur_output(push.statuses, item, there ? MUR_FOUND : MUR_ABSENT);
}
