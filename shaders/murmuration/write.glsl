// Murmuration: inserts. claim.glsl has the proofs; the calls are in calls.glsl and mode_calls.glsl.
// In these functions, `stored` has the words of the key's hash as a slot stores them (mur_stored).
// SPDX-License-Identifier: MIT

// Returns whether the key in a slot is present. seen: the slot's words from an earlier read. old
// (output): the value. Reads the slot again, coherently, unless the earlier read is sufficient: in
// buckets that read was coherent; with MUR_NONCOHERENT_LOOKUPS it need not be. Also returns false
// if the read may be torn.
bool mur_confirm_present(MurTableRef t, uint format, uint slot, uvec4 seen, uvec4 stored,
                         inout uvec2 old) {
#ifdef MUR_NONCOHERENT_LOOKUPS
    uvec4 words = seen;
#else
    uvec4 words = mur_evicts(t, format) ? seen : mur_slot_words(t, format, slot);
#endif
    if (format == MUR_FORMAT_K64V32 && mur_is_split(t, format)) {
        words.z = mur_word(t, mur_beside(t, format, slot, 2u));
    }
    if (mur_may_be_torn(t, format, stored.xy)) {
        return false;
    }
    if (MUR_IS_SET(format)) {
        return mur_is_own(format, words, stored);
    }
    old = mur_value_in(format, words);
    mur_confirm(t, format, slot, uvec3(0u), old);
    return old != mur_none(t, format);
}

// Did this invocation claim the last word of a slot that is now the hash's own?
bool mur_claim_succeeded(MurTableRef t, uint format, uvec4 there, uvec4 stored) {
    return !mur_is_tagged(t, format) || (stored.w != 0u ? there.w == 0u : there.y == MUR_EMPTY);
}

// Inserts into one slot of a probe, perhaps the sentinel slot. seen: the slot's words from an
// earlier read. own: whether these words are the hash's own. Returns MUR_ABSENT if the slot belongs
// to another key, so that the probe must continue; otherwise a status. old (output): the old value.
uint mur_insert_at(MurTableRef t, uint format, uint home, uint slot, bool own, uvec4 seen,
                   uvec4 stored, uvec2 value, uint mode, uint state, inout uvec2 old) {
    // A present key keeps its value in this mode, so a coherent read of the key is sufficient.
    if (own && (mode == MUR_MODE_INSERT || MUR_IS_SET(format)) &&
        mur_confirm_present(t, format, slot, seen, stored, old)) {
        return MUR_EXISTED;
    }
    if (format != MUR_FORMAT_K64V32 && slot >= t.slotCount) {
        if (MUR_IS_SET(format)) {
            uint extra = slot - t.slotCount;
            uint there = atomicExchange(MUR_STATE_WORD(t, MUR_HEADER_EXTRA + extra), 1u);
            return there == 0u ? MUR_INSERTED : MUR_EXISTED;
        }
    } else if (!own || MUR_IS_SET(format) || mur_may_be_torn(t, format, stored.xy)) {
        uvec4 there = mur_claim(t, format, slot, seen, stored, value);
        if (!mur_is_own(format, there, stored)) {
            if (!mur_is_taken(t, format, there, stored)) {
                return MUR_ABSENT;
            }
            mur_note_claim(t, home, slot, state);
            if (mur_publishes_on_claim(t, format)) {
                return mur_claim_succeeded(t, format, there, stored) ? MUR_INSERTED : MUR_EXISTED;
            }
        } else if (MUR_IS_SET(format)) {
            return MUR_EXISTED;
        } else if (mode == MUR_MODE_INSERT && mur_publishes_on_claim(t, format) &&
                   there.y != mur_empty_value(t)) {
            old.x = there.y; // the lost claim returned the value
            return MUR_EXISTED;
        }
    }
    old = mur_apply(t, format, slot, stored.x, value, mode);
    return old == mur_none(t, format) ? MUR_INSERTED : MUR_EXISTED;
}

#ifdef MUR_BUCKETS
#include "bucket_write.glsl"
#define MUR_RESET_AGE(t, slot)        mur_touch(t, slot, MUR_AGE_UNTOUCHED)
#define MUR_FREE_SLOT(t, format, slot) mur_evict(t, format, slot)
#else
#define MUR_RESET_AGE(t, slot)
#define MUR_FREE_SLOT(t, format, slot)
#endif

