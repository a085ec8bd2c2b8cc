// Writes a whole bin: its groups, and the slots of their keys. The home slots of a bin's keys are a
// range of slots. A workgroup builds this range in shared memory, and no other workgroup writes it.
// Keys without a free slot in the range are inserted after all bins are written. Include this file
// after group_set.glsl and insert().
// SPDX-License-Identifier: MIT

#include "group_ascend.glsl"

// Writes the bin's groups one after another. Returns the index of the first group in the array of
// groups. begins (output): for each pair of this invocation that leads a group, the offset of the
// group from this index; NONE for other pairs.
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
        place[i] = rank[i] != NONE ? words[place[i]] : NONE; // from now on its group's offset
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

const uint SLOTS = 2u * ROOM - 1u; // number of slots that are built at a time
#define LEFT words[SLOTS]

// Returns a bin's first slot. Bins and slots have the order of hashes: no key's home is before it.
uint slot_begin(MurTableRef table, uint bin) {
    uint part = mur_home(bin, push.slotsLow); // the high word of the product
    return bin == push.bins ? table.slotCount : bin * push.slotsHigh + part;
}

// Claims the first free of the `count` slots from base on, from the entry's home slot on. Returns
// false if there is none. entry: item of the group's leader, plus ROOM times the group's offset.
bool take_slot(MurTableRef table, uint i, uint base, uint count, uint entry) {
    uvec3 hash = uvec3(hashes[i], 0u);
    uint slot = mur_home_of(table, KERNEL_FORMAT, hash) - base;
    if (mur_marker(KERNEL_FORMAT, hash) != MUR_EXTRA_SLOTS(KERNEL_FORMAT)) {
        return false;
    }
    // A lookup examines `reach` slots from the home slot on.
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

// Writes the bin's slots to the table. Keys without a free slot are stored over the bin's pairs,
// from index `pairs` on, for insert_left().
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

// Inserts the keys without a slot, in a later kernel. The grid's invocations are divided among the
// bins, at least MUR_GROUP_LANES per bin.
void insert_left(MurTableRef table) {
    uint lane = mur_invocation();
    uint all = mur_invocations();
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
