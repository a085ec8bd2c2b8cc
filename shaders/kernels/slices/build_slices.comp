#version 450
#extension GL_GOOGLE_include_directive : require
// murCmdBuild: each workgroup builds a whole slice in shared memory, sorted by hash. A pair is
// placed at the first slot from its home slot on that has no smaller hash. It displaces the pair
// there to later slots. Atomic minima do this, so the result does not depend on the order of pairs,
// and duplicate keys meet in one slot. Source: Amble and Knuth, "Ordered hash tables", 1974.
//
// In variant 0, pairs were not counted. Pairs without a slot before the slice's end are written to
// the slice's bin, sorted, for build_sort_borders.comp. They replace the bin's pairs, which were
// read before. In variant 1, EXACT, the number of pairs that enter the slice is known. So the pairs
// of a home slot begin at their final position and displace only each other, which is fast at high
// loads. A workgroup writes from the end of the entering pairs to the end of its own.
// SPDX-License-Identifier: MIT
#define MUR_READ_ONLY
#include "slices.glsl"

const bool EXACT = MUR_VARIANT == 1u;
// Slots of the slice, and slots for pairs beyond its end.
const uint ROOM = MUR_SLICE + (EXACT ? MUR_SLICE_CARRY : MUR_SLICE_SPILL);
const uint ITEMS = MUR_SLICE_ROOM / MUR_WORKGROUP;
const uint SLOTS = (ROOM + MUR_WORKGROUP - 1u) / MUR_WORKGROUP; // per invocation

// The slice's hashes, later its values. Little shared memory lets many workgroups run concurrently.
shared uint words[ROOM + 1u];
shared uint spilled;
#define SHIFT_MEMORY words
const uint HOME_WORDS = EXACT ? MUR_SLICE / 2u : 1u;
#include "build_shifts.glsl"
#include "build_homes.glsl"

// Places a hash, then each hash that it displaces. Slot 0 is the slice's first slot. If no slot
// before end is free for a hash, a later kernel must insert the whole batch directly (irregular).
void place(uint slot, uint end, uint hash) {
    while (slot < end) {
        uint seen = atomicMin(words[slot], hash);
        if (seen == MUR_EMPTY || seen == hash) {
            return;
        }
        hash = max(seen, hash);
        ++slot;
    }
    irregular();
}

// Returns the position of a hash, or ROOM if it has none: the word there is always empty.
uint find_place(uint slot, uint hash) {
    while (words[slot] < hash) {
        ++slot;
    }
    return slot;
}

// Returns where the search for a hash begins: at its home slot, or at the first pair of this home.
uint begin_of(uint hash, uint first) {
    uint home = mur_home(hash, push.table.capacity) - first;
    return EXACT ? min(home_word(home), ROOM) : home; // too many pairs begin far beyond the end
}

// This invocation's pairs, and the hashes of the slots that it writes.
uvec2 pairs[ITEMS];
uint hashes[SLOTS];

void read_pairs(uvec2 bin, uint count) {
    [[unroll]] for (uint i = 0u; i < ITEMS; ++i) {
        uint item = i * MUR_WORKGROUP + gl_LocalInvocationIndex;
        pairs[i] = uvec2(MUR_EMPTY);
        if (item < count) {
            pairs[i] = MurPairsIn(bin).pairs[item];
        }
    }
}

// Counts the pairs of each home slot, for begin_of. come: number of pairs that enter the slice.
// Returns the end of the slots that the slice's pairs use.
uint count_homes(uint first, uint come) {
    clear_homes();
    barrier();
    [[unroll]] for (uint i = 0u; i < ITEMS; ++i) {
        if (pairs[i].x != MUR_EMPTY) {
            count_home(mur_home(pairs[i].x, push.table.capacity) - first);
        }
    }
    barrier();
    fold_shifts(shift_of_homes());
    int reach;
    begin_homes(reach_before(int(come), reach));
    return uint(reach);
}

void forget_pairs() {
    [[unroll]] for (uint i = 0u; i < ITEMS; ++i) {
        pairs[i].x = MUR_EMPTY;
    }
}

// Sorts the hashes in shared memory. Then replaces the hash of each pair by its position.
void order_pairs(uint first, uint end) {
    for (uint slot = gl_LocalInvocationIndex; slot <= ROOM; slot += MUR_WORKGROUP) {
        words[slot] = MUR_EMPTY;
    }
    barrier();
    [[unroll]] for (uint i = 0u; i < ITEMS; ++i) {
        if (pairs[i].x != MUR_EMPTY) {
            place(begin_of(pairs[i].x, first), end, pairs[i].x);
        }
    }
    barrier();
    [[unroll]] for (uint i = 0u; i < ITEMS; ++i) {
        pairs[i].x = pairs[i].x == MUR_EMPTY
                         ? ROOM
                         : find_place(begin_of(pairs[i].x, first), pairs[i].x);
    }
}

// Copies the hashes of the slots that this invocation writes. Values replace them in shared memory.
void swap_in_values() {
    [[unroll]] for (uint i = 0u; i < SLOTS; ++i) {
        uint slot = i * MUR_WORKGROUP + gl_LocalInvocationIndex;
        hashes[i] = slot < ROOM ? words[slot] : MUR_EMPTY;
    }
    barrier();
    [[unroll]] for (uint i = 0u; i < ITEMS; ++i) {
        if (pairs[i].x < ROOM) {
            words[pairs[i].x] = pairs[i].y;
        }
    }
    barrier();
}

void write_slots(uint first, uint begin, uint end, uvec2 bin) {
    uint none = mur_empty_value(push.table);
    MurPairsOut slots = MurPairsOut(mur_offset(mur_slots_address(push.table), first, 3u));
    [[unroll]] for (uint i = 0u; i < SLOTS; ++i) {
        uint slot = i * MUR_WORKGROUP + gl_LocalInvocationIndex;
        bool empty = hashes[i] == MUR_EMPTY;
        if (slot >= begin && slot < end) {
            slots.pairs[slot] = uvec2(hashes[i], empty ? none : words[slot]);
        }
        if (!EXACT && slot >= MUR_SLICE && !empty) {
            MurPairsOut(bin).pairs[slot - MUR_SLICE] = uvec2(hashes[i], words[slot]);
            atomicAdd(spilled, 1u);
        }
    }
}

void main() {
    uint slice = mur_workgroup();
    if (slice >= slice_total()) {
        return;
    }
    uint first = slice * MUR_SLICE;
    uint end = slots_end(first, ROOM) - first;
    uvec2 bin = slice_bin(slice);
    read_pairs(bin, slice_count(slice));
    uint writeBegin = 0u;
    uint writeEnd = min(end, MUR_SLICE);
    if (EXACT && is_hopeless()) {
        forget_pairs();
    } else if (EXACT) {
        writeBegin = min(mur_input(slice_word(slice, SLICE_IN), 0u), ROOM);
        uint reach = count_homes(first, writeBegin);
        if (reach > end) {
            irregular();
        }
        writeEnd = min(max(reach, writeEnd), end);
    }
    if (gl_LocalInvocationIndex == 0u) {
        spilled = 0u;
    }
    barrier();
    order_pairs(first, end);
    swap_in_values();
    write_slots(first, writeBegin, writeEnd, bin);
    barrier();
    if (!EXACT && gl_LocalInvocationIndex == 0u) {
        mur_output(slice_word(slice, SLICE_COUNT), 0u, spilled);
    }
}
