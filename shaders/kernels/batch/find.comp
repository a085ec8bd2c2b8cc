#version 450
#extension GL_GOOGLE_include_directive : require
// murCmdFind, one item an invocation. Reading needs no atomics, so one kernel serves both widths;
// compiled once a format.
// SPDX-License-Identifier: MIT
#define MUR_READ_ONLY
#include "../../murmuration.glsl"
#include "../kernel.glsl"
#include "batch.glsl"
#ifdef MUR_KERNEL_FORMAT
#include "../format_kernel.glsl"
#endif

void output_slot(uint item, uint slot) {
    mur_output(push.statuses, item, slot == MUR_NO_SLOT ? MUR_ABSENT : MUR_FOUND);
    mur_output(push.slots, item, slot);
}

void main() {
    uint item;
    if (!mur_item(mur_batch_count(), item)) {
        return;
    }
#ifdef MUR_KERNEL_FORMAT
    MurTableRef table = mur_kernel_table(push.table);
    uvec2 value;
    uint slot = mur_lookup(table, MUR_KERNEL_FORMAT, mur_input_key(push.keys, item), value);
    mur_output_value(push.values, item, value);
#else
    uint value;
    uint slot = mur_find_slot(push.table, mur_input(push.keys, item), value);
    mur_output(push.values, item, value);
#endif
    output_slot(item, slot);
}
