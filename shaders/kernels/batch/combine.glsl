// Items of a workgroup with the same key become one before they reach the table, in modes that add
// up what comes: one of them leads, and inserts what comes of all their values. A hash claims an
// entry of shared memory; one that finds neither of its two free has each of its items go alone,
// which is as right.
//
// SPDX-License-Identifier: MIT

const uint ENTRIES = 512u;
const uint ALONE = 0xFFFFFFFFu;

shared uint entryHash[ENTRIES];  // in the end: the slot where it lives
shared uint entryValue[ENTRIES]; // of all items so far

void clear_entries() {
    for (uint i = gl_LocalInvocationIndex; i < ENTRIES; i += MUR_WORKGROUP) {
        entryHash[i] = MUR_EMPTY;
        entryValue[i] = mur_no_value(push.table); // the identity of each mode
    }
}

void combine(uint entry, uint value, uint mode) {
    switch (mode) {
    case MUR_MODE_ADD:
        atomicAdd(entryValue[entry], value);
        break;
    case MUR_MODE_MIN:
        atomicMin(entryValue[entry], value);
        break;
    case MUR_MODE_MAX:
        atomicMax(entryValue[entry], value);
        break;
    default:
        atomicOr(entryValue[entry], value);
        break;
    }
}

// The entry of a hash other than MUR_EMPTY, or ALONE. leads: nobody else inserts for it.
uint enter(uint hash, uint value, uint mode, out bool leads) {
    leads = true;
    for (uint shift = 0u; shift <= 12u; shift += 12u) {
        uint entry = hash >> shift & (ENTRIES - 1u);
        uint seen = entryHash[entry];
        if (seen == MUR_EMPTY) {
            seen = atomicCompSwap(entryHash[entry], MUR_EMPTY, hash);
        }
        if (seen == MUR_EMPTY || seen == hash) {
            leads = seen == MUR_EMPTY;
            combine(entry, value, mode);
            return entry;
        }
    }
    return ALONE;
}
