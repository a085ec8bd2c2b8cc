// Murmuration: inserts and erases in formats other than K32V32.
//
// SPDX-License-Identifier: MIT

// Can this shader write the table, is it of this format, and does it offer the mode? Sets offer the
// first two, which are the same there.
bool mur_offers_of(MurTableRef t, uint format, uint mode) {
#ifndef MUR_INT64_ATOMICS
    if ((t.flags & MUR_TABLE_INT64) != 0u) {
        return false;
    }
#endif
    if (mur_format(t) != format) {
        return false;
    }
    bool zero = (t.flags & MUR_TABLE_ZERO) != 0u;
    return mode <= MUR_MODE_KEEP || (!MUR_IS_SET(format) && zero != (mode == MUR_MODE_MIN));
}

// Is a key that a plain read has shown in a slot still there, with a value (old)? By a coherent
// read; false also where that could be torn.
bool mur_keeps(MurTableRef t, uint format, uint slot, uvec4 stored, out uvec2 old) {
    uvec4 words = mur_slot_words(t, format, slot);
    old = MUR_IS_SET(format) ? mur_none_of(t, format) : mur_value_in(format, words);
    if (any(greaterThanEqual(stored.xy, uvec2(MUR_HOLE)))) {
        return false;
    }
    if (MUR_IS_SET(format)) {
        return words.x == stored.x && (format == MUR_FORMAT_K32 || words.y == stored.y);
    }
    return old != mur_none_of(t, format);
}

// One slot of an insert's probe, last seen as seen; hole: a hole, if not the hash's own. As
// mur_insert_at. old: the value that was there, if it is not MUR_ABSENT; none in sets.
uint mur_insert_at_of(MurTableRef t, uint format, uint home, uint slot, uvec4 seen, bool hole,
                      uvec4 stored, uvec2 value, uint mode, uint state, out uvec2 old) {
    old = mur_none_of(t, format);
    uvec2 vacant = mur_vacant(format, hole);
    bool own = (seen.xy == stored.xy || (format == MUR_FORMAT_K32 && seen.x == stored.x)) &&
               (seen.w & stored.z) == stored.w;
    if (own && (mode == MUR_MODE_KEEP || MUR_IS_SET(format)) &&
        mur_keeps(t, format, slot, stored, old)) {
        return MUR_EXISTED;
    }
    // Only in K64V32 can the claim of a slot succeed that is not seen as free, or a hole.
    if (seen.xy == vacant || ((hole || format == MUR_FORMAT_K64V32) && !own)) {
        mur_note_claim(t, home, slot, state);
    }
    if (MUR_IS_SET(format)) {
        uvec2 there = mur_swap_key(t, format, slot, vacant, stored.xy);
        return there == vacant ? MUR_INSERTED : there == stored.xy ? MUR_EXISTED : MUR_ABSENT;
    }
    if (!mur_claim_slot(t, format, slot, seen, vacant, stored)) {
        return MUR_ABSENT;
    }
    old = mur_update_value(t, format, slot, value, mode);
    return old == mur_none_of(t, format) ? MUR_INSERTED : MUR_EXISTED;
}

// The insert of a key that lives in an extra slot; MUR_ABSENT: it does not.
uint mur_insert_extra(MurTableRef t, uint format, uvec2 hash, uvec2 value, uint mode,
                      out uint slot, out uvec2 old) {
    uint extra = mur_marker(format, hash);
    slot = t.slotCount + extra;
    old = mur_none_of(t, format);
    if (extra == MUR_EXTRA_SLOTS(format)) {
        return MUR_ABSENT;
    }
    if (MUR_IS_SET(format)) {
        uint there = atomicExchange(MUR_STATE_WORD(t, MUR_HEADER_EXTRA + extra), 1u);
        return there == 0u ? MUR_INSERTED : MUR_EXISTED;
    }
    old = mur_update_value(t, format, slot, value, mode);
    return old == mur_none_of(t, format) ? MUR_INSERTED : MUR_EXISTED;
}

// As mur_insert_past. before: lanes of the first sector that are not examined.
uint mur_insert_past_of(MurTableRef t, uint format, uint home, uint sector, uint before, uint left,
                        uvec4 stored, uvec2 value, uint mode, uint state, out uint slot,
                        out uvec2 old) {
    uint slots = MUR_SLOTS_OF(format);
    uint sectors = t.slotCount / slots;
    for (uint claims = 0u; claims < 2u; ++claims) {
        uint there = sector;
        uint counted = ~before;
        bool ends = false;
        for (uint i = left; i != 0u && !ends; --i) {
            uvec4 low, high;
            mur_sector_plain(t, format, there, low, high);
            uint own = mur_lanes_with(format, low, high, stored);
            uint holes = mur_hole_lanes(format, low, high);
            uint open = mur_open_lanes(format, low, high, stored) & counted;
            for (uint lanes = own | (claims != 0u ? open : 0u); lanes != 0u;
                 lanes &= lanes - 1u) {
                uint lane = uint(findLSB(lanes));
                slot = slots * there + lane;
                uint status = mur_insert_at_of(t, format, home, slot,
                                               mur_lane(format, lane, low, high),
                                               (holes >> lane & 1u) != 0u, stored, value, mode,
                                               state, old);
                if (status != MUR_ABSENT) {
                    return status;
                }
            }
            ends = claims == 0u && (mur_free_lanes(format, low, high) & counted) != 0u;
            counted = ~0u;
            there = there + 1u == sectors ? 0u : there + 1u;
        }
    }
    slot = MUR_NO_SLOT;
    mur_count(t, MUR_HEADER_FULL);
    return MUR_FULL;
}

