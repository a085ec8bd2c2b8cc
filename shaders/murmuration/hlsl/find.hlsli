// Murmuration: lookups in HLSL, with the same probes as find.glsl.
// SPDX-License-Identifier: MIT

// Is every cluster sorted by hash? Only lookups by plain reads may use the order.
bool mur_ordered(MUR_BUFFER table) {
#ifdef MUR_READ_ONLY
    uint state = table.Load(4u * MUR_HEADER_STATE);
    return (state & (MUR_STATE_ORDERED | MUR_STATE_WRAPPED)) == MUR_STATE_ORDERED;
#else
    return false;
#endif
}

// Does a probe of a sorted table end after this sector? See find.glsl.
bool mur_ends_order(MurTableRef t, uint format, uint4 high, uint2 hash) {
    uint4 words = mur_lane(format, MUR_SLOTS_OF(format) - 1u, high, high);
    uint2 last = mur_hash_in(t, format, words);
    bool larger = MUR_IS_64(format) ? min(last.y, MUR_EMPTY - 1u) > hash.y : last.x > hash.x;
    return larger && !mur_is_tomb(t, format, words);
}

// Returns the slot that the hash has claimed, or MUR_NO_SLOT, and its value or the empty value; in
// sets value is undefined. For a set's sentinel slot it also checks that the key is present.
uint mur_probe(MUR_BUFFER table, MurTableRef t, uint format, uint2 hash, out uint value) {
    value = mur_empty_value(t);
    uint extra = mur_marker(format, hash);
    if (extra != mur_extra_slots(format)) {
        uint at = t.slotCount + extra;
        if (MUR_IS_SET(format)) {
            return table.Load(mur_word_at(t, format, at, 0u)) != 0u ? at : MUR_NO_SLOT;
        }
        value = table.Load(mur_value_at(t, format, at));
        return at;
    }
    if (mur_evicts(t, format)) {
        return mur_probe_homes(table, t, format, hash, value);
    }
    uint slots = MUR_SLOTS_OF(format);
    uint4 stored = mur_stored(t, format, hash);
    uint home = mur_home(mur_home_word(format, hash), t.capacity);
    uint sectors = t.slotCount / slots;
    uint sector = home / slots;
    uint start = home % slots; // free slots before slot `start` do not end the probe
    bool ordered = mur_ordered(table);
    uint4 free = uint4(MUR_EMPTY, MUR_EMPTY, 0u, 0u);
    for (uint left = t.probeSectors; left != 0u; --left) {
        uint4 low = table.Load4(MUR_HEADER_SIZE + 32u * sector);
        uint4 high = table.Load4(MUR_HEADER_SIZE + 32u * sector + 16u);
        uint own = mur_lanes_with(format, low, high, stored, false);
        if (own != 0u) {
            uint lane = uint(firstbitlow(own));
            value = mur_lane(format, lane, low, high).z;
            return slots * sector + lane;
        }
        if (mur_lanes_with(format, low, high, free, false) >> start != 0u ||
            (ordered && mur_ends_order(t, format, high, hash))) {
            return MUR_NO_SLOT;
        }
        start = 0u;
        sector = sector + 1u == sectors ? 0u : sector + 1u;
    }
    return MUR_NO_SLOT;
}

// Returns the slot and the value of a key in the table, or MUR_NO_SLOT. Finds nothing in a table of
// another format or type.
uint mur_lookup(MUR_BUFFER table, MurTableRef t, uint format, uint2 key, out uint value) {
    value = mur_empty_value(t);
    if (!mur_matches_format(t, format)) {
        return MUR_NO_SLOT;
    }
    uint slot = mur_probe(table, t, format, mur_hash_of(t, format, key), value);
    return MUR_IS_SET(format) || value != mur_empty_value(t) ? slot : MUR_NO_SLOT;
}

// Has the slot with these words an entry?
bool mur_is_entry(MurTableRef t, uint format, uint slot, uint4 words) {
    if (slot >= t.slotCount) {
        return MUR_IS_SET(format) ? words.x != 0u : words.z != mur_empty_value(t);
    }
    return mur_is_claimed(t, format, words) &&
           (MUR_IS_SET(format) ? !mur_is_tomb(t, format, words) : words.z != mur_empty_value(t));
}

// Reads the key and value of a slot. Returns false if the slot has no entry.
bool mur_entry_in(MUR_BUFFER table, MurTableRef t, uint format, uint slot, out uint2 key,
                  out uint value) {
    key = uint2(0u, 0u);
    value = mur_empty_value(t);
    if (slot >= t.slotCount + mur_extra_slots(format) || !mur_matches_format(t, format)) {
        return false;
    }
    uint4 words = mur_slot_words(table, t, format, slot);
    uint2 hash = mur_hash_in(t, format, words);
    if (slot >= t.slotCount) {
        hash = mur_marker_of(slot - t.slotCount);
    }
    key = mur_key_of(t, format, hash);
    value = words.z;
    return mur_is_entry(t, format, slot, words);
}

// ---- Calls: see kind.glsl for the arguments of the macros.

#define MUR_FIND_CALLS(format, Key, KEY, key_words, Value, VALUE, value_words)                   \
    uint mur_find_slot(MUR_BUFFER table, MurTableRef t, Key key, out uint value) {               \
        return mur_lookup(table, t, format, KEY, value);                                         \
    }                                                                                            \
    uint mur_find_slot(MUR_BUFFER table, MurTableRef t, Key key) {                               \
        uint value;                                                                              \
        return mur_lookup(table, t, format, KEY, value);                                         \
    }                                                                                            \
    bool mur_find(MUR_BUFFER table, MurTableRef t, Key key, out uint value) {                    \
        return mur_lookup(table, t, format, KEY, value) != MUR_NO_SLOT;                          \
    }                                                                                            \
    bool mur_slot_entry(MUR_BUFFER table, MurTableRef t, uint slot, out Key key,                 \
                        out uint value) {                                                        \
        uint2 words;                                                                             \
        bool there = mur_entry_in(table, t, format, slot, words, value);                         \
        key = words.key_words;                                                                   \
        return there;                                                                            \
    }
#define MUR_SET_FIND_CALLS(format, Key, KEY, key_words)                                          \
    uint mur_find_slot(MUR_BUFFER table, MurSetRef s, Key key) {                                 \
        uint value;                                                                              \
        return mur_lookup(table, s.table, format, KEY, value);                                   \
    }                                                                                            \
    bool mur_find(MUR_BUFFER table, MurSetRef s, Key key) {                                      \
        return mur_find_slot(table, s, key) != MUR_NO_SLOT;                                      \
    }                                                                                            \
    bool mur_slot_entry(MUR_BUFFER table, MurSetRef s, uint slot, out Key key) {                 \
        uint2 words;                                                                             \
        uint value;                                                                              \
        bool there = mur_entry_in(table, s.table, format, slot, words, value);                   \
        key = words.key_words;                                                                   \
        return there;                                                                            \
    }
MUR_EACH_MAP(MUR_FIND_CALLS)
MUR_EACH_SET(MUR_SET_FIND_CALLS)

// Returns the value in a slot, in both formats with 32-bit values: K32V32 and K64V32.
uint mur_slot_value(MUR_BUFFER table, MurTableRef t, uint slot) {
    uint2 key;
    uint value = mur_empty_value(t);
    if (mur_format(t) <= MUR_FORMAT_K64V32) {
        mur_entry_in(table, t, mur_format(t), slot, key, value);
    }
    return value;
}
