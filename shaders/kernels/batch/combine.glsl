// Merges items of a workgroup with the same key: one of them, the leader, inserts the merged value.
// The key's hash selects two entries of an array in shared memory; an item that claims one is the
// leader. If items with other keys have claimed both, the item inserts its own value, which is also
// correct. Works for every format, without 64-bit atomics on shared memory.
// SPDX-License-Identifier: MIT

const uint ENTRIES = 512u;
const uint NOBODY = 0xFFFFFFFFu;

shared uint leaders[ENTRIES];
shared uint followed; // 1: some item has another item as its leader
shared uint keysLow[MUR_WORKGROUP];   // low key word by invocation; at the end, slot by leader
shared uint totalsLow[MUR_WORKGROUP]; // by leader: the merged value; at the end: its status
const uint WIDE_KEYS = MUR_IS_64(KERNEL_FORMAT) ? MUR_WORKGROUP : 1u;
const uint WIDE_VALUES = MUR_HAS_WIDE_VALUES(KERNEL_FORMAT) ? MUR_WORKGROUP : 1u;
shared uint keysHigh[WIDE_KEYS];
shared uint totalsHigh[WIDE_VALUES];

// Clears the shared memory. Merged values begin with the empty value. A merge with it changes no
// value, because it is the identity of every mode that the table offers; assigns overwrite it.
void clear_entries(uvec2 key) {
    uint lane = gl_LocalInvocationIndex;
    if (lane == 0u) {
        followed = 0u;
    }
    for (uint i = lane; i < ENTRIES; i += MUR_WORKGROUP) {
        leaders[i] = NOBODY;
    }
    uint none = mur_empty_value(push.table);
    keysLow[lane] = key.x;
    totalsLow[lane] = none;
    if (MUR_IS_64(KERNEL_FORMAT)) {
        keysHigh[lane] = key.y;
    }
    if (MUR_HAS_WIDE_VALUES(KERNEL_FORMAT)) {
        totalsHigh[lane] = none;
    }
}

bool has_key(uint lane, uvec2 key) {
    return keysLow[lane] == key.x && (!MUR_IS_64(KERNEL_FORMAT) || keysHigh[lane] == key.y);
}

// Returns the invocation that is the leader of the key, possibly this one.
uint leader_of(uvec2 key) {
    uint hash = mur_hash(key.x ^ key.y, 0u);
    for (uint shift = 0u; shift <= 12u; shift += 12u) {
        uint entry = hash >> shift & (ENTRIES - 1u);
        uint seen = leaders[entry];
        if (seen == NOBODY) {
            seen = atomicCompSwap(leaders[entry], NOBODY, gl_LocalInvocationIndex);
        }
        if (seen == NOBODY) {
            return gl_LocalInvocationIndex;
        }
        if (has_key(seen, key)) {
            followed = 1u;
            return seen;
        }
    }
    return gl_LocalInvocationIndex;
}

// Merges the high words of 64-bit values, before join() merges the low words. For a minimum or
// maximum, join() then merges the low words of only those items whose high word is the result.
void join_high(uint leader, uvec2 value, uint mode) {
    switch (mode) {
    case MUR_MODE_MIN:
        atomicMin(totalsHigh[leader], value.y);
        break;
    case MUR_MODE_MAX:
        atomicMax(totalsHigh[leader], value.y);
        break;
    case MUR_MODE_OR:
        atomicOr(totalsHigh[leader], value.y);
        break;
    default: // MUR_MODE_ADD: join() adds the high words, with the carry
        break;
    }
}

// Merges the values of all items that have the leader's key. Items have no order, so the leader may
// count as the first: it reports the table's result, and an assign stores the value of a later
// item. joins: this item has a value to merge. Call it in uniform control flow.
void join(bool joins, uint leader, uvec2 value, uint mode) {
    if (MUR_HAS_WIDE_VALUES(KERNEL_FORMAT)) {
        if (joins) {
            join_high(leader, value, mode);
        }
        barrier();
        bool extreme = mode == MUR_MODE_MIN || mode == MUR_MODE_MAX;
        joins = joins && (!extreme || totalsHigh[leader] == value.y);
    }
    if (!joins) {
        return;
    }
    switch (mode) {
    case MUR_MODE_ADD: {
        uint low = atomicAdd(totalsLow[leader], value.x);
        if (MUR_HAS_WIDE_VALUES(KERNEL_FORMAT)) {
            atomicAdd(totalsHigh[leader], value.y + (low + value.x < low ? 1u : 0u));
        }
        break;
    }
    case MUR_MODE_MIN:
        atomicMin(totalsLow[leader], value.x);
        break;
    case MUR_MODE_MAX:
        atomicMax(totalsLow[leader], value.x);
        break;
    case MUR_MODE_OR:
        atomicOr(totalsLow[leader], value.x);
        break;
    default:
        if (leader != gl_LocalInvocationIndex) {
            totalsLow[leader] = value.x; // one store is atomic only for 32-bit values
        }
        break;
    }
}

uvec2 total_of(uint leader) {
    return uvec2(totalsLow[leader], MUR_HAS_WIDE_VALUES(KERNEL_FORMAT) ? totalsHigh[leader] : 0u);
}
