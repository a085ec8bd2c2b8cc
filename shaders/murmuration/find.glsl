// Murmuration: lookups. Formats other than K32V32 are in format_find.glsl, but for what has the
// same types in several.
//
// SPDX-License-Identifier: MIT

// Sectors that a probe reads one at a time. Few probes are longer, but those may be many times as
// long, and the last of them decides when a small dispatch is done: they read two at once.
const uint MUR_SINGLE_SECTORS = 2u;

// The table's reserved value: what "absent" looks like in a value word.
uint mur_no_value(MurTableRef t) {
    return (t.flags & MUR_TABLE_ZERO) != 0u ? 0u : 0xFFFFFFFFu;
}

// Is that the value to be inserted? Sets have none.
bool mur_is_reserved(MurTableRef t, uint format, uvec2 value) {
    uint none = mur_no_value(t);
    return !MUR_IS_SET(format) && value.x == none &&
           (format != MUR_FORMAT_K64V64 || value.y == none);
}

// The extra slot in which this hash lives, counted from the first; 1: it lives in none.
uint mur_marker(uint hash) {
    return hash == MUR_EMPTY ? 0u : 1u;
}

uint mur_next_sector(MurTableRef t, uint sector) {
    return sector + 1u == t.slotCount / MUR_SECTOR_SLOTS ? 0u : sector + 1u;
}

// Is every cluster known to be sorted by hash? Only plain-read lookups may rely on it: an insert
// makes it untrue during a dispatch, and coherent lookups see what that dispatch inserts.
bool mur_ordered(MurTableRef t) {
#ifdef MUR_READ_ONLY
    return (t.flags & MUR_TABLE_UNORDERED) == 0u &&
           (mur_state(t) & (MUR_STATE_ORDERED | MUR_STATE_WRAPPED)) == MUR_STATE_ORDERED;
#else
    return false;
#endif
}

// mur_find_hash in an ordered table: no slot after a larger hash can hold this one, and MUR_EMPTY
// counts as larger than all, so the last slot of a sector alone tells whether to go on. No cluster
// wraps.
uint mur_find_ordered(MurTableRef t, uint hash, uint sector, inout uint value) {
    uint slot = MUR_NO_SLOT;
    uint left = min(t.probeSectors, t.slotCount / MUR_SECTOR_SLOTS - sector);
    for (; left != 0u; --left) {
        uvec4 keys, values;
        mur_sector(t, sector, keys, values);
        [[unroll]] for (uint lane = 0u; lane < MUR_SECTOR_SLOTS; ++lane) {
            if (keys[lane] == hash) {
                value = values[lane];
                slot = MUR_SECTOR_SLOTS * sector + lane;
            }
        }
        if (keys.w >= hash) {
            return slot;
        }
        ++sector;
    }
    return slot;
}

// Looks for the hash among a sector's slots, from slot start of it on. True: the probe ends here;
// slot: the one that the hash has claimed, or MUR_NO_SLOT, and value: that slot's value word, or
// the reserved value. A slot before the start can hold the key (a probe that went all the way round
// ends there) but does not end the probe when it is empty.
// ordered: see mur_find_ordered.
bool mur_find_among(MurTableRef t, uint hash, uint sector, uvec4 keys, uvec4 values, uint start,
                    bool ordered, out uint slot, out uint value) {
    slot = MUR_NO_SLOT;
    value = mur_no_value(t);
    bvec4 hit = equal(keys, uvec4(hash));
    if (any(hit)) {
        value = hit.x ? values.x : hit.y ? values.y : hit.z ? values.z : values.w;
        uint lane = hit.x ? 0u : hit.y ? 1u : hit.z ? 2u : 3u;
        slot = MUR_SECTOR_SLOTS * sector + lane;
        return true;
    }
    bvec4 empty = equal(keys, uvec4(MUR_EMPTY));
    bvec4 counts = greaterThanEqual(uvec4(0u, 1u, 2u, 3u), uvec4(start));
    return (empty.x && counts.x) || (empty.y && counts.y) || (empty.z && counts.z) || empty.w ||
           (ordered && keys.w > hash);
}

