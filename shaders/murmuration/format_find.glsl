// Murmuration: lookups in formats other than K32V32. The probing is that of find.glsl.
//
// SPDX-License-Identifier: MIT

// In an ordered table no slot after a larger hash can hold this one; of 64-bit hashes only the high
// halves are in order, the two largest counting as one. The sector's last slot tells;
// a tombstone there does not, for it stands where a smaller hash stood.
bool mur_ends_order(uint format, uvec4 high, uvec3 hash) {
    uvec4 words = mur_lane(format, MUR_SLOTS_OF(format) - 1u, high, high);
    if (mur_is_tomb(format, words)) {
        return false;
    }
    uvec3 last = mur_hash_in(format, words);
    return format == MUR_FORMAT_K32 ? last.x > hash.x : min(last.y, MUR_EMPTY - 1u) > hash.y;
}

// K64 and K64V64, beside writers: vectors of words may be torn where pairs are not. So a hash with
// a half that could be a marker's is looked at again, both words at once; and so is a 64-bit value.
// False: the slot is another's.
bool mur_confirm(MurTableRef t, uint format, uint slot, uvec3 hash, inout uvec2 value) {
#ifdef MUR_INT64_ATOMICS
    if (format == MUR_FORMAT_K64V64) {
        value = mur_wide_pair(t, format, slot, 1u);
    }
    if ((format == MUR_FORMAT_K64V64 || format == MUR_FORMAT_K64) &&
        any(greaterThanEqual(hash.xy, uvec2(MUR_TOMB)))) {
        return mur_wide_pair(t, format, slot, 0u) == hash.xy;
    }
#endif
    return true;
}

// The slot that the hash has claimed, or MUR_NO_SLOT, and that slot's value (the reserved value if
// there is none). A set's extra slots are not looked at.
//
// A slot of K64V32 that is claimed by half belongs to a hash whose insert is under way, which need
// not be waited for: the probe goes on, and the hash is absent if it turns up nowhere.
uint mur_probe(MurTableRef t, uint format, uvec3 hash, out uvec2 value) {
    value = mur_none_of(t, format);
    uint extra = mur_marker(format, hash);
    if (format == MUR_FORMAT_K64V64 && extra != MUR_EXTRA_SLOTS(format)) {
        uint at = t.slotCount + extra;
        value = mur_value_in(format, mur_slot_words(t, format, at));
        mur_confirm(t, format, at, hash, value);
        return at;
    }
    uint slots = MUR_SLOTS_OF(format);
    uvec4 stored = mur_stored(format, hash);
    uint home = mur_home_of(t, format, hash);
    uint sectors = t.slotCount / slots;
    uint sector = home / slots;
    uint start = home % slots;
    bool ordered = mur_ordered(t);
    for (uint left = t.probeSectors; left != 0u; --left) {
        uvec4 low, high;
        mur_sector_halves(t, format, sector, low, high);
        uint own = mur_lanes_with(format, low, high, stored);
        if (own != 0u) {
            uint lane = uint(findLSB(own));
            uint slot = slots * sector + lane;
            uvec2 found = value;
            if (!MUR_IS_SET(format)) {
                found = mur_value_in(format, mur_lane(format, lane, low, high));
            }
            if (mur_confirm(t, format, slot, hash, found)) {
                value = found;
                return slot;
            }
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
uint mur_lookup(MurTableRef t, uint format, uvec3 key, out uvec2 value) {
    value = mur_none_of(t, format);
    if (mur_format(t) != format) {
        return MUR_NO_SLOT;
    }
    uvec3 hash = mur_hash_of(t, format, key);
    uint extra = mur_marker(format, hash);
    if (MUR_IS_SET(format) && extra != MUR_EXTRA_SLOTS(format)) {
        return mur_set_extra(t)[extra] != 0u ? t.slotCount + extra : MUR_NO_SLOT;
    }
    uint slot = mur_probe(t, format, hash, value);
    return MUR_IS_SET(format) || value != mur_none_of(t, format) ? slot : MUR_NO_SLOT;
}

// The key and the value in a slot, if an entry lives there.
bool mur_entry_in(MurTableRef t, uint format, uint slot, out uvec3 key, out uvec2 value) {
    uvec2 none = mur_none_of(t, format);
    key = uvec3(0u);
    value = none;
    if (slot >= t.slotCount + MUR_EXTRA_SLOTS(format) || mur_format(t) != format) {
        return false;
    }
    if (MUR_IS_SET(format) && slot >= t.slotCount) {
        uint extra = slot - t.slotCount;
        key = mur_key_of(t, format, mur_marker_of(extra));
        return mur_set_extra(t)[extra] != 0u;
    }
    if (format == MUR_FORMAT_K64V32 && slot >= t.slotCount) {
        return false;
    }
    uvec4 words = mur_slot_words(t, format, slot);
    key = mur_key_of(t, format, mur_hash_in(format, words));
    if (MUR_IS_SET(format)) {
        return mur_is_claimed(format, words) && !mur_is_tomb(format, words);
    }
    value = mur_value_in(format, words);
    mur_confirm(t, format, slot, uvec3(0u), value);
    return value != none;
}
