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
    return mode <= MUR_MODE_KEEP ||
           (!MUR_IS_SET(format) && (mode == MUR_MODE_UPDATE || zero != (mode == MUR_MODE_MIN)));
}

// The insert of a key that lives in an extra slot; MUR_ABSENT: it does not.
uint mur_insert_extra(MurTableRef t, uint format, uvec3 hash, uvec2 value, uint mode,
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

// As mur_insert_mode.
uint mur_insert_old(MurTableRef t, uint format, uvec3 key, uvec2 value, uint mode, out uint slot,
                    out uvec2 old) {
    slot = MUR_NO_SLOT;
    old = mur_none_of(t, format);
    if (!mur_offers_of(t, format, mode)) {
        return MUR_UNSUPPORTED;
    }
    if (mur_is_reserved(t, format, value)) {
        mur_count(t, MUR_HEADER_REFUSED);
        return MUR_REFUSED;
    }
    uvec3 hash = mur_hash_of(t, format, key);
    if (mode == MUR_MODE_UPDATE) {
        return mur_update_hash(t, format, hash, value, slot, old);
    }
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
        uint own = mur_lanes_with(format, low, high, stored);
        uint open = mur_open_lanes(format, low, high, stored) & ~before;
        for (uint lanes = own | open; lanes != 0u; lanes &= lanes - 1u) {
            uint lane = uint(findLSB(lanes));
            uint at = slots * sector + lane;
            uint status = mur_insert_at_of(t, format, home, at, mur_lane(format, lane, low, high),
                                           stored, value, mode, state, old);
            if (status != MUR_ABSENT) {
                slot = at;
                return status;
            }
        }
        before = 0u;
        sector = sector + 1u == sectors ? 0u : sector + 1u;
    }
    old = mur_none_of(t, format);
    mur_count(t, MUR_HEADER_FULL);
    return MUR_FULL;
}

uint mur_insert_of(MurTableRef t, uint format, uvec3 key, uvec2 value, uint mode, out uint slot) {
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
uint mur_erase_of(MurTableRef t, uint format, uvec3 key, out uvec2 value, out uint slot) {
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
        uvec2 hash = mur_hash_of(t, format, key).xy;
        erased = mur_swap_key(t, format, at, hash, uvec2(MUR_TOMB, MUR_EMPTY)) == hash;
    }
    if (!erased) {
        return MUR_ABSENT;
    }
    slot = at;
    return MUR_ERASED;
}
