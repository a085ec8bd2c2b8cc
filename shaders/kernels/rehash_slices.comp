#version 450
#extension GL_GOOGLE_include_directive : require
// murCmdRehash as a stream: each workgroup writes one slice of the destination, whole and in order
// of hash. Slots are in order of hash up to probing, so what belongs there comes from one run of the
// source: from the first slot that can be a home of it to the first free slot behind the last.
//
// What the entries before a slice push into it is found by placing those as well, of as many slots
// before it, in shared memory only. That they start from nothing is no mistake if so many of these
// slots stay free that whatever was pushed into them is used up there: no entry is further than
// MUR_REHASH_CARRY slots from its home, which every workgroup sees to for its own slice, so no more
// than that are pushed on anywhere, and each takes one free slot at most.
// SPDX-License-Identifier: MIT
#define MUR_READ_ONLY
#include "../murmuration.glsl"
#include "kernel.glsl"
#include "rehash.glsl"
#define RUN_ROOM MUR_REHASH_WINDOW
#include "rehash_run.glsl"

const uint ITEMS = MUR_REHASH_READS / MUR_WORKGROUP;

shared uint freeBefore; // slots before the slice that stay free

uint first; // of the slice's slots, which end where the run does

void take(uint from, Slot slot) {
    if (is_free(slot)) {
        close_at(from);
    } else if (is_of_run(slot)) {
        // What is pushed beyond the end belongs to the next slice, which places it as well, if
        // there is one.
        if (is_live(slot) && !place(home_of(slot) - runFirst, runEnd - runFirst, hash_of(slot)) &&
            runEnd == push.table.slotCount) {
            irregular();
        }
        if (home_of(slot) >= first) {
            count(slot);
        }
    }
}

// Once all hashes are placed.
void settle(uint from, Slot slot) {
    if (is_of_run(slot) && is_live(slot)) {
        settle_at(home_of(slot) - runFirst, runEnd - runFirst, from, slot, first);
    }
}

void write_slice() {
    for (uint slot = first + gl_LocalInvocationIndex; slot < runEnd; slot += MUR_WORKGROUP) {
        Slot now = write_place(slot - runFirst);
        if (!is_free(now) && slot - home_of(now) > MUR_REHASH_CARRY) {
            irregular();
        }
    }
}

void clear_window() {
    for (uint at = gl_LocalInvocationIndex; at < runEnd - runFirst; at += MUR_WORKGROUP) {
        clear_place(at);
    }
    if (gl_LocalInvocationIndex == 0u) {
        clear_counts();
        freeBefore = 0u;
    }
}

// The cluster goes on after what was read at once.
void take_rest() {
    barrier();
    bool open = closed == 0u && runUntil < push.source.slotCount;
    while (open) {
        barrier();
        uint at = runUntil + gl_LocalInvocationIndex;
        if (at < push.source.slotCount) {
            take(at, source_slot(at));
        }
        runUntil += min(MUR_WORKGROUP, push.source.slotCount - runUntil);
        barrier();
        open = closed == 0u && runUntil < push.source.slotCount;
    }
}

void main() {
    uint lane = gl_LocalInvocationIndex;
    first = mur_workgroup() * push.slice;
    if (mur_workgroup() > (push.table.slotCount - 1u) / push.slice) {
        return;
    }
    bool wanted = stream() == MUR_STREAM_SPARSE; // looked at when the slots are on their way
    set_run(first - min(first, MUR_REHASH_BEFORE),
            first + min(push.slice, push.table.slotCount - first));
    uint begin = runFrom;
    uint until = lastHome + min(MUR_REHASH_CLOSE, push.source.slotCount - lastHome);
    Slot slots[ITEMS];
    [[unroll]] for (uint i = 0u; i < ITEMS; ++i) {
        uint at = begin + i * MUR_WORKGROUP + lane;
        slots[i] = free_slot();
        if (at < until) {
            slots[i] = source_slot(at);
        }
    }
    clear_window();
    if (!wanted) {
        return;
    }
    if (lane == 0u && first == 0u) {
        write_extra();
    }
    barrier();
    [[unroll]] for (uint i = 0u; i < ITEMS; ++i) {
        uint at = begin + i * MUR_WORKGROUP + lane;
        if (at < until) {
            take(at, slots[i]);
        }
    }
    runUntil = until;
    take_rest();
    if (runFirst + lane < first && hashes[lane] == MUR_EMPTY) {
        atomicAdd(freeBefore, 1u);
    }
    [[unroll]] for (uint i = 0u; i < ITEMS; ++i) {
        settle(begin + i * MUR_WORKGROUP + lane, slots[i]);
    }
    for (uint at = until + lane; at < runUntil; at += MUR_WORKGROUP) {
        settle(at, source_slot(at));
    }
    barrier();
    write_slice();
    if (lane == 0u) {
        if (runFirst != 0u && freeBefore <= MUR_REHASH_CARRY) {
            irregular();
        }
        add_counts();
    }
}
