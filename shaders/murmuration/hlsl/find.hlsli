// Murmuration: lookups in HLSL. See find.glsl and format_find.glsl, whose probing this is.
//
// SPDX-License-Identifier: MIT

// Is every cluster known to be sorted by hash? Only plain-read lookups may rely on it.
bool mur_ordered(MUR_BUFFER table) {
#ifdef MUR_READ_ONLY
    uint state = table.Load(4u * MUR_HEADER_STATE);
    return (state & (MUR_STATE_ORDERED | MUR_STATE_WRAPPED)) == MUR_STATE_ORDERED;
#else
    return false;
#endif
}

// In an ordered table no slot after a larger hash can hold this one; of 64-bit hashes only the high
// halves are in order, the two largest counting as one. The sector's last slot tells; a tombstone
// there does not, for it stands where a smaller hash stood.
bool mur_ends_order(uint format, uint4 high, uint2 hash) {
    uint4 words = mur_lane(format, MUR_SLOTS_OF(format) - 1u, high, high);
    uint2 last = mur_hash_in(format, words);
    if (format == MUR_FORMAT_K64V32) {
        return min(last.y, MUR_EMPTY - 1u) > hash.y;
    }
    return last.x > hash.x && !(format == MUR_FORMAT_K32 && last.x == MUR_TOMB);
}

// The slot that the hash has claimed, or MUR_NO_SLOT, and that slot's value (the reserved value if
// there is none; in sets any). Sets: a key in an extra slot is there or not.
uint mur_probe(MUR_BUFFER table, MurTableRef t, uint format, uint2 hash, out uint value) {
    value = mur_no_value(t);
    uint extra = mur_marker(format, hash);
    if (extra != MUR_EXTRA_SLOTS(format)) {
        uint at = t.slotCount + extra;
        if (MUR_IS_SET(format)) {
            return table.Load(mur_word_at(t, format, at, 0u)) != 0u ? at : MUR_NO_SLOT;
        }
        value = table.Load(mur_value_at(t, format, at));
        return at;
    }
    uint slots = MUR_SLOTS_OF(format);
    uint4 stored = mur_stored(format, hash);
    uint home = mur_home_of(t, format, hash);
    uint sectors = t.slotCount / slots;
    uint sector = home / slots;
    uint start = home % slots; // a slot before it can hold the key, but does not end the probe
    bool ordered = mur_ordered(table);
    for (uint left = t.probeSectors; left != 0u; --left) {
        uint4 low = table.Load4(MUR_HEADER_SIZE + 32u * sector);
        uint4 high = table.Load4(MUR_HEADER_SIZE + 32u * sector + 16u);
        uint own = mur_lanes_with(format, low, high, stored);
        if (own != 0u) {
            uint lane = uint(firstbitlow(own));
            value = mur_lane(format, lane, low, high).z;
            return slots * sector + lane;
        }
        if (mur_free_lanes(format, low, high) >> start != 0u ||
            (ordered && mur_ends_order(format, high, hash))) {
            return MUR_NO_SLOT;
        }
        start = 0u;
        sector = sector + 1u == sectors ? 0u : sector + 1u;
    }
    return MUR_NO_SLOT;
}

// The slot of a key that is in the table, or MUR_NO_SLOT; and its value. Nothing is in a table of
// another format.
uint mur_lookup(MUR_BUFFER table, MurTableRef t, uint format, uint2 key, out uint value) {
    value = mur_no_value(t);
    if (mur_format(t) != format) {
        return MUR_NO_SLOT;
    }
    uint slot = mur_probe(table, t, format, mur_hash_of(t, format, key), value);
    return MUR_IS_SET(format) || value != mur_no_value(t) ? slot : MUR_NO_SLOT;
}