// The same, and reads the sector.
bool mur_find_in(MurTableRef t, uint hash, uint sector, uint start, bool ordered, out uint slot,
                 out uint value) {
    uvec4 keys, values;
    mur_sector(t, sector, keys, values);
    return mur_find_among(t, hash, sector, keys, values, start, ordered, slot, value);
}

// The slot that the hash has claimed, or MUR_NO_SLOT, and that slot's value word (the reserved
// value if there is none). Linear probing by sectors of 32 bytes.
uint mur_find_hash(MurTableRef t, uint hash, out uint value) {
    value = mur_no_value(t);
    uint extra = mur_marker(hash);
    if (extra == 0u) {
        value = mur_pair(t, t.slotCount + extra).y;
        return t.slotCount + extra;
    }
    uint home = mur_home(hash, t.capacity);
    uint sector = home / MUR_SECTOR_SLOTS;
    uint start = home % MUR_SECTOR_SLOTS;
    if (mur_ordered(t)) {
        return mur_find_ordered(t, hash, sector, value);
    }
    uint slot;
    if (mur_find_in(t, hash, sector, start, false, slot, value)) {
        return slot;
    }
    uint left = t.probeSectors - 1u;
    for (uint i = 1u; i < MUR_SINGLE_SECTORS && left != 0u; ++i, --left) {
        sector = mur_next_sector(t, sector);
        if (mur_find_in(t, hash, sector, 0u, false, slot, value)) {
            return slot;
        }
    }
    for (; left != 0u; left -= min(left, 2u)) {
        sector = mur_next_sector(t, sector);
        uint after = mur_next_sector(t, sector);
        uvec4 keys, values, keysAfter, valuesAfter; // both reads before either is looked at
        mur_sector(t, sector, keys, values);
        mur_sector(t, after, keysAfter, valuesAfter);
        if (mur_find_among(t, hash, sector, keys, values, 0u, false, slot, value)) {
            return slot;
        }
        if (left != 1u &&
            mur_find_among(t, hash, after, keysAfter, valuesAfter, 0u, false, slot, value)) {
            return slot;
        }
        sector = after;
    }
    return MUR_NO_SLOT;
}

// Is the key in the table? value: its value, or the table's reserved value if it is not.
bool mur_find(MurTableRef t, uint key, out uint value) {
    mur_find_hash(t, mur_hash(key, t.seed), value);
    return value != mur_no_value(t);
}

// The key's slot, or MUR_NO_SLOT if it is not in the table. Slots are stable: no insert, find or
// erase moves a key, so the slot indexes payload arrays of slotCount + 1 elements.
uint mur_find_slot(MurTableRef t, uint key, out uint value) {
    uint slot = mur_find_hash(t, mur_hash(key, t.seed), value);
    return value != mur_no_value(t) ? slot : MUR_NO_SLOT;
}

uint mur_find_slot(MurTableRef t, uint key) {
#ifdef MUR_SETS
    if (mur_format(t) == MUR_FORMAT_K32) {
        uvec2 none;
        return mur_lookup(t, MUR_FORMAT_K32, uvec3(key, 0u, 0u), none);
    }
#endif
    uint value;
    return mur_find_slot(t, key, value);
}

// What slot 0 ... slotCount holds (the last is the extra slot): true, the key and its value
// if an entry lives there. For iterating, and for slots kept from an earlier call.
bool mur_slot_entry(MurTableRef t, uint slot, out uint key, out uint value) {
    key = 0u;
    value = mur_no_value(t);
    if (slot > t.slotCount) {
        return false;
    }
    uvec2 pair = mur_pair(t, slot);
    key = mur_key(pair.x, t.seed);
    value = pair.y;
    return value != mur_no_value(t);
}

// The value in a slot, or the table's reserved value if no entry lives there.
uint mur_slot_value(MurTableRef t, uint slot) {
#ifdef MUR_KEYS_64
    if (mur_format(t) == MUR_FORMAT_K64V32) {
        uvec3 key;
        uvec2 found;
        mur_entry_in(t, MUR_FORMAT_K64V32, slot, key, found);
        return found.x;
    }
#endif
    uint key, value;
    mur_slot_entry(t, slot, key, value);
    return value;
}
