#version 450
#extension GL_GOOGLE_include_directive : require
// murCmdRehash as a stream: each workgroup writes some slices of push.slice slots, one after
// another, sorted by hash. Home slots increase with the hash, so a slice's entries are in one range
// of the source: from the first slot that can be a home slot of the slice to the first free slot
// after the last one. Entries beyond a slice's end use the first slots of the next slice.
//
// To find the entries pushed into its first slice, a workgroup also places the entries of the
// MUR_REHASH_BEFORE slots before it, in shared memory only. It ignores entries pushed into these
// slots. This is correct if more than MUR_REHASH_CARRY of these slots stay free: every workgroup
// checks that no entry of its slices is further than this from its home slot. So at most
// MUR_REHASH_CARRY entries are pushed across any border, and each uses at most one free slot.
//
// Variant 1 reads twice as many slots at once, for sources of more than 2/3 of the new capacity.
// SPDX-License-Identifier: MIT
#define MUR_READ_ONLY
#include "rehash.glsl"
#define RUN_ROOM MUR_REHASH_WINDOW
#include "rehash_run.glsl"
#include "rehash_pairs.glsl"

const uint READS = (MUR_VARIANT + 1u) * MUR_REHASH_READS;
const uint PAIRS = READS / (2u * MUR_WORKGROUP); // pairs of slots per invocation
const uint STORES = (RUN_ROOM / 2u + MUR_WORKGROUP - 1u) / MUR_WORKGROUP;

shared uint freeBefore; // number of slots before the first slice that stay free
shared uint reach;      // number of slots beyond the run's end that entries use

uint come; // number of the run's slots that entries of earlier runs use
bool gone; // the workgroup has given up

// Slots that were read for the next run, and their range in the source.
Slot ahead[PAIRS][2];
uint aheadFrom;
uint aheadUntil;
uint aheadHome; // lastHome of the next run

void read_ahead(uint from, uint end) {
    set_run(from, end);
    uint until = lastHome + min(MUR_REHASH_CLOSE, push.source.slotCount - lastHome);
    uint count = min(READS, max(until, runFrom) - runFrom + 1u) / 2u;
    uvec2 base = mur_offset(mur_slots_address(push.source), runFrom, SLOT_SHIFT);
    aheadFrom = runFrom;
    aheadUntil = runFrom + 2u * count;
    aheadHome = lastHome;
    [[unroll]] for (uint i = 0u; i < PAIRS; ++i) {
        uint pair = i * MUR_WORKGROUP + gl_LocalInvocationIndex;
        ahead[i][0] = free_slot();
        ahead[i][1] = free_slot();
        if (pair < count) {
            read_slots(base, pair, ahead[i]);
        }
    }
}

// Counts the slots that entries use beyond the run's end, and the free slots before `first`.
void look_around() {
    uint lane = gl_LocalInvocationIndex;
    if (lane < room - size && hashes[size + lane] != MUR_EMPTY) {
        atomicMax(reach, lane + 1u);
    }
    if (runFirst < first && lane < size && hashes[lane] == MUR_EMPTY) {
        atomicAdd(freeBefore, 1u);
    }
}

// Writes the run's slots. Later runs do not change them: their hashes are larger. Then clears the
// positions for the next run. taken: number of its first positions that this run's entries use.
void write_run(uint taken) {
    uvec2 base = mur_offset(mur_slots_address(push.table), runFirst, SLOT_SHIFT);
    [[unroll]] for (uint i = 0u; i < STORES; ++i) {
        uint pair = i * MUR_WORKGROUP + gl_LocalInvocationIndex;
        uint at = 2u * pair;
        if (at < room) {
            if (at >= come && at + 2u <= size && runFirst >= first) {
                write_pair(base, pair);
            } else if (runFirst >= first) {
                [[unroll]] for (uint j = 0u; j < 2u; ++j) {
                    if (at + j >= come && (at + j < size || hashes[at + j] != MUR_EMPTY)) {
                        write_slot(runFirst + at + j, place_now(at + j));
                    }
                }
            }
            clear_place(at);
            clear_place(at + 1u);
            if (at < taken) {
                hashes[at] = 0u;
                hashes[at + 1u] = at + 1u < taken ? 0u : MUR_EMPTY;
            }
        }
    }
}

