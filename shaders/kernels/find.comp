#version 450
#extension GL_GOOGLE_include_directive : require
// murCmdFind, one item an invocation. Reading needs no atomics, so one kernel serves both widths.
// SPDX-License-Identifier: MIT
#define MUR_READ_ONLY
#include "../murmuration.glsl"
#include "kernel.glsl"
#include "batch.glsl"

void main() {
    uint item;
    if (!mur_item(mur_batch_count(), item)) {
        return;
    }
    uint value;
    uint slot = mur_find_slot(push.table, mur_input(push.keys, item), value);
    mur_output(push.values, item, value);
    mur_output(push.statuses, item, slot == MUR_NO_SLOT ? MUR_ABSENT : MUR_FOUND);
    mur_output(push.slots, item, slot);
}
