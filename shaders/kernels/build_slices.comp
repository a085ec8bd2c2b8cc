#version 450
#extension GL_GOOGLE_include_directive : require
// murCmdBuild: each workgroup builds one slice in shared memory, in order of hash, and writes it out
// whole. A pair goes to its home slot or the next one whose hash is not smaller, and what it finds
// there moves on: atomic minima, so the outcome is the same in whatever order the pairs come, and a
// key that comes twice meets itself. What is pushed out of the slice's end stays, in order, in the
// slice's bin, whose pairs have all been read by then, for build_settle.comp.
// Source of the ordering: Amble and Knuth, "Ordered hash tables", 1974.
// SPDX-License-Identifier: MIT
#define MUR_READ_ONLY
#include "../murmuration.glsl"
#include "kernel.glsl"
#include "build.glsl"

layout(buffer_reference, std430, buffer_reference_align = 16) writeonly buffer MurTwoPairsOut {
    uvec4 pairs;
};

const uint ROOM = MUR_BUILD_SLICE + MUR_BUILD_OVERFLOW;
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

void write_overflow(uint slice, uint lane) {
    if (lane == 0u && keys[MUR_BUILD_SLICE] == MUR_EMPTY) {
        mur_output(scratch_word(MUR_BUILD_SLICES), slice, 0u);
    }
    if (lane < MUR_BUILD_OVERFLOW && keys[MUR_BUILD_SLICE + lane] != MUR_EMPTY) {
        uint slot = MUR_BUILD_SLICE + lane;
        MurPairOut(slice_pair(slice, lane)).pair = uvec2(keys[slot], values[slot]);
        if (slot + 1u == ROOM || keys[min(slot + 1u, ROOM - 1u)] == MUR_EMPTY) {
            mur_output(scratch_word(MUR_BUILD_SLICES), slice, lane + 1u);
        }
    }
}

void main() {
    uint slice = mur_workgroup();
    if (slice >= build_slices()) {
        return;
    }
    uint lane = gl_LocalInvocationIndex;
    uint first = slice * MUR_BUILD_SLICE;
    uint none = mur_no_value(push.table);
    uint count = slice_count(slice);
    uint placeable = slots_end(first, ROOM) - first;
    uvec2 pairs[ITEMS];
    [[unroll]] for (uint i = 0u; i < ITEMS; ++i) {
        uint item = i * MUR_WORKGROUP + lane;
        pairs[i] = uvec2(MUR_EMPTY);
        if (item < count) {
            pairs[i] = MurPairIn(slice_pair(slice, item)).pair;
        }
    }
    for (uint slot = lane; slot < ROOM; slot += MUR_WORKGROUP) {
        keys[slot] = MUR_EMPTY;
        values[slot] = none;
    }
    barrier();
    [[unroll]] for (uint i = 0u; i < ITEMS; ++i) {
        if (pairs[i].x != MUR_EMPTY) {
            place(mur_home(pairs[i].x, push.table.capacity) - first, placeable, pairs[i].x);
        }
    }
    barrier();
    [[unroll]] for (uint i = 0u; i < ITEMS; ++i) {
        if (pairs[i].x != MUR_EMPTY) {
            give_value(mur_home(pairs[i].x, push.table.capacity) - first, pairs[i].x, pairs[i].y);
        }
    }
    barrier();
    write_overflow(slice, lane);
    uint end = slots_end(first, MUR_BUILD_SLICE) - first; // slot counts are even
    for (uint slot = 2u * lane; slot < end; slot += 2u * MUR_WORKGROUP) {
        MurTwoPairsOut(mur_slot_address(push.table, first + slot)).pairs = uvec4(
            keys[slot], values[slot], keys[slot + 1u], values[slot + 1u]);
    }
}
