#version 450
#extension GL_GOOGLE_include_directive : require
// murCmdMultiInsert. Atomics on the counter of a frequent key are serialized, so one invocation,
// the leader (combine.glsl), allocates the ordinals of all items with the same key. Compiled once
// per atomic width.
// SPDX-License-Identifier: MIT
#define MUR_MULTI
#include "../batch/batch.glsl"
#include "multi.glsl"
#include "../batch/combine.glsl"

const uint FAILED = 0x80000000u; // bit of an element of firsts; the other bits are a status

shared uint firsts[MUR_WORKGROUP]; // by leader: first ordinal of the items with its key, or FAILED

// Inserts a pair. rank: its number among the items with its key. By leader, shared memory has their
// count (totalsLow), their first ordinal (firsts), and the counter's slot (keysLow).
uint insert(MurTableRef table, uvec2 key, uint value, uint leader, uint rank) {
    uint first = firsts[leader];
    if ((first & FAILED) == 0u) {
        return mur_multi_put(table, key, first + rank, value, keysLow[leader]);
    }
    if (rank != 0u) {
        mur_count(table, MUR_HEADER_FAILED_INSERTS, 1u); // the leader's failure is counted already
    }
    return first & ~FAILED;
}

void main() {
    MurTableRef table = multi_table(push.table);
    uint lane = gl_LocalInvocationIndex;
    uint item;
    bool own = mur_item(mur_batch_count(), item);
    uvec2 key = own ? multi_input_key(item) : uvec2(0u);
    uint value = own ? mur_input(push.values, item) : 0u;
    bool refused = own && value == 0xFFFFFFFFu;
    bool takes = own && !refused;
    clear_entries(key);
    barrier();
    uint leader = takes ? leader_of(key) : lane;
    uint rank = takes ? atomicAdd(totalsLow[leader], 1u) : 0u;
    barrier();
    if (takes && leader == lane) {
        uint first, slot;
        uint status = mur_multi_take(table, key, totalsLow[lane], first, slot);
        firsts[lane] = status == MUR_INSERTED ? first : FAILED | status;
        keysLow[lane] = slot;
    }
    barrier();
    if (takes) {
        mur_output(push.statuses, item, insert(table, key, value, leader, rank));
    } else if (refused) {
        mur_count(table, MUR_HEADER_INVALID_VALUES, 1u);
        mur_output(push.statuses, item, MUR_INVALID_VALUE);
    }
}
