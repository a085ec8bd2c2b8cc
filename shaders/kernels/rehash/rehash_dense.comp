#version 450
#extension GL_GOOGLE_include_directive : require
// murCmdRehash as a stream into a table that will be more than half full. The kernel works like
// rehash_slices.comp, but computes the exact number of entries that earlier slices push into a
// slice. A workgroup counts the entries of earlier slices by home slot, slice by slice backwards,
// until enough slots stay free that still earlier entries have no effect. Then the position of the
// entries of each home slot is known, and only entries with the same home slot displace each other
// (like EXACT in build_slices.comp). The number of workgroups is bounded, since this path is rare.
// SPDX-License-Identifier: MIT
#define MUR_READ_ONLY
#include "rehash.glsl"
#define RUN_ROOM (MUR_SLICE + MUR_SLICE_CARRY)
#include "rehash_run.glsl"

const uint ITEMS = 5u; // slots of the source per invocation and round

shared uint shift_memory[600];
#define SHIFT_MEMORY shift_memory
#include "../slices/build_shifts.glsl"
const uint HOME_WORDS = MUR_SLICE / 2u;
#include "../slices/build_homes.glsl"

uint slice_count() {
    return (push.table.capacity - 1u) / MUR_SLICE + 1u;
}

// Counts a slice's entries by home slot. Reads the source until a slot after them is free. times:
// how many times the workgroup reads these slots, for charge(). Call it in uniform control flow.
void count_run(uint slice, uint times) {
    uint first = slice * MUR_SLICE;
    set_run(first, first + min(MUR_SLICE, push.table.capacity - first));
    clear_homes();
    if (gl_LocalInvocationIndex == 0u) {
        closed = 0u;
    }
    bool open = true;
    while (open) {
        barrier();
        uint begin = runUntil + gl_LocalInvocationIndex;
        Slot slots[ITEMS];
        [[unroll]] for (uint i = 0u; i < ITEMS; ++i) {
            uint at = begin + i * MUR_WORKGROUP;
            slots[i] = source_slot(min(at, push.source.slotCount - 1u));
        }
        if (gl_LocalInvocationIndex == 0u) {
            charge(times * ITEMS);
        }
        [[unroll]] for (uint i = 0u; i < ITEMS; ++i) {
            uint at = begin + i * MUR_WORKGROUP;
            if (is_free(slots[i])) {
                close_at(at);
            } else if (at < push.source.slotCount && is_of_run(slots[i]) && is_live(slots[i])) {
                count_home(home_of(slots[i]) - runFirst);
            }
        }
        runUntil += min(ITEMS * MUR_WORKGROUP, push.source.slotCount - runUntil);
        barrier();
        open = closed == 0u && !left && runUntil < push.source.slotCount;
    }
}

// Returns the number of entries that earlier slices push into a slice.
uint come_into(uint slice) {
    const int size = int(MUR_SLICE);
    ivec2 before = NO_SHIFT;
    uint back = slice;
    bool open = slice != 0u;
    while (open) {
        --back;
        count_run(back, 1u);
        fold_shifts(shift_of_homes());
        ivec2 shift = folded_shift();
        before = compose(ivec2(shift.x - size, max(shift.y - size, 0)), before);
        // No more than MUR_SLICE_CARRY entries enter a slice; if more do, that slice is irregular.
        open = back != 0u && !left && before.x + int(MUR_SLICE_CARRY) > before.y;
        barrier();
    }
    return uint(max(apply(before, 0), 0));
}

// Returns the position of the first entry that has this entry's home slot.
uint begin_of(Slot slot) {
    return home_word(home_of(slot) - runFirst);
}

// Sorts the slice's entries into shared memory. Returns the end of the slots that they use.
uint order_run(uint slice, uint come) {
    uint lane = gl_LocalInvocationIndex;
    count_run(slice, 3u);
    fold_shifts(shift_of_homes());
    int reach;
    begin_homes(reach_before(int(come), reach));
    for (uint at = lane; at < RUN_ROOM; at += MUR_WORKGROUP) {
        clear_place(at);
    }
    barrier();
    for (uint from = runFrom + lane; from < runUntil; from += MUR_WORKGROUP) {
        Slot slot = source_slot(from);
        if (is_of_run(slot)) {
            count(slot);
            if (is_live(slot) && !place(begin_of(slot), RUN_ROOM, hash_of(slot))) {
                irregular();
            }
        }
    }
    barrier();
    for (uint from = runFrom + lane; from < runUntil; from += MUR_WORKGROUP) {
        Slot slot = source_slot(from);
        if (is_of_run(slot) && is_live(slot)) {
            settle_at(begin_of(slot), RUN_ROOM, from, slot, runFirst);
        }
    }
    barrier();
    return uint(reach);
}

// Writes the slots after those of entries of earlier slices, to the end of the slice's own entries;
// the last slice writes to the end of the table.
void write_slice(uint slice, uint come, uint reach) {
    uint room = push.table.slotCount - runFirst;
    uint end = slice + 1u == slice_count() ? room : max(reach, MUR_SLICE);
    if (come > MUR_SLICE_CARRY || reach > min(room, RUN_ROOM)) {
        irregular();
        return;
    }
    for (uint at = come + gl_LocalInvocationIndex; at < end; at += MUR_WORKGROUP) {
        if (at < RUN_ROOM) {
            write_slot(runFirst + at, place_now(at));
        } else {
            write_slot(runFirst + at, free_slot());
        }
    }
}

void main() {
    bool leads = gl_LocalInvocationIndex == 0u;
    if (leads) {
        start();
        if (mur_workgroup() == 0u && stream == MUR_STREAM_DENSE) {
            write_extra();
        }
    }
    barrier();
    if (stream != MUR_STREAM_DENSE) {
        return;
    }
    uint stride = gl_NumWorkGroups.x * gl_NumWorkGroups.y;
    for (uint slice = mur_workgroup(); slice < slice_count() && !left; slice += stride) {
        uint come = come_into(slice);
        uint reach = order_run(slice, min(come, MUR_SLICE_CARRY + 1u));
        write_slice(slice, come, reach);
        barrier();
    }
    if (leads) {
        finish();
    }
}
