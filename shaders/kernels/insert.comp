#version 450
#extension GL_GOOGLE_include_directive : require
// murCmdInsert, one item an invocation. Compiled twice: the table's atomic width is a constant
// here. SPDX-License-Identifier: MIT
#include "../murmuration.glsl"
#include "kernel.glsl"
#include "batch.glsl"

void main() {
    uint item;
    if (!mur_item(mur_batch_count(), item)) {
        return;
    }
    MurTableRef table = push.table;
#ifdef MUR_INT64_ATOMICS
    table.flags |= MUR_TABLE_INT64;
#endif
    uint key = mur_input(push.keys, item);
    uint value = mur_input(push.values, item);
    uint slot;
    uint status = mur_insert_mode(table, key, value, push.mode, slot);
    mur_output(push.statuses, item, status);
    mur_output(push.slots, item, slot);
}
