// Processes the entries of a run, two slots per invocation at a time: finds home slots, places
// hashes in shared memory, stores values at their positions (settle), and writes the slots.
// SPDX-License-Identifier: MIT

uint first;  // the first slot that this workgroup writes
uint size;   // slots of the run
uint room;   // positions for the run's entries, also beyond its end
bool counts; // are the run's entries counted in the result?
uvec2 mine;  // numbers of entries that this invocation has moved and dropped

// Returns the home slot of a slot's entry, counted from the first slot of this workgroup's run.
// Returns MUR_NO_SLOT if the slot has no entry or the home slot is outside of the run.
uint begin_of(Slot slot) {
    uint at = home_of(slot) - runFirst;
    if (is_free(slot) || at >= size) {
        return MUR_NO_SLOT;
    }
    bool live = is_live(slot);
    if (counts) {
        mine += live ? uvec2(1u, 0u) : uvec2(0u, 1u);
    }
    return live ? at : MUR_NO_SLOT;
}

// Places a hash at its position from `at` on, then each hash that it displaces. Ignores MUR_EMPTY.
void place_on(uint at, uint hash) {
    while (hash != MUR_EMPTY) {
        if (at >= room) {
            irregular();
            hash = MUR_EMPTY;
        } else {
            hash = max(hash, atomicMin(hashes[at], hash));
            ++at;
        }
    }
}

// Places two hashes. The first atomics of both overlap, and are usually the only ones.
void place_both(uvec2 at, uvec2 hash) {
    uvec2 seen = uvec2(MUR_EMPTY);
    if (at.x != MUR_NO_SLOT) {
        seen.x = atomicMin(hashes[at.x], hash.x);
    }
    if (at.y != MUR_NO_SLOT) {
        seen.y = atomicMin(hashes[at.y], hash.y);
    }
    place_on(at.x + 1u, max(hash.x, seen.x));
    place_on(at.y + 1u, max(hash.y, seen.y));
}

void place_one(uint at, uint hash) {
    if (at != MUR_NO_SLOT && !place(at, room, hash)) {
        irregular();
    }
}

// Stores an entry's value by settle_at(). from: its slot in the source. begin: its home slot.
void settle(uint from, Slot slot, uint begin) {
    if (begin != MUR_NO_SLOT) {
        uint at = settle_at(begin, room, from, slot, first);
        if (at - begin > MUR_REHASH_CARRY) {
            irregular();
        }
    }
}

#ifdef MUR_REHASH_WIDE
void settle_both(uint from, Slot slots[2], uvec2 begin) {
    settle(from, slots[0], begin.x);
    settle(from + 1u, slots[1], begin.y);
}
#else
uint step_on(uint at, uint hash) {
    while (hashes[at] < hash) {
        ++at;
    }
    return at;
}

// Does the same as settle() for two entries, with overlapping reads. Each search ends, because the
// positions from `room` on are empty.
void settle_both(uint from, Slot slots[2], uvec2 begin) {
    bvec2 none = equal(begin, uvec2(MUR_NO_SLOT));
    uvec2 at = mix(begin, uvec2(RUN_ROOM), none);
    uvec2 hash = uvec2(slots[0].x, slots[1].x);
    uvec2 found = uvec2(hashes[at.x], hashes[at.y]);
    if (found.x < hash.x) {
        at.x = step_on(at.x + 1u, hash.x);
    }
    if (found.y < hash.y) {
        at.y = step_on(at.y + 1u, hash.y);
    }
    if (!none.x) {
        values[at.x] = slots[0].y;
    }
    if (!none.y) {
        values[at.y] = slots[1].y;
    }
    uvec2 moved = mix(at - begin, uvec2(0u), none);
    if (max(moved.x, moved.y) > MUR_REHASH_CARRY) {
        irregular();
    }
    if (mur_wanted(push.slotMap)) {
        [[unroll]] for (uint i = 0u; i < 2u; ++i) {
            if (!none[i] && runFirst + at[i] >= first) {
                mur_output(push.slotMap, from + i, runFirst + at[i]);
            }
        }
    }
}
#endif

// Reads and places those entries of the run that follow the slots that were read ahead.
void take_rest() {
    barrier();
    bool open = closed == 0u && runUntil < push.source.slotCount;
    while (open) {
        barrier();
        uint at = runUntil + gl_LocalInvocationIndex;
        Slot slot = free_slot();
        if (at < push.source.slotCount) {
            slot = source_slot(at);
        }
        if (gl_LocalInvocationIndex == 0u) {
            charge(2u); // settle_rest() reads them again
        }
        if (is_free(slot)) {
            close_at(at);
        }
        place_one(begin_of(slot), hash_of(slot));
        runUntil += min(MUR_WORKGROUP, push.source.slotCount - runUntil);
        barrier();
        open = closed == 0u && !left && runUntil < push.source.slotCount;
    }
}

void settle_rest(uint from) {
    for (uint at = from + gl_LocalInvocationIndex; at < runUntil; at += MUR_WORKGROUP) {
        Slot slot = source_slot(at);
        if (is_of_run(slot) && is_live(slot)) {
            settle(at, slot, home_of(slot) - runFirst);
        }
    }
}

#ifdef MUR_REHASH_WIDE
void write_pair(uvec2 base, uint pair) {
    write_slots(base, pair, place_now(2u * pair), place_now(2u * pair + 1u));
}
#else
void write_pair(uvec2 base, uint pair) {
    uvec2 hash = uvec2(hashes[2u * pair], hashes[2u * pair + 1u]);
    uvec2 value = uvec2(values[2u * pair], values[2u * pair + 1u]);
    value = mix(value, uvec2(mur_empty_value(push.table)), equal(hash, uvec2(MUR_EMPTY)));
    write_slots(base, pair, Slot(hash.x, value.x), Slot(hash.y, value.y));
}
#endif
