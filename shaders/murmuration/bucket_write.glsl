// Murmuration: inserts into bucketed tables, and eviction passes. claim.glsl has the proofs.
//
//     mur_evict(t, slot)           frees the slot of an entry or of an erased key
//     mur_retain(t, slot)          keeps the slot's entry: sets the entry's bit in the back filter
//     mur_touch(t, slot, frame)    stores the frame as the last use of the slot, in tables with
//                                  MUR_TABLE_AGES. Ignores MUR_NO_SLOT
//
// An eviction pass is one dispatch that evicts or retains slots: between murCmdBeginEviction and
// murCmdEndEviction every slot, including sentinel slots, at other times any slots. During the pass
// no other work writes to the table, except values of retained entries. Lookups are allowed, and
// may still find evicted entries.
// SPDX-License-Identifier: MIT

void mur_set_filter(MurTableRef t, uvec2 bit) {
    if ((mur_word(t, bit.x) & bit.y) == 0u) {
        atomicOr(MUR_STATE_WORD(t, bit.x), bit.y);
    }
}

// Inserts into a bucketed table, like mur_insert_hash of write.glsl.
uint mur_insert_in_homes(MurTableRef t, uint format, uvec3 hash, uvec2 value, uint mode,
                         inout uint slot, inout uvec2 old) {
    const uint parts = MUR_BUCKET_PARTS(format);
    const uint slots = MUR_BUCKET_SLOTS / parts;
    uvec4 stored = mur_stored(t, format, hash);
    uvec2 buckets = mur_buckets_of(t, format, hash);
    uint bit = mur_filter_bit(format, hash, buckets.x);
    uint extra = mur_marker(format, hash);
    bool marks = extra != MUR_EXTRA_SLOTS(format); // the hash lives in a sentinel slot
    bool one = marks || buckets.x == buckets.y;
    uint own = 0u, open = 0u; // bit masks: slots of the first bucket, then of the second
    uint part = parts * buckets.x;
    for (uint i = 0u; i < (one ? parts : 2u * parts); ++i, ++part) {
        part = i == parts ? parts * buckets.y : part;
        uvec2 seen = mur_none(t, format);
        uint here = 1u;
        if (!marks) {
            MurPart read;
            uint closed;
            here = mur_own_in(t, format, stored, part, read, closed, seen);
            own = here << slots * i;
            // If the key's own slot becomes a tombstone, which is rare, all slots of the part are
            // tried.
            here = here != 0u ? (1u << slots) - 1u
                              : mur_open_in(format, stored, read) & ~closed;
        }
        open |= here << slots * i;
        while (open != 0u) {
            bool there = own != 0u;
            // Before the insert claims an open slot, it reads the other part of the bucket, and the
            // second bucket if the key may live there.
            if (!there && (i % parts != parts - 1u ||
                           (!one && i < parts && mur_may_be_second(t, format, bit)))) {
                break;
            }
            uint lane = uint(findLSB(there ? own : open));
            own &= ~(1u << lane);
            open &= ~(1u << lane);
            bool second = lane >= MUR_BUCKET_SLOTS;
            uint at = marks ? t.slotCount + extra
                            : MUR_BUCKET_SLOTS * (second ? buckets.y : buckets.x) +
                                  lane % MUR_BUCKET_SLOTS;
            if (second) {
                mur_set_filter(t, mur_filter_at(t, format, bit, true));
            }
            uvec4 words = mur_free_words();
            if (there) {
                words = uvec4(stored.xy, seen.x, stored.w);
                words.y = format == MUR_FORMAT_K32V32 ? seen.x : words.y;
            }
            uint status = mur_insert_at(t, format, 0u, at, there, words, stored, value, mode, 0u,
                                        old);
            if (status != MUR_ABSENT) {
                slot = at;
                return status;
            }
        }
    }
    mur_count(t, MUR_COUNTER_AT(format, t.flags, t.slotCount, bit), 1u);
    return MUR_FULL;
}

void mur_touch(MurTableRef t, uint slot, uint frame) {
    uint word = MUR_AGES_START(mur_format(t), t.flags, t.slotCount) + slot;
    if (MUR_IN_BUCKETS(t) && (t.flags & MUR_TABLE_AGES) != 0u && slot < t.slotCount + 2u &&
        mur_word(t, word) != frame) {
        MUR_STATE_WORD(t, word) = frame;
    }
}

void mur_evict(MurTableRef t, uint format, uint slot) {
    uint none = mur_empty_value(t);
    mur_touch(t, slot, MUR_AGE_UNTOUCHED);
    if (slot >= t.slotCount) {
        uint extra = slot - t.slotCount;
        bool pair = format == MUR_FORMAT_K32V32;
        if (extra < MUR_EXTRA_SLOTS(format) && format != MUR_FORMAT_K64V32) {
            MUR_STATE_WORD(t, MUR_HEADER_EXTRA + (pair ? 1u : extra)) = pair ? none : 0u;
        }
        return;
    }
    // Reads the slot's key words (in 32-bit sets, those of two slots). Returns early if the slot is
    // free, because in an eviction pass most slots are free.
    uint at = slot << mur_slot_shift(t, format) - 2u;
    uvec2 pair = mur_pair(t, MUR_KEY_FORMAT(format), (MUR_HEADER_WORDS + at) / 2u);
    pair.x = (at & 1u) != 0u ? pair.y : pair.x;
    if (pair.x == MUR_EMPTY && (pair.y == MUR_EMPTY || !MUR_IS_64(format))) {
        return;
    }
    if (format == MUR_FORMAT_K32) {
        MUR_STATE_WORD(t, MUR_HEADER_WORDS + slot) = MUR_EMPTY;
        return;
    }
    mur_store_pair(t, slot, uvec2(MUR_EMPTY, format == MUR_FORMAT_K32V32 ? none : MUR_EMPTY));
    if (format == MUR_FORMAT_K64V32) {
        MUR_STATE_WORD(t, mur_beside(t, format, slot, 2u)) = none;
    }
    if (MUR_BESIDE_WORDS(format, t.flags) != 0u) {
        MUR_STATE_WORD(t, mur_beside(t, format, slot, 3u)) = 0u;
    }
}

// Sets the entry's bit in the back filter. An erased key that keeps its slot also needs the bit,
// because an insert of the key must find this slot. Tombstones need no bit.
void mur_retain(MurTableRef t, uint format, uint slot) {
    if (slot >= t.slotCount) {
        return;
    }
    uvec4 words = mur_slot_words(t, format, slot);
    uvec3 hash = mur_hash_in(t, format, words);
    uint first = mur_buckets_of(t, format, hash).x;
    if (first != slot / MUR_BUCKET_SLOTS && mur_has_key(t, format, words)) {
        mur_set_filter(t, mur_filter_at(t, format, mur_filter_bit(format, hash, first), false));
    }
}

// Is the table in buckets, and can this shader write it?
bool mur_may_pass(MurTableRef t) {
    return MUR_IN_BUCKETS(t) && mur_offers(t, mur_format(t), MUR_MODE_ASSIGN);
}

void mur_evict(MurTableRef t, uint slot) {
    if (mur_may_pass(t)) {
        mur_evict(t, mur_format(t), slot);
    }
}

void mur_retain(MurTableRef t, uint slot) {
    if (mur_may_pass(t)) {
        mur_retain(t, mur_format(t), slot);
    }
}
