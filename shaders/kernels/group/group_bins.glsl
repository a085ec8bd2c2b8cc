// A whole bin: its groups, and the slots of their keys. Keys of a bin have their home slots side by
// side, so a workgroup builds these in shared memory, free ones too, and no other work writes them.
// A key that finds no free slot there remains, to be inserted after all bins are written.
//
// Include after group_set.glsl, and insert.
//
// SPDX-License-Identifier: MIT

#include "group_ascend.glsl"

// The whole bin: its groups, side by side. Returns where they begin. begins: from there on, of each
// pair that leads a group; NONE if there is no group.
uint write_groups(MurTableRef table, out uint begins[ITEMS]) {
    uint share = 0u;
    [[unroll]] for (uint i = 0u; i < ITEMS; ++i) {
        share += leads(i) ? led(i) + 1u : 0u;
    }
    uvec2 all;
    uint begin = workgroup_sum_before(share, all.y);
    if (gl_LocalInvocationIndex == 0u) {
        SHARED = atomicAdd(GROUPS(0u), all.y);
    }
    barrier();
    all.x = SHARED;
    uint counts[ITEMS];
    [[unroll]] for (uint i = 0u; i < ITEMS; ++i) {
        counts[i] = led(i);
        begins[i] = NONE;
        if (leads(i)) {
            words[place[i]] = begin;
            if (group_fits(all.x + begin, counts[i] + 1u)) {
                begins[i] = begin;
            } else {
                mur_count(table, MUR_HEADER_FAILED_INSERTS, counts[i]);
            }
            begin += counts[i] + 1u;
        }
    }
    barrier();
    [[unroll]] for (uint i = 0u; i < ITEMS; ++i) {
        share_hash(i);
        place[i] = rank[i] != NONE ? words[place[i]] : NONE; // now where its group begins
    }
    barrier();
    [[unroll]] for (uint i = 0u; i < ITEMS; ++i) {
        if (rank[i] != NONE) {
            words[place[i] + 1u + rank[i]] = values[i];
            if (leads(i)) {
                words[place[i]] = counts[i];
            }
        }
    }
    barrier();
    if (ASCENDING) {
        sort_groups(all.y);
    }
    for (uint i = gl_LocalInvocationIndex; i < all.y; i += MUR_WORKGROUP) {
        if (group_fits(all.x + i, 1u)) {
            GROUPS(all.x + i) = words[i];
        }
    }
    barrier();
    return all.x;
}

const uint SLOTS = 2u * ROOM - 1u; // at a time
#define LEFT words[SLOTS]

// A bin's first slot. Hashes go up with bins and with slots, so no key's home is before its bin's.
uint slot_begin(MurTableRef table, uint bin) {
    uint part = mur_home(bin, push.slotsLow); // the high word of the product
    return bin == push.bins ? table.slotCount : bin * push.slotsHigh + part;
}

// Takes the first free slot of count from base on, or none; last: the bin has no more. Slots hold a
// pair, and ROOM times where its group begins.
bool take_slot(MurTableRef table, uint i, uint base, uint count, uint entry) {
    uvec3 hash = uvec3(hashes[i], 0u);
    uint slot = mur_home_of(table, KERNEL_FORMAT, hash) - base;
    if (mur_marker(KERNEL_FORMAT, hash) != MUR_EXTRA_SLOTS(KERNEL_FORMAT)) {
        return false;
    }
    // As far as a lookup goes.
    const uint each = MUR_SLOTS_OF(KERNEL_FORMAT);
    uint reach = min(table.probeSectors, SLOTS) * each - (base + slot) % each;
    uint end = min(count, slot + reach);
    while (slot < end && atomicCompSwap(words[slot], NONE, entry) != NONE) {
        ++slot;
    }
    return slot < end;
}

void write_slot(MurTableRef table, uint slot, uint entry, uint first) {
    uint none = mur_empty_value(table);
    uvec4 stored = uvec4(MUR_EMPTY, MUR_EMPTY, 0u, 0u);
    uint value = none;
    if (entry != NONE) {
        uint item = entry % ROOM;
        uvec3 hash = uvec3(low[item], MUR_IS_64(KERNEL_FORMAT) ? high[item] : 0u, 0u);
        stored = mur_stored(table, KERNEL_FORMAT, hash);
        value = first + entry / ROOM;
    }
    uvec2 slots = mur_slots_address(table);
    if (MUR_IS_64(KERNEL_FORMAT)) {
        MurHalfOut(mur_offset(slots, slot, 4u)).words = uvec4(stored.xy, value, stored.w);
    } else {
        MurPairOut(mur_offset(slots, slot, 3u)).pair = uvec2(stored.x, value);
    }
}

// pairs: where the bin's begin; their memory then holds the keys that are left.
void write_slots(MurTableRef table, uint bin, uint pairs, uint first, uint begins[ITEMS]) {
    uint base = slot_begin(table, bin);
    uint end = slot_begin(table, bin + 1u);
    bool last;
    LEFT = 0u;
    do {
        uint count = min(end - base, SLOTS);
        last = base + count == end;
        for (uint i = gl_LocalInvocationIndex; i < count; i += MUR_WORKGROUP) {
            words[i] = NONE;
        }
        barrier();
        [[unroll]] for (uint i = 0u; i < ITEMS; ++i) {
            uvec3 hash = uvec3(hashes[i], 0u);
            uint home = mur_home_of(table, KERNEL_FORMAT, hash);
            bool here = home >= base && (last || home - base < count);
            if (leads(i) && begins[i] != NONE && here &&
                !take_slot(table, i, base, count, item_of(i) + ROOM * begins[i])) {
                uint place = pairs + atomicAdd(LEFT, 1u);
                mur_output_pair(push.keys, place, MUR_IS_64(KERNEL_FORMAT), hashes[i]);
                mur_output(push.values, place, first + begins[i]);
            }
        }
        barrier();
        for (uint i = gl_LocalInvocationIndex; i < count; i += MUR_WORKGROUP) {
            write_slot(table, base + i, words[i], first);
        }
        barrier();
        base += count;
    } while (!last);
    if (gl_LocalInvocationIndex == 0u) {
        mur_output(push.scratch, MUR_GROUP_LEFT + bin, LEFT);
    }
}

// As many invocations as the grid has for each bin, MUR_GROUP_LANES at least, insert the keys that
// it leaves.
void insert_left(MurTableRef table) {
    uint lane = mur_workgroup() * MUR_WORKGROUP + gl_LocalInvocationIndex;
    uint all = gl_NumWorkGroups.x * gl_NumWorkGroups.y * MUR_WORKGROUP;
    uint lanes = max(all / max(push.bins, 1u), MUR_GROUP_LANES);
    uint stride = all / lanes;
    for (uint bin = lane / lanes; bin < push.bins; bin += stride) {
        uint begin = bin_range(bin).x;
        uint left = mur_input(push.scratch, MUR_GROUP_LEFT + bin);
        for (uint i = lane % lanes; i < left; i += lanes) {
            uint value = mur_input(push.values, begin + i);
            uint slot;
            insert(table, mur_input_key(push.keys, begin + i), value, GROUPS(value), slot);
        }
    }
}