// As mur_insert_mode. old: the value that it replaced or joined, or the reserved value.
uint mur_insert_old(MurTableRef t, uint format, uvec2 key, uvec2 value, uint mode, out uint slot,
                    out uvec2 old) {
    slot = MUR_NO_SLOT;
    old = mur_none_of(t, format);
    if (!mur_offers_of(t, format, mode)) {
        return MUR_UNSUPPORTED;
    }
    if (!MUR_IS_SET(format) && value == mur_none_of(t, format)) {
        mur_count(t, MUR_HEADER_REFUSED);
        return MUR_REFUSED;
    }
    uvec2 hash = mur_hash_of(t, format, key);
    uint extra;
    uint result = mur_insert_extra(t, format, hash, value, mode, extra, old);
    if (result != MUR_ABSENT) {
        slot = extra;
        return result;
    }
    uint state = mur_state_seen(t);
    uvec4 stored = mur_stored(format, hash);
    uint home = mur_home_of(t, format, hash);
    uint slots = MUR_SLOTS_OF(format);
    uint sectors = t.slotCount / slots;
    uint sector = home / slots;
    uint before = (1u << home % slots) - 1u; // lanes before the start: only the key's own counts
    for (uint left = t.probeSectors; left != 0u; --left) {
        uvec4 low, high;
        mur_sector_plain(t, format, sector, low, high);
        uint lanes = mur_open_lanes(format, low, high, stored) & ~before;
        uint holes = mur_hole_lanes(format, low, high) & lanes;
        if ((before | holes) != 0u) {
            uint own = mur_lanes_with(format, low, high, stored);
            if ((holes & ~own) != 0u) {
                return mur_insert_past_of(t, format, home, sector, before, left, stored, value,
                                          mode, state, slot, old);
            }
            lanes |= own;
        }
        for (; lanes != 0u; lanes &= lanes - 1u) {
            uint lane = uint(findLSB(lanes));
            uint at = slots * sector + lane;
            uint status = mur_insert_at_of(t, format, home, at, mur_lane(format, lane, low, high),
                                           false, stored, value, mode, state, old);
            if (status != MUR_ABSENT) {
                slot = at;
                return status;
            }
        }
        before = 0u;
        sector = sector + 1u == sectors ? 0u : sector + 1u;
    }
    mur_count(t, MUR_HEADER_FULL);
    return MUR_FULL;
}

uint mur_insert_of(MurTableRef t, uint format, uvec2 key, uvec2 value, uint mode, out uint slot) {
    uvec2 old;
#ifdef MUR_COMBINE
    uint leader = mur_leader(t, format, key, mode, value);
    uint status = MUR_EXISTED;
    slot = MUR_NO_SLOT;
    if (leader == gl_SubgroupInvocationID) {
        status = mur_insert_old(t, format, key, value, mode, slot, old);
    }
    return mur_follow(t, leader, status, slot);
#else
    return mur_insert_old(t, format, key, value, mode, slot, old);
#endif
}

// As mur_erase.
uint mur_erase_of(MurTableRef t, uint format, uvec2 key, out uvec2 value, out uint slot) {
    uvec2 none = mur_none_of(t, format);
    value = none;
    slot = MUR_NO_SLOT;
    if (!mur_offers_of(t, format, MUR_MODE_ASSIGN)) {
        return MUR_UNSUPPORTED;
    }
    uint at = mur_lookup(t, format, key, value);
    if (at == MUR_NO_SLOT) {
        return MUR_ABSENT;
    }
    bool erased;
    if (!MUR_IS_SET(format)) {
        value = mur_update_value(t, format, at, none, MUR_MODE_ASSIGN);
        erased = value != none;
    } else if (at >= t.slotCount) {
        uint extra = MUR_HEADER_EXTRA + at - t.slotCount;
        erased = atomicExchange(MUR_STATE_WORD(t, extra), 0u) != 0u;
    } else {
        uvec2 hash = mur_hash_of(t, format, key);
        erased = mur_swap_key(t, format, at, hash, uvec2(MUR_TOMB, MUR_EMPTY)) == hash;
    }
    if (!erased) {
        return MUR_ABSENT;
    }
    slot = at;
    return MUR_ERASED;
}