// Kernels of the library define MUR_SKIP_FULL_SECTORS to skip sectors that are known to be full.
#ifndef MUR_SKIP_FULL_SECTORS
#define MUR_SKIP_FULL_SECTORS(sector, left)
#endif

// Inserts a valid value by a mode that the table offers, except MUR_MODE_UPDATE.
uint mur_insert_hash(MurTableRef t, uint format, uvec3 hash, uvec2 value, uint mode, out uint slot,
                     out uvec2 old) {
    uint state = mur_state(t); // issues this read before reads that depend on the key
    slot = MUR_NO_SLOT;
    old = mur_none(t, format);
#ifdef MUR_BUCKETS
    if (mur_evicts(t, format)) {
        return mur_insert_in_homes(t, format, hash, value, mode, slot, old);
    }
#endif
    uvec4 stored = mur_stored(t, format, hash);
    uint home = mur_home_of(t, format, hash);
    uint extra = mur_marker(format, hash);
    bool marks = extra != MUR_EXTRA_SLOTS(format);
    uint first = marks ? t.slotCount + extra : home;
    uint sector = first / MUR_SLOTS_OF(format);
    uint start = first % MUR_SLOTS_OF(format);
    // A blind claim tries to write a slot without reading it first: the sentinel slot of a hash
    // that is a sentinel, and the home slot, unless the mode is MUR_MODE_INSERT, because keys that
    // are inserted in this mode are usually present.
    bool homeFirst = (t.flags & MUR_TABLE_HOME_FIRST) != 0u && mode != MUR_MODE_INSERT;
    bool blind = marks || (!MUR_IS_64(format) && homeFirst);
    for (uint left = t.probeSectors; left != 0u;) {
        uvec4 low = uvec4(MUR_EMPTY), high = low;
        uint own = 0u;
        uint lanes = 1u << start;
        if (!blind) {
            mur_sector_seen(t, format, sector, low, high);
            // A mask of candidates: the hash's own slot, and open slots from the start on. All
            // invocations of a subgroup try their first candidates together, even in different
            // lanes.
            own = mur_lanes_with(format, low, high, stored);
            lanes = own | (mur_open_lanes(format, low, high, stored) & (0xFFu << start));
        }
        for (; lanes != 0u; lanes &= lanes - 1u) {
            uint lane = uint(findLSB(lanes));
            uint at = MUR_SLOTS_OF(format) * sector + lane;
            uint status = mur_insert_at(t, format, home, at, (own >> lane & 1u) != 0u,
                                        mur_lane(format, lane, low, high), stored, value, mode,
                                        state, old);
            if (status != MUR_ABSENT) {
                slot = at;
                return status;
            }
        }
        if (!blind) {
            start = 0u;
            sector = mur_next_sector(t, format, sector);
            --left;
            MUR_SKIP_FULL_SECTORS(sector, left)
        }
        blind = false;
    }
    mur_count(t, MUR_HEADER_FAILED_INSERTS, 1u);
    return MUR_FULL;
}

// Inserts by a mode in a table of this format. Arguments and results as mur_insert_mode.
uint mur_insert_entry(MurTableRef t, uint format, uvec3 key, uvec2 value, uint mode, out uint slot,
                      out uvec2 old) {
    slot = MUR_NO_SLOT;
    old = mur_none(t, format);
    if (!mur_offers(t, format, mode)) {
        return MUR_UNSUPPORTED;
    }
    if (mur_is_empty_value(t, format, value)) {
        mur_count(t, MUR_HEADER_INVALID_VALUES, 1u);
        return MUR_INVALID_VALUE;
    }
    uvec3 hash = mur_hash_of(t, format, key);
    return mode == MUR_MODE_UPDATE ? mur_update_entry(t, format, hash, value, slot, old)
                                   : mur_insert_hash(t, format, hash, value, mode, slot, old);
}

// Inserts without the output old. MUR_SUBGROUP_COMBINE merges inserts of equal keys of the
// subgroup.
uint mur_insert_entry(MurTableRef t, uint format, uvec3 key, uvec2 value, uint mode,
                      out uint slot) {
    uvec2 old;
#ifdef MUR_SUBGROUP_COMBINE
    uint leader = mur_leader(t, format, key, mode, value);
    uint status = MUR_EXISTED;
    slot = MUR_NO_SLOT;
    if (leader == gl_SubgroupInvocationID) {
        status = mur_insert_entry(t, format, key, value, mode, slot, old);
    }
    return mur_follow(t, leader, status, slot);
#else
    return mur_insert_entry(t, format, key, value, mode, slot, old);
#endif
}
