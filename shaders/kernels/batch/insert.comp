#version 450
#extension GL_GOOGLE_include_directive : require
// murCmdInsert, one item an invocation. Compiled once a format and atomic width, which are
// constants here.
// SPDX-License-Identifier: MIT
// A workgroup notes its first claim only.
shared uint claims;
#define MUR_FIRST_CLAIM (atomicExchange(claims, 1u) == 0u)
#include "../../murmuration.glsl"
#include "../kernel.glsl"
#include "batch.glsl"
#ifdef MUR_KERNEL_FORMAT
#include "../format_kernel.glsl"
#endif

void main() {
    if (gl_LocalInvocationIndex == 0u) {
        claims = 0u;
    }
    barrier();
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
    if ((push.mode & MUR_MODE_HOME_FIRST) != 0u) {
        table.flags |= MUR_TABLE_HOME_FIRST;
    }
    uint key = mur_input(push.keys, item);
    uint value = mur_input(push.values, item);
    uint status = mur_insert_mode(table, key, value, push.mode & ~MUR_MODE_HOME_FIRST, slot);
#endif
    mur_output(push.statuses, item, status);
    mur_output(push.slots, item, slot);
}
