#version 450
#extension GL_GOOGLE_include_directive : require
// murCmdBuild: each workgroup builds one slice in shared memory, in order of hash, and writes it out
// whole. A pair goes to its home slot or the next one whose hash is not smaller, and what it finds
// there moves on: atomic minima, so the outcome is the same in whatever order the pairs come, and a
// key that comes twice meets itself.
// Source of the ordering: Amble and Knuth, "Ordered hash tables", 1974.
//
// Compiled twice. Sliced path: what is pushed out of the slice's end stays, in order, in the slice's
// bin, whose pairs have all been read by then, for build_settle.comp. Exact path
// (MUR_BUILD_EXACT): how many pairs come in from the slice before is known, so each home's pairs
// begin where they will stay, and no pair moves on but within its home: what makes it fast at
// high loads. It writes from the first slot that is not the slice before's to where its pairs reach.
// SPDX-License-Identifier: MIT
#define MUR_READ_ONLY
#include "../murmuration.glsl"
#include "kernel.glsl"
#include "build.glsl"
#ifdef MUR_BUILD_EXACT
#include "build_shifts.glsl"
#include "build_homes.glsl"
#define MUR_BUILD_OVER MUR_BUILD_CARRY
#else
#define MUR_BUILD_OVER MUR_BUILD_SPILL
#endif

const uint ROOM = MUR_BUILD_SLICE + MUR_BUILD_OVER;
const uint ITEMS = MUR_BUILD_ROOM / MUR_WORKGROUP;

shared uint keys[ROOM];
shared uint values[ROOM];

// Slots are counted from the slice's first. Past the table's last slot only a direct insert goes on.
void place(uint slot, uint end, uint hash) {
    while (slot < end) {
        uint seen = atomicMin(keys[slot], hash);
        if (seen == MUR_EMPTY || seen == hash) {
            return;
        }
        hash = max(seen, hash);
        ++slot;
    }
    irregular();
}

void give_value(uint slot, uint hash, uint value) {
    while (slot < ROOM) {
        uint seen = keys[slot];
        if (seen >= hash) {
            values[slot] = value;
            return;
        }
        ++slot;
    }
}

uint home_of(uint hash, uint first) {
    return mur_home(hash, push.table.capacity) - first;
}

#ifdef MUR_BUILD_EXACT

uint begin_of(uint hash, uint first) {
    return homes[home_index(home_of(hash, first))];
}

#else

uint begin_of(uint hash, uint first) {
    return home_of(hash, first);
}

void write_spill(uint slice, uint lane) {
    uvec2 count = slice_word(slice, MUR_SLICE_COUNT);
    if (lane == 0u && keys[MUR_BUILD_SLICE] == MUR_EMPTY) {
        mur_output(count, 0u, 0u);
    }
    if (lane < MUR_BUILD_SPILL && keys[MUR_BUILD_SLICE + lane] != MUR_EMPTY) {
        uint slot = MUR_BUILD_SLICE + lane;
        MurPairsOut(slice_bin(slice)).pairs[lane] = uvec2(keys[slot], values[slot]);
        if (slot + 1u == ROOM || keys[min(slot + 1u, ROOM - 1u)] == MUR_EMPTY) {
            mur_output(count, 0u, lane + 1u);
        }
    }
}

#endif

void main() {
    uint slice = mur_workgroup();
    if (slice >= build_slices()) {
        return;
    }
    uint lane = gl_LocalInvocationIndex;
    uint first = slice * MUR_BUILD_SLICE;
    uint none = mur_no_value(push.table);
    uint count = slice_count(slice);
    uint end = slots_end(first, ROOM) - first;
    uvec2 bin = slice_bin(slice);
    uvec2 pairs[ITEMS];
    [[unroll]] for (uint i = 0u; i < ITEMS; ++i) {
        uint item = i * MUR_WORKGROUP + lane;
        pairs[i] = uvec2(MUR_EMPTY);
        if (item < count) {
            pairs[i] = MurPairsIn(bin).pairs[item];
        }
    }
    for (uint slot = lane; slot < ROOM; slot += MUR_WORKGROUP) {
        keys[slot] = MUR_EMPTY;
        values[slot] = none;
    }
    uint writeBegin = 0u;
    uint writeEnd = min(end, MUR_BUILD_SLICE);
#ifdef MUR_BUILD_EXACT
    writeBegin = min(mur_input(slice_word(slice, MUR_SLICE_IN), 0u), ROOM);
    clear_homes();
    barrier();
    [[unroll]] for (uint i = 0u; i < ITEMS; ++i) {
        if (pairs[i].x != MUR_EMPTY) {
            atomicAdd(homes[home_index(home_of(pairs[i].x, first))], 1u);
        }
    }
    barrier();
    fold_shifts(shift_of_homes());
    int reach;
    begin_homes(reach_before(int(writeBegin), reach));
    if (uint(reach) > end) {
        irregular();
    }
    writeEnd = min(max(uint(reach), writeEnd), end);
#endif
    barrier();
    [[unroll]] for (uint i = 0u; i < ITEMS; ++i) {
        if (pairs[i].x != MUR_EMPTY) {
            place(begin_of(pairs[i].x, first), end, pairs[i].x);
        }
    }
    barrier();
    [[unroll]] for (uint i = 0u; i < ITEMS; ++i) {
        if (pairs[i].x != MUR_EMPTY) {
            give_value(begin_of(pairs[i].x, first), pairs[i].x, pairs[i].y);
        }
    }
    barrier();
#ifndef MUR_BUILD_EXACT
    write_spill(slice, lane);
#endif
    uvec2 slots = mur_slot_address(push.table, first);
    for (uint slot = writeBegin + lane; slot < writeEnd; slot += MUR_WORKGROUP) {
        MurPairsOut(slots).pairs[slot] = uvec2(keys[slot], values[slot]);
    }
}
