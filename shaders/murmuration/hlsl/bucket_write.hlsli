// Murmuration: inserts into bucketed tables, and eviction passes, in HLSL. See bucket_write.glsl.
// SPDX-License-Identifier: MIT

void mur_set_filter(MUR_BUFFER table, uint2 bit) {
    if (!mur_is_set_at(table, bit)) {
        uint old;
        table.InterlockedOr(bit.x, bit.y, old);
    }
}

// Inserts into a bucketed table, like mur_insert_hash of write.hlsli.
uint mur_insert_in_homes(MUR_BUFFER table, MurTableRef t, uint format, uint2 hash, uint value,
                         uint mode, out uint slot, out uint old) {
    uint none = mur_empty_value(t);
    uint4 stored = mur_stored(t, format, hash);
    uint2 buckets = mur_buckets_of(t, format, hash);
    uint2 bit = mur_filter_at(table, t, format, hash, buckets.x, true);
    uint count = buckets.x == buckets.y ? 1u : 2u;
    uint own = 0u;
    uint open = 0u; // bit masks: slots of the first bucket, then of the second
    for (uint i = 0u; i < count; ++i) {
        uint own_here, open_here;
        uint seen = none;
        mur_scan_bucket(table, t, format, stored, buckets[i], own_here, open_here, seen);
        own |= own_here << MUR_BUCKET_SLOTS * i;
        open |= open_here << MUR_BUCKET_SLOTS * i;
        // If the key may live in the second bucket, the insert reads that bucket before any claim.
        if (i + 1u != count && own == 0u && mur_is_set_at(table, bit)) {
            continue;
        }
        while (open != 0u) {
            bool there = own != 0u;
            uint lane = uint(firstbitlow(there ? own : open));
            own &= ~(1u << lane);
            open &= ~(1u << lane);
            slot = MUR_BUCKET_SLOTS * buckets[lane / MUR_BUCKET_SLOTS] + lane % MUR_BUCKET_SLOTS;
            if (lane >= MUR_BUCKET_SLOTS) {
                mur_set_filter(table, bit);
            }
            uint4 words = there ? uint4(stored.xy, seen, stored.w)
                                : uint4(MUR_EMPTY, MUR_EMPTY, none, 0u);
            uint status = mur_insert_at(table, t, format, 0u, slot, words, stored, value, mode, 0u,
                                        old);
            if (status != MUR_ABSENT) {
                return status;
            }
        }
    }
    slot = MUR_NO_SLOT;
    old = none;
    mur_count(table, MUR_COUNTER_AT(format, t.flags, t.slotCount, stored.x));
    return MUR_FULL;
}

void mur_touch(MUR_BUFFER table, MurTableRef t, uint slot, uint frame) {
    if (!MUR_IN_BUCKETS(t) || (t.flags & MUR_TABLE_AGES) == 0u || slot >= t.slotCount + 2u) {
        return;
    }
    uint at = 4u * (MUR_AGES_START(mur_format(t), t.flags, t.slotCount) + slot);
    if (table.Load(at) != frame) {
        table.Store(at, frame);
    }
}

// Is the table in buckets, and can this shader write it?
bool mur_may_pass(MurTableRef t) {
    return MUR_IN_BUCKETS(t) &&
           (t.flags & (MUR_TABLE_BUCKETS | MUR_TABLE_INT64)) == MUR_TABLE_BUCKETS;
}

void mur_evict(MUR_BUFFER table, MurTableRef t, uint slot) {
    uint format = mur_format(t);
    if (!mur_may_pass(t)) {
        return;
    }
    mur_touch(table, t, slot, MUR_AGE_UNTOUCHED);
    bool extra = slot >= t.slotCount;
    if (slot >= t.slotCount + mur_extra_slots(format) ||
        (!extra && table.Load(mur_word_at(t, format, slot, 0u)) == MUR_EMPTY)) {
        return;
    }
    if (!MUR_IS_SET(format)) {
        table.Store(mur_value_at(t, format, slot), mur_empty_value(t));
    }
    if (!extra || MUR_IS_SET(format)) {
        table.Store(mur_word_at(t, format, slot, 0u), extra ? 0u : MUR_EMPTY);
    }
    if (!extra && MUR_IS_64(format)) {
        table.Store(mur_word_at(t, format, slot, 1u), MUR_EMPTY);
        table.Store(mur_word_at(t, format, slot, 3u), 0u);
    }
}

void mur_retain(MUR_BUFFER table, MurTableRef t, uint slot) {
    uint format = mur_format(t);
    if (!mur_may_pass(t) || slot >= t.slotCount) {
        return;
    }
    uint4 words = mur_slot_words(table, t, format, slot);
    uint2 hash = mur_hash_in(t, format, words);
    uint first = mur_buckets_of(t, format, hash).x;
    if (first != slot / MUR_BUCKET_SLOTS && mur_is_claimed(t, format, words) &&
        !mur_is_tomb(t, format, words)) {
        mur_set_filter(table, mur_filter_at(table, t, format, hash, first, false));
    }
}
