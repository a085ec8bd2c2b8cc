// Murmuration: bucketed tables in HLSL, with the same steps as bucket.glsl.
// SPDX-License-Identifier: MIT

// Returns the two buckets of a hash, which may be the same.
uint2 mur_buckets_of(MurTableRef t, uint format, uint2 hash) {
    uint count = t.slotCount / MUR_BUCKET_SLOTS;
    uint other = MUR_IS_64(format) ? hash.x : mur_hash(hash.x, MUR_SECOND_SEED);
    return uint2(mur_home(mur_home_word(format, hash), count), mur_home(other, count));
}

// Returns the byte offset of the filter word with the hash's bit, and the bit's mask. counts: true
// selects the front filter, false the back filter.
uint2 mur_filter_at(MUR_BUFFER table, MurTableRef t, uint format, uint2 hash, uint first,
                    bool counts) {
    uint bit = first * MUR_FILTER_BITS + mur_home_word(format, hash) % MUR_FILTER_BITS;
    uint word = MUR_FILTER_START(format, t.flags, t.slotCount) + bit / 32u;
    if (((table.Load(4u * MUR_HEADER_STATE) & MUR_STATE_FILTER) != 0u) == counts) {
        word += MUR_FILTER_WORDS(t.slotCount);
    }
    return uint2(4u * word, 1u << bit % 32u);
}

bool mur_is_set_at(MUR_BUFFER table, uint2 bit) {
    return (table.Load(bit.x) & bit.y) != 0u;
}

// Reads a bucket. own: bit mask of the slot that the hash has claimed, or 0. open: mask of the
// slots that the hash may claim, its own included. value: of its own slot.
void mur_scan_bucket(MUR_BUFFER table, MurTableRef t, uint format, uint4 stored, uint bucket,
                     out uint own, out uint open, inout uint value) {
    uint keys = MUR_KEY_FORMAT(format);
    uint slots = MUR_SLOTS_OF(keys);
    uint sectors = MUR_BUCKET_SECTORS(format);
    uint4 halves = uint4(stored.xy, 0u, 0u);
    own = 0u;
    open = 0u;
    [unroll] for (uint i = 0u; i < sectors; ++i) {
        uint4 low = table.Load4(MUR_HEADER_SIZE + 32u * (bucket * sectors + i));
        uint4 high = table.Load4(MUR_HEADER_SIZE + 32u * (bucket * sectors + i) + 16u);
        uint lanes = mur_lanes_with(keys, low, high, halves, false);
        if (format == MUR_FORMAT_K32V32 && lanes != 0u) {
            value = mur_lane(format, uint(firstbitlow(lanes)), low, high).z;
        }
        own |= lanes << slots * i;
        open |= mur_lanes_with(keys, low, high, halves, true) << slots * i;
    }
    for (uint left = stored.w != 0u ? own : 0u; left != 0u; left &= left - 1u) {
        uint lane = left & (0u - left);
        uint slot = MUR_BUCKET_SLOTS * bucket + uint(firstbitlow(left));
        uint tag = table.Load(mur_word_at(t, format, slot, 3u));
        own &= ~(tag != stored.w ? lane : 0u);
        open &= ~(tag != stored.w && tag != 0u ? lane : 0u);
    }
    if (format == MUR_FORMAT_K64V32 && own != 0u) {
        uint slot = MUR_BUCKET_SLOTS * bucket + uint(firstbitlow(own));
        value = table.Load(mur_value_at(t, format, slot));
    }
}

// Searches a bucketed table, like mur_probe, for a hash without a sentinel slot.
uint mur_probe_homes(MUR_BUFFER table, MurTableRef t, uint format, uint2 hash,
                     inout uint value) {
    uint4 stored = mur_stored(t, format, hash);
    uint2 buckets = mur_buckets_of(t, format, hash);
    uint2 bit = mur_filter_at(table, t, format, hash, buckets.x, true);
    uint count = buckets.x == buckets.y ? 1u : 2u;
    for (uint i = 0u; i < count; ++i) {
        uint own, open;
        mur_scan_bucket(table, t, format, stored, buckets[i], own, open, value);
        if (own != 0u) {
            return MUR_BUCKET_SLOTS * buckets[i] + uint(firstbitlow(own));
        }
        if (!mur_is_set_at(table, bit)) {
            break;
        }
    }
    return MUR_NO_SLOT;
}
