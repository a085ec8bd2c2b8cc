#version 450
#extension GL_GOOGLE_include_directive : require
// murCmdMultiErase, one pair per invocation. Compiled once per atomic width.
// SPDX-License-Identifier: MIT
#define MUR_NONCOHERENT_LOOKUPS
#define MUR_MULTI
#include "../batch/batch.glsl"
#include "multi.glsl"

void main() {
    uint item;
    if (!mur_item(mur_batch_count(), item)) {
        return;
    }
    uint status = mur_multi_erase(multi_table(push.table), multi_input_key(item),
                                  mur_input(push.values, item));
    mur_output(push.statuses, item, status);
}
