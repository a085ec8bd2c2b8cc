#version 450
#extension GL_GOOGLE_include_directive : require
// murCmdInsert, one item an invocation. Compiled once a format and atomic width, which are constants
// here.
// SPDX-License-Identifier: MIT
#include "../murmuration.glsl"
#include "kernel.glsl"
#include "batch.glsl"
#ifdef MUR_KERNEL_FORMAT
#include "format_kernel.glsl"
#endif

void main() {
    uint item;
    if (!mur_item(mur_batch_count(), item)) {
        return;
    }
    uint slot;
#ifdef MUR_KERNEL_FORMAT
    MurTableRef table = mur_kernel_table(push.table);
    uvec2 key = mur_input_key(push.keys, item);
    uvec2 value = mur_input_value(push.values, item);
    uint status = mur_insert_of(table, MUR_KERNEL_FORMAT, key, value, push.mode, slot);
#else
    MurTableRef table = push.table;
#ifdef MUR_INT64_ATOMICS
    table.flags |= MUR_TABLE_INT64;
#endif
    uint key = mur_input(push.keys, item);
    uint value = mur_input(push.values, item);
    uint status = mur_insert_mode(table, key, value, push.mode, slot);
#endif
    mur_output(push.statuses, item, status);
    mur_output(push.slots, item, slot);
}
