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
//
// Entries find their places by atomic minima, as in build_slices.comp.
// SPDX-License-Identifier: MIT
#define MUR_READ_ONLY
#include "../murmuration.glsl"
#include "kernel.glsl"
#include "rehash.glsl"

const uint ITEMS = MUR_REHASH_READS / MUR_WORKGROUP;

shared uint hashes[MUR_REHASH_WINDOW];
shared uint values[MUR_REHASH_WINDOW];
shared uint closed;     // a free slot behind the last home has been read
shared uint freeBefore; // slots before the slice that stay free
shared uint moved;
shared uint dropped;

// Slots of the destination that are filled here: begin ... end - 1; the slice starts at first.
uint begin;
uint first;
uint end;
uint lastHome; // in the source: none of the slice's entries has a later one

// The source's slot that corresponds to a slot of the destination, rounded down.
uint scaled(uint slot) {
    uint high, low;
    umulExtended(slot, push.ratioLow, high, low);
    return slot * push.ratioHigh + high;
}

// Is it an entry of the window?
bool is_mine(Slot slot, out uint home) {
    home = mur_home(slot.x, push.table.capacity);
    return !is_free(slot) && is_live(slot) && home >= begin && home < end;
}

void place(uint at, uint hash) {
    while (at < end - begin) {
        uint seen = atomicMin(hashes[at], hash);
        if (seen == MUR_EMPTY || seen == hash) {
            return;
        }
        hash = max(seen, hash);
        ++at;
    }
    // It belongs to the next slice, which places it as well, if there is one.
    if (end == push.table.slotCount) {
        irregular();
    }
}

void take(uint from, Slot slot) {
    if (is_free(slot)) {
        if (from >= lastHome) {
            closed = 1u;
        }
        return;
    }
    uint home;
    if (is_mine(slot, home)) {
        place(home - begin, slot.x);
    }
    if (mur_wanted(push.result) && home >= first && home < end) {
        if (is_live(slot)) {
            atomicAdd(moved, 1u);
        } else {
            atomicAdd(dropped, 1u);
        }
    }
}

// Once all hashes are placed.
void settle(uint from, Slot slot) {
    uint home;
    if (!is_mine(slot, home)) {
        return;
    }
    for (uint at = home - begin; at < end - begin; ++at) {
        if (hashes[at] >= slot.x) {
            values[at] = slot.y;
            if (begin + at >= first) {
                mur_output(push.slotMap, from, begin + at);
            }
            return;
        }
    }
}

void write_slice() {
    for (uint slot = first + gl_LocalInvocationIndex; slot < end; slot += MUR_WORKGROUP) {
        uint hash = hashes[slot - begin];
        bool empty = hash == MUR_EMPTY;
        write_slot(slot, empty ? free_slot() : Slot(hash, values[slot - begin]));
        if (!empty && slot - mur_home(hash, push.table.capacity) > MUR_REHASH_CARRY) {
            irregular();
        }
    }
}

void write_extra() {
    Slot extra = source_slot(push.source.slotCount);
    if (is_live(extra)) {
        write_slot(push.table.slotCount, extra);
        mur_output(push.slotMap, push.source.slotCount, push.table.slotCount);
        moved = 1u;
    }
}

void clear_window() {
    uint lane = gl_LocalInvocationIndex;
    for (uint at = lane; at < end - begin; at += MUR_WORKGROUP) {
        hashes[at] = MUR_EMPTY;
    }
    if (lane == 0u) {
        closed = 0u;
        freeBefore = 0u;
        moved = 0u;
        dropped = 0u;
        if (first == 0u) {
            write_extra();
        }
    }
}

void main() {
    uint lane = gl_LocalInvocationIndex;
    first = mur_workgroup() * push.slice;
    if (mur_workgroup() > (push.table.slotCount - 1u) / push.slice) {
        return;
    }
    bool given = is_irregular(); // looked at when the slots are on their way
    begin = first - min(first, MUR_REHASH_BEFORE);
    end = first + min(push.slice, push.table.slotCount - first);
    lastHome = min(scaled(end) + 1u, push.source.capacity - 1u);
    uint from = min(scaled(begin), push.source.slotCount) & ~15u;
    uint until = lastHome + min(MUR_REHASH_CLOSE, push.source.slotCount - lastHome);
    Slot slots[ITEMS];
    [[unroll]] for (uint i = 0u; i < ITEMS; ++i) {
        uint at = from + i * MUR_WORKGROUP + lane;
        slots[i] = free_slot();
        if (at < until) {
            slots[i] = source_slot(at);
        }
    }
    clear_window();
    if (given) {
        return;
    }
    barrier();
    [[unroll]] for (uint i = 0u; i < ITEMS; ++i) {
        uint at = from + i * MUR_WORKGROUP + lane;
        if (at < until) {
            take(at, slots[i]);
        }
    }
    // The cluster goes on.
    uint blocks = 0u;
    barrier();
    bool open = closed == 0u && until < push.source.slotCount;
    while (open) {
        barrier();
        uint at = until + blocks * MUR_WORKGROUP + lane;
        if (at < push.source.slotCount) {
            take(at, source_slot(at));
        }
        ++blocks;
        barrier();
        open = closed == 0u && blocks < MUR_REHASH_BLOCKS &&
               until + blocks * MUR_WORKGROUP < push.source.slotCount;
    }
    if (begin + lane < first && hashes[lane] == MUR_EMPTY) {
        atomicAdd(freeBefore, 1u);
    }
    [[unroll]] for (uint i = 0u; i < ITEMS; ++i) {
        settle(from + i * MUR_WORKGROUP + lane, slots[i]);
    }
    for (uint block = 0u; block < blocks; ++block) {
        uint at = until + block * MUR_WORKGROUP + lane;
        if (at < push.source.slotCount) {
            settle(at, source_slot(at));
        }
    }
    barrier();
    write_slice();
    if (lane == 0u) {
        bool cut = closed == 0u && until + blocks * MUR_WORKGROUP < push.source.slotCount;
        if (cut || (begin != 0u && freeBefore <= MUR_REHASH_CARRY)) {
            irregular();
        }
        if (mur_wanted(push.result)) {
            atomicAdd(MurCounter(mur_offset(push.result, MUR_REHASH_MOVED, 2u)).word, moved);
            atomicAdd(MurCounter(mur_offset(push.result, MUR_REHASH_DROPPED, 2u)).word, dropped);
        }
    }
}
