// The run of the source that a stream reads for some home slots of the destination, and the shared
// memory where their entries get in order: by atomic minima, so that the outcome is the same in
// whatever order they come, as in build_slices.comp. The including file defines RUN_ROOM, slots.
//
// SPDX-License-Identifier: MIT

shared uint hashes[RUN_ROOM + 1u]; // the last one stays empty
shared uint values[RUN_ROOM + 1u]; // MUR_REHASH_WIDE: the slots of the source that they come from
shared uint closed; // a free slot behind the last home has been seen
shared uint moved;
shared uint dropped;
shared uint stream; // how it went when the workgroup began, MUR_STREAM_*
shared bool left; // the workgroup has given up

// Home slots of the destination: runFirst ... runEnd - 1.
uint runFirst;
uint runEnd;
// Slots of the source that have been looked at: runFrom ... runUntil - 1.
uint runFrom;
uint runUntil;
uint lastHome; // in the source: no entry of the run has a later one

// The source's slot that corresponds to a slot of the destination, rounded down.
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

// Is it claimed by a key of the run?
bool is_of_run(Slot slot) {
    uint home = home_of(slot);
    return !is_free(slot) && home >= runFirst && home < runEnd;
}

// Something that no stream can do: the workgroup gives up, and reports it in finish(). `left` is
// read only where no invocation calls this function, or where the result no longer matters.
void irregular() {
    left = true;
}

// By one invocation, in a round of reads that may have no end soon: a source with hardly a free
// slot has clusters that many workgroups would read on and on. All of them together read at most
// this many slots per slot of source and table, or the stream has failed. units: of MUR_WORKGROUP
// slots. Call it after the round's own reads, to overlap with them.
const uint MOST_READS = 16u;

void charge(uint units) {
    uint word = atomicAdd(stream_word().word, units << STREAM_BITS);
    uint most = MOST_READS * (push.source.slotCount / MUR_WORKGROUP +
                              push.table.slotCount / MUR_WORKGROUP + 1u);
    if ((word & STREAM_MASK) == MUR_STREAM_FAILED || word >> STREAM_BITS > most) {
        irregular();
    }
}

// A free slot of the source has been seen.
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

// Puts a hash into its position from `at` on, and displaced ones on. False at or beyond end.
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

// Where a hash ended up; end if nowhere.
uint find_place(uint at, uint end, uint hash) {
    for (; at < end; ++at) {
        if (hashes[at] >= hash) {
            return at;
        }
    }
    return end;
}

// Once all hashes are placed: puts the rest of an entry to its hash, which is not before at. Slots:
// the first of the run, and the first that this workgroup writes.
//
// 64-bit keys that share a high half all have the same place to go to, and neighbouring workgroups
// must agree on the slot of each: in the order of the source, again by atomic minima. Returns where
// that is; end if nowhere.
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

// Returns the current content of a position.
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

// By one invocation, before anything else.
void start() {
    closed = 0u;
    moved = 0u;
    dropped = 0u;
    stream = atomicOr(stream_word().word, 0u) & STREAM_MASK;
    left = false;
}

// The sentinel slot, of which K64V32 makes no use; by one invocation of all.
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

// By one invocation, after all are counted: records how the workgroup's part of the stream ended.
// If it has failed, the command inserts entry by entry.
void finish() {
    if (left) {
        atomicExchange(stream_word().word, MUR_STREAM_FAILED);
    } else if (mur_wanted(push.result)) {
        atomicAdd(MurCounter(mur_offset(push.result, MUR_REHASH_MOVED, 2u)).word, moved);
        atomicAdd(MurCounter(mur_offset(push.result, MUR_REHASH_DROPPED, 2u)).word, dropped);
    }
}
