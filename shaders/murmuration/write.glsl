// Murmuration: inserts and erases. Inserts of each mode by name are in mode_calls.glsl.
//
// SPDX-License-Identifier: MIT

// Inserts by mode (MUR_MODE_*) and returns MUR_INSERTED, MUR_EXISTED, MUR_FULL (nothing within the
// probe limit; the table is unchanged), MUR_REFUSED (value is the table's reserved value) or
// MUR_UNSUPPORTED (see mur_offers); MUR_MODE_UPDATE: MUR_EXISTED, MUR_ABSENT, MUR_BUSY or the last
// two. slot: where the key lives, or MUR_NO_SLOT. old: the value that it replaced, joined or found
// to be kept; the reserved value if the key was absent, or nothing was done.
uint mur_insert_mode(MurTableRef t, uint key, uint value, uint mode, out uint slot, out uint old) {
    // Whoever keeps what is there expects to find it.
    bool homeFirst = (t.flags & MUR_TABLE_HOME_FIRST) != 0u && mode != MUR_MODE_KEEP;
    uint state = mur_state_seen(t); // before anything waits for the key
    slot = MUR_NO_SLOT;
    old = mur_no_value(t);
    if (!mur_offers(t, mode)) {
        return MUR_UNSUPPORTED;
    }
    if (value == old) {
        mur_count(t, MUR_HEADER_REFUSED);
        return MUR_REFUSED;
    }
    uint hash = mur_hash(key, t.seed);
    if (mode == MUR_MODE_UPDATE) {
        return mur_update_hash(t, hash, value, slot, old);
    }
    uint extra = mur_marker(hash);
    if (extra == 0u) {
        slot = t.slotCount + extra;
        old = mur_apply(t, slot, hash, value, mode);
        return old == mur_no_value(t) ? MUR_INSERTED : MUR_EXISTED;
    }
    uint home = mur_home(hash, t.capacity);
    uint sector = home / MUR_SECTOR_SLOTS;
    uint start = home % MUR_SECTOR_SLOTS;
    if (homeFirst) {
        uint status = mur_insert_at(t, home, home, MUR_EMPTY, old, hash, value, mode, state, old);
        if (status != MUR_ABSENT) {
            slot = home;
            return status;
        }
    }
    for (uint left = t.probeSectors; left != 0u; --left) {
        uvec4 keys, values;
        mur_sector_seen(t, sector, keys, values);
        // Candidates: the hash's own slot, or free ones from the start on; as bits, so that a
        // warp's invocations try their first one together, whichever lane it is.
        uint own = mur_lanes(equal(keys, uvec4(hash)));
        uint free = mur_lanes(equal(keys, uvec4(MUR_EMPTY))) & (0xFu << start);
        for (uint lanes = own | free; lanes != 0u; lanes &= lanes - 1u) {
            uint lane = uint(findLSB(lanes));
            uint at = MUR_SECTOR_SLOTS * sector + lane;
            uint seen = (own >> lane & 1u) != 0u ? hash : MUR_EMPTY;
            uint status = mur_insert_at(t, home, at, seen, mur_pick(values, lane), hash, value,
                                        mode, state, old);
            if (status != MUR_ABSENT) {
                slot = at;
                return status;
            }
        }
        start = 0u;
        sector = mur_next_sector(t, sector);
    }
    mur_count(t, MUR_HEADER_FULL);
    return MUR_FULL;
}

// The same without old, and with those of the subgroup that insert the same key if MUR_COMBINE says
// so.
uint mur_insert_mode(MurTableRef t, uint key, uint value, uint mode, out uint slot) {
    uint old;
#ifdef MUR_COMBINE
    uvec2 total = uvec2(value, 0u);
    uint leader = mur_leader(t, MUR_FORMAT_K32V32, uvec3(key, 0u, 0u), mode, total);
    uint status = MUR_EXISTED;
    slot = MUR_NO_SLOT;
    if (leader == gl_SubgroupInvocationID) {
        status = mur_insert_mode(t, key, total.x, mode, slot, old);
    }
    return mur_follow(t, leader, status, slot);
#else
    return mur_insert_mode(t, key, value, mode, slot, old);
#endif
}

// Erases a key: MUR_ERASED, or MUR_ABSENT, or MUR_UNSUPPORTED. value: what the key had, for whoever
// was told MUR_ERASED; the reserved value otherwise. slot: where it lived, or MUR_NO_SLOT.
uint mur_erase(MurTableRef t, uint key, out uint value, out uint slot) {
    uint none = mur_no_value(t);
    value = none;
    slot = MUR_NO_SLOT;
    if (!mur_offers(t, MUR_MODE_ASSIGN)) {
        return MUR_UNSUPPORTED;
    }
    uint hash = mur_hash(key, t.seed);
    uint at = mur_find_hash(t, hash, value);
    if (value != none) {
        value = mur_apply(t, at, hash, none, MUR_MODE_ASSIGN);
    }
    if (value == none) {
        return MUR_ABSENT;
    }
    slot = at;
    return MUR_ERASED;
}

uint mur_erase(MurTableRef t, uint key) {
#ifdef MUR_SETS
    if (mur_format(t) == MUR_FORMAT_K32) {
        uvec2 none;
        uint at;
        return mur_erase_of(t, MUR_FORMAT_K32, uvec3(key, 0u, 0u), none, at);
    }
#endif
    uint value, slot;
    return mur_erase(t, key, value, slot);
}
