#version 450
#extension GL_GOOGLE_include_directive : require
// murCmdBuild: each workgroup builds one slice in shared memory, in order of hash, and writes it
// out whole. A pair goes to its home slot or the next one whose hash is not smaller, and the pair
// there moves on: atomic minima, so the outcome is the same in whatever order the pairs come, and a
// key that comes twice meets itself. Source of the ordering: Amble and Knuth, "Ordered hash
// tables", 1974.
//
// Two kernels. Without counting: pairs pushed out of the slice's end stay, in order, in the slice's
// bin, whose pairs have all been read by then, for build_sort_borders.comp. EXACT: how many pairs
// come in from the slice before is known, so each home's pairs begin where they will stay, and
// pairs move on only within their home, which makes them fast at high loads. A slice writes from
// the first slot that is not the slice before's to where its pairs reach.
// SPDX-License-Identifier: MIT
#define MUR_READ_ONLY
#include "../kernel.glsl"
#include "slices.glsl"

const bool EXACT = MUR_VARIANT == 1u;
// Spill or carry: the most pairs that may go beyond the slice's end.
const uint ROOM = MUR_SLICE + (EXACT ? MUR_SLICE_CARRY : MUR_SLICE_SPILL);
const uint ITEMS = MUR_SLICE_ROOM / MUR_WORKGROUP;
const uint SLOTS = (ROOM + MUR_WORKGROUP - 1u) / MUR_WORKGROUP; // an invocation writes

// The slice's hashes, then its values: as little shared memory as will do, so that many workgroups
// run side by side.
shared uint words[ROOM + 1u];
shared uint spilled;
#define SHIFT_MEMORY words
const uint HOME_WORDS = EXACT ? MUR_SLICE / 2u : 1u;
#include "build_shifts.glsl"
#include "build_homes.glsl"

// Slots are counted from the slice's first. Past the table's last slot only a direct insert goes
// on.
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

// Where a hash ended up; ROOM if nowhere: that word stays empty, and ends the search.
uint find_place(uint slot, uint hash) {
    while (words[slot] < hash) {
        ++slot;
    }
    return slot;
}

// Where the search for a hash begins: at its home slot, or where its home's pairs begin.
uint begin_of(uint hash, uint first) {
    uint home = mur_home(hash, push.table.capacity) - first;
    return EXACT ? min(home_word(home), ROOM) : home; // far beyond, if too many pairs come
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

// Counts the pairs of each home, for begin_of. come: the number that comes in from the slice
// before. Returns how far the slice's pairs reach.
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

// Puts the hashes in order into shared memory, and each pair's place into where its hash was, which
// is no longer needed.
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

// Keeps the hashes of the slots that this invocation writes, and puts the values into their place.
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
