// Murmuration: lookups. Linear probing by sectors of 32 bytes. The calls are in find_calls.glsl.
// SPDX-License-Identifier: MIT

// Number of slots, at least two sectors, that a probe reads one sector at a time. A longer probe
// then reads two sectors at once: such probes are few, but may be many times longer, and the
// longest probe determines the time of a small dispatch.
const uint MUR_SINGLE_SLOTS = 8u;

// Is every cluster sorted by hash? Only lookups by plain reads may use the order: an insert ends
// the order during a dispatch, and coherent lookups must find the inserts of their dispatch.
bool mur_ordered(MurTableRef t) {
#ifdef MUR_READ_ONLY
    return (t.flags & MUR_TABLE_UNORDERED) == 0u &&
           (mur_state(t) & (MUR_STATE_ORDERED | MUR_STATE_WRAPPED)) == MUR_STATE_ORDERED;
#else
    return false;
#endif
}

// Does a probe of a sorted table end after this sector? In such a table no slot after a larger hash
// can have this hash. A free slot counts as the largest hash. 64-bit hashes are sorted by their
// high halves, of which the two largest values count as equal. Only the sector's last slot is
// compared. If it is a tombstone, the probe continues: the erased hash may have been smaller.
bool mur_ends_order(MurTableRef t, uint format, uvec4 high, uvec3 hash) {
    uvec4 words = mur_lane(format, MUR_SLOTS_OF(format) - 1u, high, high);
    if (mur_is_tomb(t, format, words)) {
        return false;
    }
    uvec3 last = mur_hash_in(t, format, words);
    return !MUR_IS_64(format) ? last.x >= hash.x
                              : mur_is_own(format, words, mur_free_words()) ||
                                    min(last.y, MUR_EMPTY - 1u) > hash.y;
}

// Has the sector a free slot, from its slot number `start` on? Free slots before the home slot do
// not end a probe; a probe of the whole table reads them last, when it returns to its first sector.
bool mur_has_free(uint format, uvec4 low, uvec4 high, uint start) {
    bool free = false;
    [[unroll]] for (uint lane = 0u; lane < MUR_SLOTS_OF(format); ++lane) {
        uvec4 words = mur_lane(format, lane, low, high);
        free = free || (lane >= start && mur_is_own(format, words, mur_free_words()));
    }
    return free;
}

// Searches a sector for the hash. Returns true if the probe ends in this sector. If the hash has a
// slot in the sector, sets slot and value.
bool mur_find_among(MurTableRef t, uint format, uvec3 hash, uvec4 stored, uint sector, uvec4 low,
                    uvec4 high, uint start, bool ordered, inout uint slot, inout uvec2 value) {
    if (mur_any_with(format, low, high, stored)) {
        uint own = MUR_SLOTS_OF(format) * sector;
        uvec2 found = uvec2(0u);
        [[unroll]] for (uint lane = 0u; lane < MUR_SLOTS_OF(format); ++lane) {
            uvec4 words = mur_lane(format, lane, low, high);
            if (mur_is_own(format, words, stored)) {
                own = MUR_SLOTS_OF(format) * sector + lane;
                found = mur_value_in(format, words);
            }
        }
        if (mur_confirm(t, format, own, hash, found)) {
            slot = own;
            value = MUR_IS_SET(format) ? value : found;
            return true;
        }
    }
    return ordered ? mur_ends_order(t, format, high, hash) : mur_has_free(format, low, high, start);
}

