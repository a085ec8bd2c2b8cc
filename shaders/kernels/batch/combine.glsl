// Items of a workgroup with the same key become one before they reach the table: one of them leads,
// and inserts the combination of all their values. A leader claims an entry of shared memory by its
// key's hash; one that finds neither of its two free goes alone, which is as right. Serves every
// format; 64-bit values need no 64-bit atomics of shared memory.
//
// SPDX-License-Identifier: MIT

const uint ENTRIES = 512u;
const uint NOBODY = 0xFFFFFFFFu;

shared uint leaders[ENTRIES];
shared uint followed; // does any item have a leader other than itself?
shared uint keysLow[MUR_WORKGROUP];   // by invocation; in the end: a leader's slot
shared uint totalsLow[MUR_WORKGROUP]; // by leader: of all items so far; in the end: its status
const uint WIDE_KEYS = MUR_IS_64(KERNEL_FORMAT) ? MUR_WORKGROUP : 1u;
const uint WIDE_VALUES = KERNEL_FORMAT == MUR_FORMAT_K64V64 ? MUR_WORKGROUP : 1u;
shared uint keysHigh[WIDE_KEYS];
shared uint totalsHigh[WIDE_VALUES];

// The value in which items begin to join: the identity of each mode.
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
    if (KERNEL_FORMAT == MUR_FORMAT_K64V64) {
        totalsHigh[lane] = none;
    }
}

bool has_key(uint lane, uvec2 key) {
    return keysLow[lane] == key.x && (!MUR_IS_64(KERNEL_FORMAT) || keysHigh[lane] == key.y);
}

// Returns the leader of a key: one of its items, possibly this one.
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

// The high words first: low ones of a minimum or maximum count where the high ones are it.
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
    default: // a sum's come with the carry
        break;
    }
}

// All items of a leader's key. If one value of them replaces the stored one, it is not the
// leader's: the leader counts as the first and gets the table's result. In uniform control flow.
void join(bool joins, uint leader, uvec2 value, uint mode) {
    if (KERNEL_FORMAT == MUR_FORMAT_K64V64) {
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
        if (KERNEL_FORMAT == MUR_FORMAT_K64V64) {
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
            totalsLow[leader] = value.x; // 64-bit values would need more than a store
        }
        break;
    }
}

uvec2 total_of(uint leader) {
    return uvec2(totalsLow[leader], KERNEL_FORMAT == MUR_FORMAT_K64V64 ? totalsHigh[leader] : 0u);
}
