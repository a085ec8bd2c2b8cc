// Murmuration: the slots of an insert's probe. Why so: see claim.glsl.
// SPDX-License-Identifier: MIT

// One slot of an insert's probe, whose key word was last seen as seen: the hash, or what is to be
// claimed. held: its value word at that time. Returns a MUR_* status, or MUR_ABSENT if the slot
// belongs to another key and the probe must go on. old: the value that was there, if it is not
// MUR_ABSENT.
uint mur_insert_at(MurTableRef t, uint home, uint slot, uint seen, uint held, uint hash, uint value,
                   uint mode, uint state, out uint old) {
    old = mur_no_value(t);
    if (seen != hash) {
        uint vacant = seen;
        seen = mur_claim(t, slot, vacant, hash, value);
        if (seen == vacant) {
            mur_note_claim(t, home, slot, state);
            if (mur_publishes_on_claim(t)) {
                return MUR_INSERTED;
            }
            seen = hash;
        }
    }
    if (seen != hash) {
        return MUR_ABSENT;
    }
    // A key that is there keeps its value: to have seen that it has one, coherently, is enough.
    if (mode == MUR_MODE_KEEP) {
#ifdef MUR_PLAIN_LOOKUPS
        old = held;
#else
        old = mur_pair(t, slot).y;
#endif
        if (old != mur_no_value(t)) {
            return MUR_EXISTED;
        }
    }
    old = mur_apply(t, slot, hash, value, mode);
    return old == mur_no_value(t) ? MUR_INSERTED : MUR_EXISTED;
}

// An insert's probe from a sector with a hole on, of which the first slots, before start, are not
// examined: see claim.glsl. First it only looks for the hash, then it claims, too.
uint mur_insert_past(MurTableRef t, uint home, uint sector, uint start, uint left, uint hash,
                     uint value, uint mode, uint state, out uint slot, out uint old) {
    for (uint claims = 0u; claims < 2u; ++claims) {
        uint there = sector;
        uint counted = 0xFu << start;
        bool ends = false;
        for (uint i = left; i != 0u && !ends; --i) {
            uvec4 keys, values;
            mur_sector_seen(t, there, keys, values);
            uint own = mur_lanes(equal(keys, uvec4(hash)));
            uint free = mur_lanes(equal(keys, uvec4(MUR_EMPTY))) & counted;
            uint holes = mur_lanes(equal(keys, uvec4(MUR_HOLE))) & counted;
            for (uint lanes = own | (claims != 0u ? free | holes : 0u); lanes != 0u;
                 lanes &= lanes - 1u) {
                uint lane = uint(findLSB(lanes));
                uint seen = (own >> lane & 1u) != 0u     ? hash
                            : (holes >> lane & 1u) != 0u ? MUR_HOLE
                                                         : MUR_EMPTY;
                slot = MUR_SECTOR_SLOTS * there + lane;
                uint held = mur_pick(values, lane);
                uint status = mur_insert_at(t, home, slot, seen, held, hash, value, mode, state,
                                            old);
                if (status != MUR_ABSENT) {
                    return status;
                }
            }
            ends = claims == 0u && free != 0u;
            counted = 0xFu;
            there = mur_next_sector(t, there);
        }
    }
    slot = MUR_NO_SLOT;
    old = mur_no_value(t);
    mur_count(t, MUR_HEADER_FULL);
    return MUR_FULL;
}
