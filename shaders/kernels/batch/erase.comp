#version 450
#extension GL_GOOGLE_include_directive : require
// murCmdErase, one item per invocation. Compiled once per table type and atomic width.
// SPDX-License-Identifier: MIT
#define MUR_NONCOHERENT_LOOKUPS
#include "batch.glsl"
#include "../bits.glsl"

uint erase(uint item) {
    MurTableRef table = mur_kernel_table(push.table);
    uvec3 key = uvec3(mur_input_key(push.keys, item), 0u);
    uvec2 value;
    uint slot;
    bool frees = KERNEL_EVICTS && push.mode == MUR_ERASE_FREES;
    uint status = mur_erase_entry(table, KERNEL_FORMAT, key, frees, value, slot);
    mur_output_value(push.values, item, value);
    mur_output(push.statuses, item, status);
    mur_output(push.slots, item, slot);
    return status;
}

void main() {
    uint item, status = MUR_ABSENT;
    uint count = mur_batch_count();
    if (mur_item(count, item)) {
        status = erase(item);
    }
    mur_output_bits(push.statusBits, count, status == MUR_ERASED);
}
