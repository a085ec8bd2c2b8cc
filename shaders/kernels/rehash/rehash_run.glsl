// A run is a range of home slots of the destination. In a source that is sorted by hash, the run's
// entries are in one range of slots. A workgroup sorts them in shared memory by atomic minima, so
// the result does not depend on their order, as in build_slices.comp. The including file defines
// RUN_ROOM, the number of slots in shared memory.
// SPDX-License-Identifier: MIT

shared uint hashes[RUN_ROOM + 1u]; // the last one stays empty
shared uint values[RUN_ROOM + 1u]; // with MUR_REHASH_WIDE: the entries' slots in the source
shared uint closed; // 1: a free slot after lastHome was read, which ends the run
shared uint moved;
shared uint dropped;
shared uint stream; // MUR_STREAM_* at the start of the workgroup
shared bool left; // the workgroup has given up

// Home slots of the destination: runFirst ... runEnd - 1.
uint runFirst;
uint runEnd;
// Slots of the source that were read: runFrom ... runUntil - 1.
uint runFrom;
uint runUntil;
uint lastHome; // upper bound of the home slots of the run's entries in the source

// Returns the source's slot that corresponds to a slot of the destination, rounded down.
uint scaled(uint slot) {
    uint high, low;
    umulExtended(slot, push.ratioLow, high, low);
    return slot * push.ratioHigh + high;
}

void set_run(uint first, uint end) {
    runFirst = first;
    runEnd = end;
    lastHome = min(scaled(end) + 1u, push.source.capacity - 1u);
    runFrom = min(scaled(first), push.source.slotCount) & ~3u; // whole sectors
    runUntil = runFrom;
}

uint home_of(Slot slot) {
#ifdef MUR_REHASH_WIDE
    return mur_home_of(push.table, MUR_FORMAT_K64V32,
                       mur_hash_in(push.table, MUR_FORMAT_K64V32, slot));
#else
    return mur_home(hash_of(slot), push.table.capacity);
#endif
}

// Returns whether the slot has an entry or a tombstone whose home slot is in the run.
bool is_of_run(Slot slot) {
    uint home = home_of(slot);
    return !is_free(slot) && home >= runFirst && home < runEnd;
}

// Called if a stream is impossible: the workgroup gives up, and finish() makes the stream fail. No
// invocation reads `left` while another may call this function, unless the result is irrelevant.
void irregular() {
    left = true;
}

// Counts additional reads, of units * MUR_WORKGROUP slots. A source with very few free slots has
// long clusters, which many workgroups would read. The stream fails if all workgroups together read
// more than MOST_READS slots per slot of both tables. One invocation calls this function per round,
// after it has started the round's own reads, so that the atomic overlaps with them.
const uint MOST_READS = 16u;

void charge(uint units) {
    uint word = atomicAdd(stream_word().word, units << STREAM_BITS);
    uint most = MOST_READS * (push.source.slotCount / MUR_WORKGROUP +
                              push.table.slotCount / MUR_WORKGROUP + 1u);
    if ((word & STREAM_MASK) == MUR_STREAM_FAILED || word >> STREAM_BITS > most) {
        irregular();
    }
}

// Called for a free slot of the source, which ends the run if it is after the last home slot.
void close_at(uint at) {
    if (at >= lastHome) {
        closed = 1u;
    }
}

void count(Slot slot) {
    if (mur_wanted(push.result)) {
        if (is_live(slot)) {
            atomicAdd(moved, 1u);
        } else {
            atomicAdd(dropped, 1u);
        }
    }
}

// Places a hash at its position from `at` on, then each hash that it displaces. Returns false if a
// hash has no position before end.
bool place(uint at, uint end, uint hash) {
    while (at < end) {
        uint seen = atomicMin(hashes[at], hash);
        if (seen == MUR_EMPTY) {
            return true;
        }
        hash = max(seen, hash);
        ++at;
    }
    return false;
}

// Returns the position of a hash, or end if it has none.
uint find_place(uint at, uint end, uint hash) {
    for (; at < end; ++at) {
        if (hashes[at] >= hash) {
            return at;
        }
    }
    return end;
}

// Called after all hashes are placed. Stores the value of an entry at the position of its hash,
// which is `at` or later. from: the entry's slot in the source. firstWritten: the first slot that
// this workgroup writes. Returns the position, or end if there is none.
//
// 64-bit keys with the same high half have the same hash here, and neighbouring workgroups must
// assign the same slot to each key. So among such keys, positions have the order of the slots in
// the source, again by atomic minima.
uint settle_at(uint at, uint end, uint from, Slot slot, uint firstWritten) {
    uint hash = hash_of(slot);
    at = find_place(at, end, hash);
#ifdef MUR_REHASH_WIDE
    while (at < end && hashes[at] == hash) {
        uint seen = atomicMin(values[at], from);
        if (seen == MUR_NO_SLOT) {
            return at;
        }
        from = max(seen, from);
        ++at;
    }
    return end;
#else
    if (at < end) {
        values[at] = value_of(slot);
        if (runFirst + at >= firstWritten) {
            mur_output(push.slotMap, from, runFirst + at);
        }
    }
    return at;
#endif
}

void clear_place(uint at) {
    hashes[at] = MUR_EMPTY;
#ifdef MUR_REHASH_WIDE
    values[at] = MUR_NO_SLOT;
#endif
}

Slot place_now(uint at) {
    Slot now = free_slot();
    if (hashes[at] != MUR_EMPTY) {
#ifdef MUR_REHASH_WIDE
        now = source_slot(values[at]);
        mur_output(push.slotMap, values[at], runFirst + at);
#else
        now = Slot(hashes[at], values[at]);
#endif
    }
    return now;
}

// Initializes the shared memory. One invocation calls this function.
void start() {
    closed = 0u;
    moved = 0u;
    dropped = 0u;
    stream = atomicOr(stream_word().word, 0u) & STREAM_MASK;
    left = false;
}

// Moves the sentinel slot, which K64V32 does not use. One invocation of the dispatch calls it.
void write_extra() {
#ifndef MUR_REHASH_WIDE
    Slot extra = source_slot(push.source.slotCount);
    if (is_live(extra)) {
        write_slot(push.table.slotCount, extra);
        mur_output(push.slotMap, push.source.slotCount, push.table.slotCount);
        ++moved;
    }
#endif
}

// Adds the workgroup's counts to the result. If the workgroup has given up, makes the stream fail:
// the command then inserts entry by entry. One invocation calls this function.
void finish() {
    if (left) {
        atomicExchange(stream_word().word, MUR_STREAM_FAILED);
    } else if (mur_wanted(push.result)) {
        atomicAdd(MurCounter(mur_offset(push.result, MUR_REHASH_MOVED, 2u)).word, moved);
        atomicAdd(MurCounter(mur_offset(push.result, MUR_REHASH_DROPPED, 2u)).word, dropped);
    }
}
