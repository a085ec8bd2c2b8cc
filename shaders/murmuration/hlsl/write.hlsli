// Murmuration: inserts and erases in HLSL. See write.glsl.
// SPDX-License-Identifier: MIT

// Replaces the value of a present key. The compare-and-swap expects the value that was read, so an
// update restores no key that was erased after the read.
uint mur_update_hash(MUR_BUFFER table, MurTableRef t, uint format, uint2 hash, uint value,
                     out uint slot, out uint old) {
    uint none = mur_empty_value(t);
    slot = mur_probe(table, t, format, hash, old);
    for (uint left = MUR_UPDATE_TRIES; left != 0u && old != none; --left) {
        uint seen = old;
        old = mur_swap(table, mur_value_at(t, format, slot), seen, value);
        if (old == seen) {
            return MUR_EXISTED;
        }
    }
    if (old == none) {
        slot = MUR_NO_SLOT;
        return MUR_ABSENT;
    }
    old = none;
    return MUR_CONTENDED;
}

// Inserts a key into its sentinel slot.
uint mur_insert_extra(MUR_BUFFER table, MurTableRef t, uint format, uint slot, uint value,
                      uint mode, out uint old) {
    if (MUR_IS_SET(format)) {
        table.InterlockedExchange(mur_word_at(t, format, slot, 0u), 1u, old);
        return old == 0u ? MUR_INSERTED : MUR_EXISTED;
    }
    old = mur_update_value(table, t, format, slot, value, mode);
    return old == mur_empty_value(t) ? MUR_INSERTED : MUR_EXISTED;
}

// Inserts a key without a sentinel slot.
uint mur_insert_hash(MUR_BUFFER table, MurTableRef t, uint format, uint2 hash, uint value,
                     uint mode, out uint slot, out uint old) {
    if (mur_evicts(t, format)) {
        return mur_insert_in_homes(table, t, format, hash, value, mode, slot, old);
    }
    uint state = table.Load(4u * MUR_HEADER_STATE);
    uint4 stored = mur_stored(t, format, hash);
    uint home = mur_home(mur_home_word(format, hash), t.capacity);
    uint slots = MUR_SLOTS_OF(format);
    uint sectors = t.slotCount / slots;
    uint sector = home / slots;
    uint before = (1u << home % slots) - 1u; // in lanes before the home slot only the key's own
    for (uint left = t.probeSectors; left != 0u; --left) {
        uint4 low = table.Load4(MUR_HEADER_SIZE + 32u * sector);
        uint4 high = table.Load4(MUR_HEADER_SIZE + 32u * sector + 16u);
        uint own = mur_lanes_with(format, low, high, stored, false);
        uint open = mur_lanes_with(format, low, high, stored, true) & ~before;
        for (uint lanes = own | open; lanes != 0u; lanes &= lanes - 1u) {
            uint lane = uint(firstbitlow(lanes));
            slot = slots * sector + lane;
            uint status = mur_insert_at(table, t, format, home, slot,
                                        mur_lane(format, lane, low, high), stored, value, mode,
                                        state, old);
            if (status != MUR_ABSENT) {
                return status;
            }
        }
        before = 0u;
        sector = sector + 1u == sectors ? 0u : sector + 1u;
    }
    slot = MUR_NO_SLOT;
    old = mur_empty_value(t);
    mur_count(table, MUR_HEADER_FAILED_INSERTS);
    return MUR_FULL;
}

// Inserts by a mode in a table of this format, like mur_insert_entry of write.glsl.
uint mur_insert_of(MUR_BUFFER table, MurTableRef t, uint format, uint2 key, uint value, uint mode,
                   out uint slot, out uint old) {
    slot = MUR_NO_SLOT;
    old = mur_empty_value(t);
    if (!mur_offers(t, format, mode)) {
        return MUR_UNSUPPORTED;
    }
    if (!MUR_IS_SET(format) && value == old) {
        mur_count(table, MUR_HEADER_INVALID_VALUES);
        return MUR_INVALID_VALUE;
    }
    uint2 hash = mur_hash_of(t, format, key);
    if (mode == MUR_MODE_UPDATE) {
        return mur_update_hash(table, t, format, hash, value, slot, old);
    }
    uint extra = mur_marker(format, hash);
    if (extra != mur_extra_slots(format)) {
        slot = t.slotCount + extra;
        return mur_insert_extra(table, t, format, slot, value, mode, old);
    }
    return mur_insert_hash(table, t, format, hash, value, mode, slot, old);
}

// Erases a key in a table of this format, like mur_erase_entry of erase.glsl.
uint mur_erase_of(MUR_BUFFER table, MurTableRef t, uint format, uint2 key, out uint value,
                  out uint slot) {
    uint none = mur_empty_value(t);
    value = none;
    slot = MUR_NO_SLOT;
    if (!mur_offers(t, format, MUR_MODE_ASSIGN)) {
        return MUR_UNSUPPORTED;
    }
    uint at = mur_lookup(table, t, format, key, value);
    if (at == MUR_NO_SLOT) {
        return MUR_ABSENT;
    }
    bool erased;
    if (!MUR_IS_SET(format)) {
        value = mur_update_value(table, t, format, at, none, MUR_MODE_ASSIGN);
        erased = value != none;
    } else if (at >= t.slotCount) {
        uint there;
        table.InterlockedExchange(mur_word_at(t, format, at, 0u), 0u, there);
        erased = there != 0u;
    } else {
        uint word = mur_stored(t, format, mur_hash_of(t, format, key)).x;
        erased = mur_swap(table, mur_word_at(t, format, at, 0u), word, MUR_TOMB) == word;
    }
    mur_touch(table, t, at, MUR_AGE_UNTOUCHED); // after the erase: the next entry inherits no age
    if (!erased) {
        return MUR_ABSENT;
    }
    slot = at;
    return MUR_ERASED;
}

// Has a key claimed the slot, in formats with values? Always true for the sentinel slot, whose
// number is slotCount.
bool mur_slot_is_claimed(MUR_BUFFER table, MurTableRef t, uint slot) {
    uint format = mur_format(t);
    if (slot >= t.slotCount + mur_extra_slots(format) || format > MUR_FORMAT_K64V32 ||
        !mur_offers(t, format, MUR_MODE_ASSIGN)) {
        return false;
    }
    return slot >= t.slotCount ||
           mur_is_claimed(t, format, mur_slot_words(table, t, format, slot));
}
