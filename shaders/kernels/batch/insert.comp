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
#else
#include "combine.glsl"
#endif

void output_item(uint item, uint status, uint slot) {
    mur_output(push.statuses, item, status);
    mur_output(push.slots, item, slot);
}

#ifdef MUR_KERNEL_FORMAT
void main() {
    if (gl_LocalInvocationIndex == 0u) {
        claims = 0u;
    }
    barrier();
    uint item;
    if (mur_item(mur_batch_count(), item)) {
        MurTableRef table = mur_kernel_table(push.table);
        uint slot;
        uint status = mur_insert_of(table, MUR_KERNEL_FORMAT, mur_input_key(push.keys, item),
                                    mur_input_value(push.values, item), push.mode, slot);
        output_item(item, status, slot);
    }
}
#else
// Modes that add up what comes are for many items of a key.
void main() {
    MurTableRef table = push.table;
#ifdef MUR_INT64_ATOMICS
    table.flags |= MUR_TABLE_INT64;
#endif
    if ((push.mode & MUR_MODE_HOME_FIRST) != 0u) {
        table.flags |= MUR_TABLE_HOME_FIRST;
    }
    uint mode = push.mode & ~MUR_MODE_HOME_FIRST;
    uint none = mur_no_value(table);
    bool combines = mode > MUR_MODE_KEEP && mode != MUR_MODE_UPDATE;
    if (gl_LocalInvocationIndex == 0u) {
        claims = 0u;
    }
    if (combines) {
        clear_entries();
    }
    barrier();
    uint item, slot = MUR_NO_SLOT, key = 0u, value = none;
    bool wanted = mur_item(mur_batch_count(), item);
    if (wanted) {
        key = mur_input(push.keys, item);
        value = mur_input(push.values, item);
    }
    bool leads = wanted;
    uint entry = ALONE;
    if (combines) {
        uint hash = mur_hash(key, table.seed);
        if (value != none && hash != MUR_EMPTY) {
            entry = enter(hash, value, mode, leads);
        }
        barrier();
        uint sum = entry == ALONE ? none : entryValue[entry];
        if (sum != none) {
            value = sum;
        } else { // alone, or sums that cancel out: one by one
            leads = wanted;
            entry = ALONE;
        }
    }
    uint status = MUR_EXISTED;
    if (leads) {
        status = mur_insert_mode(table, key, value, mode, slot);
    }
    if (combines) {
        if (leads && entry != ALONE) {
            entryHash[entry] = slot;
        }
        barrier();
        if (wanted && !leads) {
            slot = entryHash[entry];
            if (slot == MUR_NO_SLOT) {
                status = MUR_FULL;
                mur_count(table, MUR_HEADER_FULL);
            }
        }
    }
    if (wanted) {
        output_item(item, status, slot);
    }
}
#endif
