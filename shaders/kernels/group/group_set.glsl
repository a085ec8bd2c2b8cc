// Pairs that a workgroup takes together, grouped in shared memory by a set of their keys.
//
// Include after group.glsl.
//
// SPDX-License-Identifier: MIT

const uint ROOM = MUR_GROUP_ROOM;
const uint ITEMS = ROOM / MUR_WORKGROUP; // an invocation
const uint NONE = 0xFFFFFFFFu;

// 16 KiB at most, what every device has, so they take turns. low and high: the pairs' keys; then
// what scan.glsl needs, and SHARED. words: a set, of the first pair of each key; then of each such
// pair the number of its key's pairs, and what its group needs; then the groups.
shared uint low[ROOM];
shared uint high[MUR_IS_64(KERNEL_FORMAT) ? ROOM : 1u];
shared uint words[2u * ROOM];
#define SHARED low[ROOM - 1u]
#define SCAN_MEMORY low
#include "../scan.glsl"

// This invocation's pairs, MUR_WORKGROUP apart. leader: the first pair with the same key, NONE of
// no pair; rank: how many come before it in its group.
uvec2 keys[ITEMS];
uint values[ITEMS];
uint leader[ITEMS];
uint rank[ITEMS];

uint item_of(uint i) {
    return i * MUR_WORKGROUP + gl_LocalInvocationIndex;
}

bool leads(uint i) {
    return leader[i] == item_of(i);
}

void read_pairs(uvec2 range) {
    // All loads first, none behind a branch, so that their latencies overlap.
    [[unroll]] for (uint i = 0u; i < ITEMS; ++i) {
        uint item = min(range.x + item_of(i), range.y - 1u);
        keys[i] = mur_input_key(push.keys, item);
        values[i] = GROUP_VALUES ? mur_input(push.values, item) : 0u;
    }
    [[unroll]] for (uint i = 0u; i < ITEMS; ++i) {
        leader[i] = NONE;
        low[item_of(i)] = keys[i].x;
        if (MUR_IS_64(KERNEL_FORMAT)) {
            high[item_of(i)] = keys[i].y;
        }
    }
    for (uint i = gl_LocalInvocationIndex; i < 2u * ROOM; i += MUR_WORKGROUP) {
        words[i] = NONE;
    }
}

bool same_key(uint a, uint b) {
    return low[a] == low[b] && (!MUR_IS_64(KERNEL_FORMAT) || high[a] == high[b]);
}

// The set is twice as large as what it holds, and its places are chosen by bits of the hash that
// do not choose bins.
uint find_leader(uint item, uvec2 key) {
    uint place = mur_hash_of(push.table, KERNEL_FORMAT, uvec3(key, 0u)).x;
    uint found = NONE;
    while (found == NONE) {
        place %= 2u * ROOM;
        uint seen = atomicCompSwap(words[place], NONE, item);
        found = seen == NONE ? item : same_key(seen, item) ? seen : NONE;
        ++place;
    }
    return found;
}

// Afterwards words[l] is the number of pairs that l leads.
void find_leaders(uint count) {
    barrier();
    [[unroll]] for (uint i = 0u; i < ITEMS; ++i) {
        if (item_of(i) < count) {
            leader[i] = find_leader(item_of(i), keys[i]);
        }
    }
    barrier();
    [[unroll]] for (uint i = 0u; i < ITEMS; ++i) {
        words[item_of(i)] = 0u;
    }
    barrier();
    [[unroll]] for (uint i = 0u; i < ITEMS; ++i) {
        rank[i] = leader[i] != NONE ? atomicAdd(words[leader[i]], 1u) : 0u;
    }
    barrier();
}

// Adds up what this workgroup wants of a counter, and reserves it: where this invocation's share
// begins; all: where everybody's does, and how much it is.
uint reserve(uint share, uvec2 counter, out uvec2 all) {
    uint before = workgroup_sum_before(share, all.y);
    if (gl_LocalInvocationIndex == 0u) {
        SHARED = atomicAdd(MurCounter(counter).word, all.y);
    }
    barrier();
    all.x = SHARED;
    return all.x + before;
}
