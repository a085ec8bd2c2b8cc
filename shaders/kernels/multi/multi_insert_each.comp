#version 450
#extension GL_GOOGLE_include_directive : require
// murCmdMultiInsert of a sorted batch, one item an invocation: the counters are in the cache, so
// that sharing them, which multi_insert.comp does, costs more than it saves. It does so if a bin is
// crowded. Compiled once an atomic width.
// SPDX-License-Identifier: MIT
#define MUR_MULTI
#include "../../murmuration.glsl"
#include "../kernel.glsl"
#include "../batch/batch.glsl"
#include "multi.glsl"

void main() {
    uint item;
    if (!mur_item(mur_batch_count(), item) || multi_is_crowded()) {
        return;
    }
    uint status = mur_multi_insert(multi_table(push.table), multi_input_key(item),
                                   mur_input(push.values, item));
    mur_output(push.statuses, item, status);
}
