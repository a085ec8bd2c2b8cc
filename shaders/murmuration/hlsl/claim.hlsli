// Murmuration: how a key claims a slot, and what becomes of its value, in HLSL. Why no key is lost,
// merged or doubled is said in claim.glsl and format_claim.glsl: the steps are theirs. Before HLSL
// 2021 both sides of &&, || and ?: are evaluated: what writes is not among them.
//
// SPDX-License-Identifier: MIT

// Counts a failure in the header: a 64-bit count by 32-bit atomics.
void mur_count(MUR_BUFFER table, uint word) {
    uint old;
    table.InterlockedAdd(4u * word, 1u, old);
    if (old == 0xFFFFFFFFu) {
        table.InterlockedAdd(4u * word + 4u, 1u, old);
    }
}

// Notes what a claim makes untrue or true of the whole table.
void mur_note_claim(MUR_BUFFER table, uint home, uint slot, uint state) {
    uint old;
    if ((state & MUR_STATE_ORDERED) != 0u) {
        table.InterlockedAnd(4u * MUR_HEADER_STATE, ~MUR_STATE_ORDERED, old);
    }
    if (slot < home) {
        table.InterlockedOr(4u * MUR_HEADER_STATE, MUR_STATE_WRAPPED, old);
    }
}

// The word at an address, in bytes, by compare-and-swap; returns what was there.
uint mur_swap(MUR_BUFFER table, uint at, uint expected, uint word) {
    uint old;
    table.InterlockedCompareExchange(at, expected, word, old);
    return old;
}

// Tries to claim word i of a slot, last seen as seen, for want: is it want now?
bool mur_claim_word(MUR_BUFFER table, MurTableRef t, uint format, uint slot, uint i, uint seen,
                    uint unclaimed, uint want) {
    if (seen == unclaimed) {
        seen = mur_swap(table, mur_word_at(t, format, slot, i), unclaimed, want);
    }
    return seen == unclaimed || seen == want;
}

// Makes a slot the hash's own. False: it belongs to another, and the probe must go on. Formats with
// values; seen: the slot's words by a read that may be stale.
bool mur_claim_slot(MUR_BUFFER table, MurTableRef t, uint format, uint slot, uint4 seen,
                    uint4 stored) {
    if (!mur_claim_word(table, t, format, slot, 0u, seen.x, MUR_EMPTY, stored.x)) {
        return false;
    }
    if (format != MUR_FORMAT_K64V32) {
        return true;
    }
    if (!mur_claim_word(table, t, format, slot, 1u, seen.y, MUR_EMPTY, stored.y)) {
        return false;
    }
    if (stored.w == 0u) {
        return true;
    }
    return mur_claim_word(table, t, format, slot, 3u, seen.w, 0u, stored.w);
}

// May a slot of K64V32 seen with these words be claimed by this hash, or be its own?
bool mur_is_open(uint4 words, uint4 stored) {
    return (words.x == MUR_EMPTY || words.x == stored.x) &&
           (words.y == MUR_EMPTY || words.y == stored.y) &&
           (words.w == 0u || words.w == stored.w);
}

// Such lanes of a sector, as bits.
uint mur_open_lanes(uint format, uint4 low, uint4 high, uint4 stored) {
    if (format == MUR_FORMAT_K64V32) {
        return (mur_is_open(low, stored) ? 1u : 0u) | (mur_is_open(high, stored) ? 2u : 0u);
    }
    return mur_free_lanes(format, low, high) | mur_lanes_with(format, low, high, stored);
}

// Applies a mode to the value of a slot that a key has claimed; returns the value it replaced.
uint mur_update_value(MUR_BUFFER table, MurTableRef t, uint format, uint slot, uint value,
                      uint mode) {
    uint at = mur_value_at(t, format, slot);
    uint old;
    switch (mode) {
    case MUR_MODE_KEEP:
        old = mur_swap(table, at, mur_no_value(t), value);
        break;
    case MUR_MODE_ADD:
        table.InterlockedAdd(at, value, old);
        break;
    case MUR_MODE_MIN:
        table.InterlockedMin(at, value, old);
        break;
    case MUR_MODE_MAX:
        table.InterlockedMax(at, value, old);
        break;
    case MUR_MODE_OR:
        table.InterlockedOr(at, value, old);
        break;
    default:
        table.InterlockedExchange(at, value, old);
        break;
    }
    return old;
}

// One slot of an insert's probe, last seen as seen. Returns MUR_ABSENT if the slot belongs to
// another key and the probe must go on. old: the value that was there, if it is not MUR_ABSENT.
uint mur_insert_at(MUR_BUFFER table, MurTableRef t, uint format, uint home, uint slot, uint4 seen,
                   uint4 stored, uint value, uint mode, uint state, out uint old) {
    old = mur_no_value(t);
    bool own = seen.x == stored.x && seen.y == stored.y && (seen.w & stored.z) == stored.w;
    // What is there stays: to have seen that it is, coherently, is enough.
    if (own && MUR_IS_SET(format)) {
        return MUR_EXISTED;
    }
    if (own && mode == MUR_MODE_KEEP && seen.z != old) {
        old = seen.z;
        return MUR_EXISTED;
    }
    if (!own) {
        mur_note_claim(table, home, slot, state);
    }
    if (MUR_IS_SET(format)) {
        uint there = mur_swap(table, mur_word_at(t, format, slot, 0u), MUR_EMPTY, stored.x);
        return there == MUR_EMPTY ? MUR_INSERTED : there == stored.x ? MUR_EXISTED : MUR_ABSENT;
    }
    if (!mur_claim_slot(table, t, format, slot, seen, stored)) {
        return MUR_ABSENT;
    }
    old = mur_update_value(table, t, format, slot, value, mode);
    return old == mur_no_value(t) ? MUR_INSERTED : MUR_EXISTED;
}
