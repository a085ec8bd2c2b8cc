#version 450
#extension GL_GOOGLE_include_directive : require
// murCmdFind, one item per invocation. Compiled once per table type, for both atomic widths.
// SPDX-License-Identifier: MIT
#define MUR_READ_ONLY
#include "batch.glsl"
#include "../bits.glsl"

uint find(uint item) {
    MurTableRef table = mur_kernel_table(push.table);
    uvec3 key = uvec3(mur_input_key(push.keys, item), 0u);
    uvec2 value;
    uint slot = mur_find_entry(table, KERNEL_FORMAT, key, value);
    mur_output_value(push.values, item, value);
    mur_output(push.statuses, item, slot == MUR_NO_SLOT ? MUR_ABSENT : MUR_FOUND);
    mur_output(push.slots, item, slot);
    return slot;
}

void main() {
    uint item, slot = MUR_NO_SLOT;
    uint count = mur_batch_count();
    if (mur_item(count, item)) {
        slot = find(item);
    }
    mur_output_bits(push.statusBits, count, slot != MUR_NO_SLOT);
}