// The key and the value in a slot, if an entry lives there.
bool mur_entry_in(MUR_BUFFER table, MurTableRef t, uint format, uint slot, out uint2 key,
                  out uint value) {
    key = uint2(0u, 0u);
    value = mur_no_value(t);
    uint extras = format == MUR_FORMAT_K64V32 ? 0u : MUR_EXTRA_SLOTS(format);
    if (slot >= t.slotCount + extras || mur_format(t) != format) {
        return false;
    }
    uint4 words = mur_slot_words(table, t, format, slot);
    if (slot >= t.slotCount) {
        key = mur_key_of(t, format, uint2(mur_marker_of(slot - t.slotCount), 0u));
    } else {
        key = mur_key_of(t, format, mur_hash_in(format, words));
    }
    if (MUR_IS_SET(format)) {
        return slot >= t.slotCount ? words.x != 0u
                                   : mur_is_claimed(format, words) && words.x != MUR_TOMB;
    }
    value = words.z;
    return value != mur_no_value(t);
}

// ---- Calls. K32V32:

bool mur_find(MUR_BUFFER table, MurTableRef t, uint key, out uint value) {
    return mur_lookup(table, t, MUR_FORMAT_K32V32, uint2(key, 0u), value) != MUR_NO_SLOT;
}

uint mur_find_slot(MUR_BUFFER table, MurTableRef t, uint key, out uint value) {
    return mur_lookup(table, t, MUR_FORMAT_K32V32, uint2(key, 0u), value);
}

// Of sets, too.
uint mur_find_slot(MUR_BUFFER table, MurTableRef t, uint key) {
    uint value;
#ifdef MUR_SETS
    if (mur_format(t) == MUR_FORMAT_K32) {
        return mur_lookup(table, t, MUR_FORMAT_K32, uint2(key, 0u), value);
    }
#endif
    return mur_find_slot(table, t, key, value);
}

bool mur_slot_entry(MUR_BUFFER table, MurTableRef t, uint slot, out uint key, out uint value) {
    uint2 pair;
    bool there = mur_entry_in(table, t, MUR_FORMAT_K32V32, slot, pair, value);
    key = pair.x;
    return there;
}

// Of K64V32, too.
uint mur_slot_value(MUR_BUFFER table, MurTableRef t, uint slot) {
    uint2 key;
    uint value;
#ifdef MUR_KEYS_64
    if (mur_format(t) == MUR_FORMAT_K64V32) {
        mur_entry_in(table, t, MUR_FORMAT_K64V32, slot, key, value);
        return value;
    }
#endif
    mur_entry_in(table, t, MUR_FORMAT_K32V32, slot, key, value);
    return value;
}

#ifdef MUR_KEYS_64
// K64V32.
bool mur_find(MUR_BUFFER table, MurTableRef t, uint2 key, out uint value) {
    return mur_lookup(table, t, MUR_FORMAT_K64V32, key, value) != MUR_NO_SLOT;
}

uint mur_find_slot(MUR_BUFFER table, MurTableRef t, uint2 key, out uint value) {
    return mur_lookup(table, t, MUR_FORMAT_K64V32, key, value);
}

uint mur_find_slot(MUR_BUFFER table, MurTableRef t, uint2 key) {
    uint value;
    return mur_lookup(table, t, MUR_FORMAT_K64V32, key, value);
}

bool mur_slot_entry(MUR_BUFFER table, MurTableRef t, uint slot, out uint2 key, out uint value) {
    return mur_entry_in(table, t, MUR_FORMAT_K64V32, slot, key, value);
}
#endif

#ifdef MUR_SETS
// K32.
bool mur_find(MUR_BUFFER table, MurTableRef t, uint key) {
    uint value;
    return mur_lookup(table, t, MUR_FORMAT_K32, uint2(key, 0u), value) != MUR_NO_SLOT;
}

bool mur_slot_entry(MUR_BUFFER table, MurTableRef t, uint slot, out uint key) {
    uint2 pair;
    uint value;
    bool there = mur_entry_in(table, t, MUR_FORMAT_K32, slot, pair, value);
    key = pair.x;
    return there;
}
#endif
