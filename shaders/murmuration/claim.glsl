// Murmuration: how a key claims a slot, and what becomes of its value.
//
// Two words decide everything. The key word names the slot: it goes from MUR_EMPTY to a hash once,
// by compare-and-swap, and never changes again until the table is cleared or rebuilt, which want it
// to themselves. All probes for a hash examine the same slots in the same order and stop at the
// first that is empty or its own, so no two slots can be claimed for the same hash.
//   The value word decides presence: an entry exists while it differs from the table's
// reserved value, and every change of it is one atomic, whose result tells who inserted and who
// erased. Erasing keeps the key word, so only the same key can use the slot again: that is what
// makes insert and erase in one dispatch free of duplicates.
//
// A table is written with 32-bit atomics (claim the key, then publish the value) or with 64-bit
// ones (both at once), as its MUR_TABLE_INT64 flag says, never with both.
//
// SPDX-License-Identifier: MIT

// Counts a failure in the header: a 64-bit count by 32-bit atomics.
void mur_count(MurTableRef t, uint word) {
    if (atomicAdd(MUR_STATE_WORD(t, word), 1u) == 0xFFFFFFFFu) {
        atomicAdd(MUR_STATE_WORD(t, word + 1u), 1u);
    }
}

// Is this the first claim that a group of invocations knows of? The library's kernels have
// something better: atomics of many invocations on one word take their time.
#ifndef MUR_FIRST_CLAIM
#define MUR_FIRST_CLAIM true
#endif

// Notes, once a slot is claimed, what that makes untrue or true of the whole table. Lookups that
// rely on the order run in later dispatches, so it need not come first, which would cost time, and
// a stale read of the state costs an atomic at worst.
void mur_note_claim(MurTableRef t, uint home, uint slot, uint state) {
    if ((state & MUR_STATE_ORDERED) != 0u && MUR_FIRST_CLAIM) {
        atomicAnd(MUR_STATE_WORD(t, MUR_HEADER_STATE), ~MUR_STATE_ORDERED);
    }
    if (slot < home) {
        atomicOr(MUR_STATE_WORD(t, MUR_HEADER_STATE), MUR_STATE_WRAPPED);
    }
}

#ifdef MUR_INT64_ATOMICS
uint64_t mur_pack(uint hash, uint value) {
    return packUint2x32(uvec2(hash, value));
}
#endif

// Puts a value into a slot that the hash has claimed if it has the value expected there; returns
// the value that was there.
uint mur_swap_value(MurTableRef t, uint slot, uint hash, uint expected, uint value) {
#ifdef MUR_INT64_ATOMICS
    if ((t.flags & MUR_TABLE_INT64) != 0u) {
        return unpackUint2x32(atomicCompSwap(MUR_SLOT_WORD(t, slot), mur_pack(hash, expected),
                                             mur_pack(hash, value))).y;
    }
#endif
    return atomicCompSwap(MUR_VALUE_WORD(t, slot), expected, value);
}

#ifdef MUR_INT64_ATOMICS
// The value word is the high half, so an addition's carry falls off the top and leaves the key
// alone, and minimum and maximum compare values, the key halves being equal.
uint mur_apply_wide(MurTableRef t, uint slot, uint hash, uint value, uint mode) {
    uint64_t pair = mur_pack(hash, value);
    uint64_t old;
    switch (mode) {
    case MUR_MODE_ADD:
        old = atomicAdd(MUR_SLOT_WORD(t, slot), mur_pack(0u, value));
        break;
    case MUR_MODE_MIN:
        old = atomicMin(MUR_SLOT_WORD(t, slot), pair);
        break;
    case MUR_MODE_MAX:
        old = atomicMax(MUR_SLOT_WORD(t, slot), pair);
        break;
    case MUR_MODE_OR:
        old = atomicOr(MUR_SLOT_WORD(t, slot), pair);
        break;
    default:
        old = atomicExchange(MUR_SLOT_WORD(t, slot), pair);
        break;
    }
    return unpackUint2x32(old).y;
}
#endif

// Applies a mode to the value word of a slot that the hash has claimed; returns the word it
// replaced.
uint mur_apply(MurTableRef t, uint slot, uint hash, uint value, uint mode) {
    if (mode == MUR_MODE_KEEP) {
        return mur_swap_value(t, slot, hash, mur_no_value(t), value);
    }
#ifdef MUR_INT64_ATOMICS
    if ((t.flags & MUR_TABLE_INT64) != 0u) {
        return mur_apply_wide(t, slot, hash, value, mode);
    }
#endif
    switch (mode) {
    case MUR_MODE_ADD:
        return atomicAdd(MUR_VALUE_WORD(t, slot), value);
    case MUR_MODE_MIN:
        return atomicMin(MUR_VALUE_WORD(t, slot), value);
    case MUR_MODE_MAX:
        return atomicMax(MUR_VALUE_WORD(t, slot), value);
    case MUR_MODE_OR:
        return atomicOr(MUR_VALUE_WORD(t, slot), value);
    default:
        return atomicExchange(MUR_VALUE_WORD(t, slot), value);
    }
}

// Tries to claim a free slot. Returns the key word that was there: MUR_EMPTY, if the slot is now
// ours. With 64-bit atomics the value is published by the same operation.
uint mur_claim(MurTableRef t, uint slot, uint hash, uint value) {
#ifdef MUR_INT64_ATOMICS
    if ((t.flags & MUR_TABLE_INT64) != 0u) {
        uint64_t old = atomicCompSwap(MUR_SLOT_WORD(t, slot), mur_pack(MUR_EMPTY, mur_no_value(t)),
                                      mur_pack(hash, value));
        return unpackUint2x32(old).x;
    }
#endif
    return atomicCompSwap(MUR_KEY_WORD(t, slot), MUR_EMPTY, hash);
}

bool mur_publishes_on_claim(MurTableRef t) {
#ifdef MUR_INT64_ATOMICS
    return (t.flags & MUR_TABLE_INT64) != 0u;
#else
    return false;
#endif
}

// Can this shader write the table, and does the table offer the mode?
bool mur_offers(MurTableRef t, uint mode) {
#ifdef MUR_INT64_ATOMICS
    const uint others = MUR_TABLE_FORMAT_MASK;
#else
    const uint others = MUR_TABLE_FORMAT_MASK | MUR_TABLE_INT64;
#endif
    if ((t.flags & others) != 0u) {
        return false; // what this shader cannot write, or another format
    }
    bool zero = (t.flags & MUR_TABLE_ZERO) != 0u;
    return mode <= MUR_MODE_KEEP || mode == MUR_MODE_UPDATE || zero != (mode == MUR_MODE_MIN);
}

uint mur_pick(uvec4 words, uint lane) {
    return lane == 0u ? words.x : lane == 1u ? words.y : lane == 2u ? words.z : words.w;
}

uint mur_lanes(bvec4 lanes) {
    return uint(lanes.x) | uint(lanes.y) << 1 | uint(lanes.z) << 2 | uint(lanes.w) << 3;
}