// Returns the slot that the hash has claimed, or MUR_NO_SLOT, and its value or the empty value.
// Ignores the sentinel slots of sets.
//
// A probe passes half-claimed slots: they belong to inserts in progress, so "absent" is correct.
uint mur_probe(MurTableRef t, uint format, uvec3 hash, out uvec2 value) {
    value = mur_none(t, format);
    uint extra = mur_marker(format, hash);
    if (!MUR_IS_SET(format) && extra != MUR_EXTRA_SLOTS(format)) {
        uint at = t.slotCount + extra;
        value = mur_value_in(format, mur_slot_words(t, format, at));
        mur_confirm(t, format, at, hash, value);
        return at;
    }
#ifdef MUR_BUCKETS
    if (mur_evicts(t, format)) {
        return mur_probe_homes(t, format, hash, value);
    }
#endif
    uvec4 stored = mur_stored(t, format, hash);
    uint home = mur_home_of(t, format, hash);
    uint sector = home / MUR_SLOTS_OF(format);
    uint start = home % MUR_SLOTS_OF(format);
    bool ordered = mur_ordered(t);
#ifdef MUR_SHORT_PROBES // for the library's kernels: omits the code for long probes
    uint single = t.probeSectors;
#else
    uint single = ordered ? t.probeSectors : max(MUR_SINGLE_SLOTS / MUR_SLOTS_OF(format), 2u);
#endif
    uint slot = MUR_NO_SLOT;
    uint left = t.probeSectors;
    for (; left != 0u && single != 0u; --left, --single) {
        uvec4 low, high;
        mur_sector(t, format, sector, low, high);
        if (mur_find_among(t, format, hash, stored, sector, low, high, start, ordered, slot,
                           value)) {
            return slot;
        }
        start = 0u;
        sector = mur_next_sector(t, format, sector);
    }
#ifndef MUR_SHORT_PROBES
    for (; left != 0u; left -= min(left, 2u)) {
        uint after = mur_next_sector(t, format, sector);
        uvec4 low, high, lowAfter, highAfter; // issues both reads before it compares
        mur_sector(t, format, sector, low, high);
        mur_sector(t, format, after, lowAfter, highAfter);
        if (mur_find_among(t, format, hash, stored, sector, low, high, 0u, false, slot, value)) {
            return slot;
        }
        if (left != 1u && mur_find_among(t, format, hash, stored, after, lowAfter, highAfter, 0u,
                                         false, slot, value)) {
            return slot;
        }
        sector = mur_next_sector(t, format, after);
    }
#endif
    return slot;
}

// Returns the slot and value of a present key, or MUR_NO_SLOT, also for tables of other formats.
uint mur_find_entry(MurTableRef t, uint format, uvec3 key, out uvec2 value) {
    value = mur_none(t, format);
    if (!mur_matches_format(t, format)) {
        return MUR_NO_SLOT;
    }
    uvec3 hash = mur_hash_of(t, format, key);
    uint extra = mur_marker(format, hash);
    if (MUR_IS_SET(format) && extra != MUR_EXTRA_SLOTS(format)) {
        return mur_set_extra(t)[extra] != 0u ? t.slotCount + extra : MUR_NO_SLOT;
    }
    uint slot = mur_probe(t, format, hash, value);
    return MUR_IS_SET(format) || value != mur_none(t, format) ? slot : MUR_NO_SLOT;
}

// Returns the number of the home of a hash: its home slot or first bucket.
uint mur_first_home(MurTableRef t, uint format, uvec3 hash) {
#ifdef MUR_BUCKETS
    if (mur_evicts(t, format)) {
        return mur_buckets_of(t, format, hash).x;
    }
#endif
    return mur_home_of(t, format, hash);
}

// Reads the key and value of a slot. Returns false if the slot has no entry.
bool mur_slot_entry(MurTableRef t, uint format, uint slot, out uvec3 key, out uvec2 value) {
    key = uvec3(0u);
    value = mur_none(t, format);
    bool beyond = slot >= t.slotCount;
    uint extra = slot - t.slotCount;
    if (!mur_matches_format(t, format) ||
        (beyond && (format == MUR_FORMAT_K64V32 || extra >= MUR_EXTRA_SLOTS(format)))) {
        return false;
    }
    if (MUR_IS_SET(format) && beyond) {
        key = mur_key_of(t, format, mur_marker_of(extra));
        return mur_set_extra(t)[extra] != 0u;
    }
    uvec4 words = mur_slot_words(t, format, slot);
    bool there = beyond || mur_has_key(t, format, words);
    if (!MUR_IS_SET(format)) {
        value = mur_value_in(format, words);
        mur_confirm(t, format, slot, uvec3(0u), value);
        there = there && value != mur_none(t, format);
    }
    if (there) { // no key is computed for free slots, so passes over them are fast
        key = mur_key_of(t, format, mur_hash_in(t, format, words));
    }
    return there;
}
