#version 450
#extension GL_GOOGLE_include_directive : require
// murCmdInsert, one item per invocation. Compiled once per table type and atomic width. Plain reads
// may miss writes of this dispatch, which is correct, because items have no order.
// SPDX-License-Identifier: MIT
#define MUR_NONCOHERENT_LOOKUPS
// 1 after the workgroup's first claim. Only this claim clears MUR_STATE_ORDERED, by one atomic.
shared uint claims;
#define MUR_FIRST_CLAIM (atomicExchange(claims, 1u) == 0u)
#include "batch.glsl"
#include "../bits.glsl"
#include "combine.glsl"

void main() {
    MurTableRef table = mur_kernel_table(push.table);
    table.flags |= (push.mode & MUR_MODE_HOME_FIRST) != 0u ? MUR_TABLE_HOME_FIRST : 0u;
    uint mode = push.mode & MUR_MODE_MASK;
    bool combines = (push.mode & MUR_MODE_COMBINES) != 0u;
    uint item, slot = MUR_NO_SLOT;
    uvec2 key = uvec2(0u), value = uvec2(0u), old;
    uint count = mur_batch_count();
    bool wanted = mur_item(count, item);
    if (wanted) {
        key = mur_input_key(push.keys, item);
        value = mur_input_value(push.values, item);
    }
    if (gl_LocalInvocationIndex == 0u) {
        claims = 0u;
    }
    if (combines) {
        clear_entries(key);
    }
    barrier();
    uint leader = gl_LocalInvocationIndex;
    if (combines) {
        bool refused = !wanted || mur_is_empty_value(table, KERNEL_FORMAT, value);
        leader = refused ? leader : leader_of(key);
        join(!refused, leader, value, mode);
        barrier();
        combines = followed != 0u; // if false, all items lead: no barriers are needed below
        uvec2 total = total_of(leader);
        if (combines && !refused) {
            // If the merged value is the empty value, which no table stores, items are not merged.
            bool cancels = mur_is_empty_value(table, KERNEL_FORMAT, total);
            leader = cancels ? gl_LocalInvocationIndex : leader;
            value = cancels ? value : total;
        }
    }
    uint status = MUR_EXISTED;
    bool leads = wanted && leader == gl_LocalInvocationIndex;
    if (leads) {
        status = mur_insert_entry(table, KERNEL_FORMAT, uvec3(key, 0u), value, mode, slot, old);
    }
    if (combines) {
        barrier();
        if (leads) {
            keysLow[leader] = slot;
            totalsLow[leader] = status;
        }
        barrier();
        if (wanted && !leads) {
            slot = keysLow[leader];
            status = totalsLow[leader];
            status = status == MUR_INSERTED ? MUR_EXISTED : status;
            if (status == MUR_FULL) {
                mur_count(table, MUR_HEADER_FAILED_INSERTS, 1u);
            }
        }
    }
    if (wanted) {
        mur_output(push.statuses, item, status);
        mur_output(push.slots, item, slot);
        mur_output_value(push.oldValues, item, old); // a batch with oldValues is never merged
    }
    mur_output_bits(push.statusBits, count, status == mur_done(mode));
}
