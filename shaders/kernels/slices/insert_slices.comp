#version 450
#extension GL_GOOGLE_include_directive : require
// Partitioned inserts: each workgroup reads the hashes of one slice of the table into shared
// memory, inserts its bin's pairs there by linear probing, and writes each pair to the table at
// once. No entry moves. Pairs without a slot in the slice are written to the bin, for
// slices_overflow.comp. They replace the bin's pairs, which the workgroup has read before. (A
// variant with the values in shared memory, which wrote whole slices back, was 9% slower, because
// fewer workgroups run concurrently. It was 7% faster if there were half as many pairs as slots.)
// SPDX-License-Identifier: MIT
#define MUR_READ_ONLY
#include "slices.glsl"

const uint ITEMS = MUR_SLICE_ROOM / MUR_WORKGROUP;
const uint SLOTS = MUR_SLICE / MUR_WORKGROUP; // per invocation

shared uint hashes[MUR_SLICE];
shared uint rest;   // number of pairs that found no slot
shared uint claims; // 1: some pair has claimed a slot

// Returns the hash's slot, counted from the slice's first slot, or end if there is none. seen
// (output): the slot's old content, which is the hash or, if the slot is newly claimed, MUR_EMPTY.
uint find_place(uint slot, uint end, uint hash, out uint seen) {
    for (; slot < end; ++slot) {
        seen = atomicCompSwap(hashes[slot], MUR_EMPTY, hash);
        if (seen == MUR_EMPTY || seen == hash) {
            return slot;
        }
    }
    return end;
}

// Inserts a pair. Returns false if the slice has no slot for it.
bool insert(MurSlots slots, uint home, uint end, uvec2 pair) {
    uint seen;
    uint slot = find_place(home, end, pair.x, seen);
    if (slot == end) {
        return false;
    }
    if (seen != pair.x) {
        claims = 1u;
    }
    // If another pair with this key claims the slot at the same time, either value is correct.
    if (seen == pair.x && keeps()) {
        uvec2 at = mur_offset(uvec2(slots), 2u * slot + 1u, 2u);
        atomicCompSwap(MurCounter(at).word, mur_empty_value(push.table), pair.y);
    } else {
        slots.pairs[slot] = pair;
    }
    return true;
}

void main() {
    uint slice = mur_workgroup();
    if (slice >= slice_total()) {
        return;
    }
    uint lane = gl_LocalInvocationIndex;
    uint first = slice * MUR_SLICE;
    uint end = min(push.table.capacity - first, MUR_SLICE);
    uint count = slice_count(slice);
    if (count == 0u) {
        return; // the whole workgroup
    }
    uvec2 bin = slice_bin(slice);
    MurSlots slots = MurSlots(mur_offset(mur_slots_address(push.table), first, 3u));
    uvec2 pairs[ITEMS];
    [[unroll]] for (uint i = 0u; i < ITEMS; ++i) {
        uint item = i * MUR_WORKGROUP + lane;
        pairs[i] = MurPairsIn(bin).pairs[min(item, count - 1u)];
        pairs[i].x = item < count ? pairs[i].x : MUR_EMPTY;
    }
    [[unroll]] for (uint i = 0u; i < SLOTS; ++i) {
        uint slot = i * MUR_WORKGROUP + lane;
        if (slot < end) {
            hashes[slot] = slots.pairs[slot].x;
        }
    }
    if (lane == 0u) {
        rest = 0u;
        claims = 0u;
    }
    barrier();
    [[unroll]] for (uint i = 0u; i < ITEMS; ++i) {
        if (pairs[i].x != MUR_EMPTY) {
            uint home = mur_home(pairs[i].x, push.table.capacity) - first;
            if (!insert(slots, home, end, pairs[i])) {
                MurPairsOut(bin).pairs[atomicAdd(rest, 1u)] = pairs[i];
            }
        }
    }
    barrier();
    if (lane == 0u) {
        mur_output(slice_word(slice, SLICE_COUNT), 0u, rest);
        if (claims != 0u) {
            uvec2 state = mur_offset(push.table.address, MUR_HEADER_STATE, 2u);
            if ((mur_input(state, 0u) & MUR_STATE_ORDERED) != 0u) {
                atomicAnd(MurCounter(state).word, ~MUR_STATE_ORDERED);
            }
        }
    }
}
