#version 450
#extension GL_GOOGLE_include_directive : require
// murCmdMultiInsert. The counter of a key that many items have would be a queue for all of them: so
// a workgroup finds the equal keys among its items, by a hash set in shared memory, and takes the
// ordinals for all items of a key at once. Compiled once an atomic width.
//
// In a sorted batch this is for the case that a bin is crowded, as that of a key with very many
// items is; multi_insert_each.comp serves the others.
// SPDX-License-Identifier: MIT
#define MUR_MULTI
#include "../../murmuration.glsl"
#include "../kernel.glsl"
#include "../batch/batch.glsl"
#include "multi.glsl"

const uint SET_SIZE = 2u * MUR_WORKGROUP;
const uint SET_SHIFT = 23u;
const uint FAILED = 0x80000000u; // and a status, in place of the first ordinal

shared uint set_lanes[SET_SIZE]; // 1 + the lane that entered its key first, or 0
// By lane; the last three only of those that are in the set.
shared uint lane_key[MUR_WORKGROUP];
shared uint key_items[MUR_WORKGROUP];
shared uint key_first[MUR_WORKGROUP];
shared uint key_slot[MUR_WORKGROUP];

// The lane that stands for all lanes with this key.
uint leader_of(uint key) {
    uint lane = gl_LocalInvocationIndex;
    uint at = key * 0x9E3779B1u >> SET_SHIFT;
    for (uint left = SET_SIZE; left != 0u; --left) {
        uint there = atomicCompSwap(set_lanes[at], 0u, lane + 1u);
        if (there == 0u) {
            return lane;
        }
        if (lane_key[there - 1u] == key) {
            return there - 1u;
        }
        at = (at + 1u) % SET_SIZE;
    }
    return lane;
}

uint insert(MurTableRef table, uint key, uint value, uint leader, uint rank) {
    uint first = key_first[leader];
    if ((first & FAILED) == 0u) {
        return mur_multi_put(table, key, first + rank, value, key_slot[leader]);
    }
    if (rank != 0u) {
        mur_count(table, MUR_HEADER_FULL); // the leader's was counted
    }
    return first & ~FAILED;
}

void insert_group(MurTableRef table, uint first, uint count) {
    uint lane = gl_LocalInvocationIndex;
    uint item = first + lane;
    bool own = lane < count - first;
    uint key = own ? mur_input(push.keys, item) : 0u;
    uint value = own ? mur_input(push.values, item) : 0u;
    bool refused = own && value == 0xFFFFFFFFu;
    bool takes = own && !refused;
    set_lanes[lane] = 0u;
    set_lanes[lane + MUR_WORKGROUP] = 0u;
    lane_key[lane] = key;
    key_items[lane] = 0u;
    barrier();
    uint leader = takes ? leader_of(key) : lane;
    uint rank = takes ? atomicAdd(key_items[leader], 1u) : 0u;
    barrier();
    if (takes && leader == lane) {
        uint first, slot;
        uint status = mur_multi_take(table, key, key_items[lane], first, slot);
        key_first[lane] = status == MUR_INSERTED ? first : FAILED | status;
        key_slot[lane] = slot;
    }
    barrier();
    if (takes) {
        mur_output(push.statuses, item, insert(table, key, value, leader, rank));
    } else if (refused) {
        mur_count(table, MUR_HEADER_REFUSED);
        mur_output(push.statuses, item, MUR_REFUSED);
    }
}

void main() {
    if (mur_wanted(push.slots) && !multi_is_crowded()) {
        return;
    }
    MurTableRef table = multi_table(push.table);
    uint count = mur_batch_count();
    uint groups = count / MUR_WORKGROUP + (count % MUR_WORKGROUP != 0u ? 1u : 0u);
    uint stride = gl_NumWorkGroups.x * gl_NumWorkGroups.y;
    for (uint group = mur_workgroup(); group < groups; group += stride) {
        insert_group(table, group * MUR_WORKGROUP, count);
        barrier();
    }
}