// Processes the run of home slots from ... end - 1, whose source was read ahead, and reads ahead
// for the run end ... next - 1. Returns the number of slots that entries use beyond the run's end.
uint do_run(uint from, uint end, uint next) {
    uint begin = aheadFrom;
    uint until = aheadUntil;
    uint home = aheadHome;
    Slot slots[PAIRS][2];
    [[unroll]] for (uint i = 0u; i < PAIRS; ++i) {
        slots[i] = ahead[i];
    }
    read_ahead(end, next);
    lastHome = home;
    runFirst = from;
    runEnd = end;
    runUntil = until;
    counts = mur_wanted(push.result) && from >= first;
    uvec2 begins[PAIRS];
    [[unroll]] for (uint i = 0u; i < PAIRS; ++i) {
        uint at = begin + 2u * (i * MUR_WORKGROUP + gl_LocalInvocationIndex);
        begins[i] = uvec2(begin_of(slots[i][0]), begin_of(slots[i][1]));
        place_both(begins[i], uvec2(hash_of(slots[i][0]), hash_of(slots[i][1])));
        if (at + 1u >= home && at < until) {
            if (is_free(slots[i][0])) {
                close_at(at);
            }
            if (is_free(slots[i][1])) {
                close_at(at + 1u);
            }
        }
    }
    take_rest();
    look_around();
    [[unroll]] for (uint i = 0u; i < PAIRS; ++i) {
        settle_both(begin + 2u * (i * MUR_WORKGROUP + gl_LocalInvocationIndex), slots[i],
                    begins[i]);
    }
    settle_rest(until);
    barrier();
    gone = left;
    uint taken = reach;
    write_run(taken);
    if (gl_LocalInvocationIndex == 0u) {
        closed = 0u;
    }
    barrier();
    if (gl_LocalInvocationIndex == 0u) {
        reach = 0u;
    }
    return taken;
}

void clear_all() {
    for (uint at = gl_LocalInvocationIndex; at <= RUN_ROOM; at += MUR_WORKGROUP) {
        clear_place(at);
    }
    if (gl_LocalInvocationIndex == 0u) {
        start();
        freeBefore = 0u;
        reach = 0u;
    }
}

void main() {
    bool leads = gl_LocalInvocationIndex == 0u;
    uint chunk = push.slice * push.steps;
    if (mur_workgroup() > (push.table.slotCount - 1u) / chunk) {
        return;
    }
    first = mur_workgroup() * chunk;
    uint last = first + min(chunk, push.table.slotCount - first);
    uint from = first - min(first, MUR_REHASH_BEFORE);
    uint end = first == 0u ? min(push.slice, last) : first;
    read_ahead(from, end);
    clear_all(); // also reads the stream's state, while the slots are loaded
    if (leads && first == 0u && stream == MUR_STREAM_SPARSE) {
        write_extra();
    }
    mine = uvec2(0u);
    come = 0u;
    barrier();
    if (stream != MUR_STREAM_SPARSE) {
        return;
    }
    bool before = from != 0u;
    gone = false;
    while (from < last && !gone) {
        uint next = end + min(push.slice, last - end);
        size = end - from;
        room = size + min(MUR_REHASH_CARRY, push.table.slotCount - end);
        come = do_run(from, end, next);
        from = end;
        end = next;
    }
    if (mur_wanted(push.result)) {
        atomicAdd(moved, mine.x);
        atomicAdd(dropped, mine.y);
    }
    barrier();
    if (leads) {
        if (before && freeBefore <= MUR_REHASH_CARRY) {
            irregular();
        }
        finish();
    }
}
