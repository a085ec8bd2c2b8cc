// Groups the pairs of a workgroup in shared memory, by a set of their keys. The first pair with a
// key is the leader of the key's group. Include this file after group.glsl.
// SPDX-License-Identifier: MIT

const uint ROOM = MUR_GROUP_ROOM;
const uint ITEMS = ROOM / MUR_WORKGROUP; // per invocation
const uint NONE = 0xFFFFFFFFu;

// Vulkan guarantees only 16 KiB of shared memory, so each array is used for several purposes. low
// and high contain the hashes of the pairs' keys. When the hashes are not needed, scan.glsl uses
// low, and SHARED is its last word. words contains, one after another: a set of the keys (see
// find_leader), the offset of each key's group, the groups, slots of the table.
shared uint low[ROOM];
shared uint high[MUR_IS_64(KERNEL_FORMAT) ? ROOM : 1u];
shared uint words[2u * ROOM];
#define SHARED      low[ROOM - 1u]
#define SCAN_MEMORY low
#include "../scan.glsl"

// This invocation's pairs, which are MUR_WORKGROUP apart. place: the key's position in the set.
// rank: number of pairs before it in its group. Both are NONE if there is no pair.
uvec2 hashes[ITEMS];
uint values[ITEMS];
uint place[ITEMS];
uint rank[ITEMS];

uint item_of(uint i) {
    return i * MUR_WORKGROUP + gl_LocalInvocationIndex;
}

bool leads(uint i) {
    return rank[i] == 0u;
}

void share_hash(uint i) {
    low[item_of(i)] = hashes[i].x;
    if (MUR_IS_64(KERNEL_FORMAT)) {
        high[item_of(i)] = hashes[i].y;
    }
}

void read_pairs(MurTableRef table, uvec2 range) {
    // All loads come first and are unconditional, so that their latencies overlap.
    [[unroll]] for (uint i = 0u; i < ITEMS; ++i) {
        uint item = min(range.x + item_of(i), range.y - 1u);
        hashes[i] = mur_input_key(push.keys, item);
        values[i] = GROUP_VALUES ? mur_input(push.values, item) : 0u;
    }
    [[unroll]] for (uint i = 0u; i < ITEMS; ++i) {
        hashes[i] = mur_hash_of(table, KERNEL_FORMAT, uvec3(hashes[i], 0u)).xy;
        share_hash(i);
    }
    for (uint i = gl_LocalInvocationIndex; i < 2u * ROOM; i += MUR_WORKGROUP) {
        words[i] = NONE;
    }
}

bool same_key(uint a, uint b) {
    return low[a] == low[b] && (!MUR_IS_64(KERNEL_FORMAT) || high[a] == high[b]);
}

// Returns the set's item at a position, or NONE if this pair has taken it. In a tile most pairs are
// not the first of their key, so a read precedes the atomic, which is then needless.
uint look(uint at, uint item) {
    uint seen = BINS ? NONE : words[at];
    return seen == NONE ? atomicCompSwap(words[at], NONE, item) : seen;
}

// Finds the first pair with this pair's key. The set has at least twice as many positions as keys.
// The bits of the hash that choose the position do not choose the bin. A position contains the item
// of the key's first pair, plus ROOM times the number of later pairs.
void find_leader(uint i) {
    place[i] = hashes[i].x % (2u * ROOM);
    uint seen = look(place[i], item_of(i));
    while (seen != NONE && !same_key(seen % ROOM, item_of(i))) {
        place[i] = (place[i] + 1u) % (2u * ROOM);
        seen = look(place[i], item_of(i));
    }
    rank[i] = seen == NONE ? 0u : atomicAdd(words[place[i]], ROOM) / ROOM + 1u;
}

void find_leaders(uint count) {
    barrier();
    [[unroll]] for (uint i = 0u; i < ITEMS; ++i) {
        place[i] = NONE;
        rank[i] = NONE;
        if (item_of(i) < count) {
            find_leader(i);
        }
    }
    barrier();
}

// Returns the number of pairs in the group that this pair leads, or 0.
uint led(uint i) {
    return leads(i) ? words[place[i]] / ROOM + 1u : 0u;
}
