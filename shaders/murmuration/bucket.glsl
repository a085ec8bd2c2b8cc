// Murmuration: tables in buckets. A key lives in one of two buckets of MUR_BUCKET_SLOTS slots,
// which lookups and inserts scan whole. The keys of a bucket lie together, 128 bytes of them, or 64
// of 32-bit sets; what else a slot has lies elsewhere (words.h).
//
// A filter of MUR_FILTER_BITS bits a bucket tells whether the second bucket must be looked at: bit
// b of a bucket, that a key which has it as its first bucket and b as the low bits of its hash
// lives in its second one. Bits are never missing, extra ones cost time alone. There are two
// filters: one counts, the other one is made anew meanwhile.
//
// Which slots a key may claim, and why it never has two: see claim.glsl.
//
// SPDX-License-Identifier: MIT

// Of a hash: what decides the first bucket and the filter's bit, and what the second bucket.
uvec2 mur_bucket_words(uint format, uvec3 hash) {
    return MUR_IS_64(format) ? hash.yx : uvec2(hash.x, mur_hash(hash.x, MUR_SECOND_SEED));
}

// The two buckets, which may be one.
uvec2 mur_buckets_of(MurTableRef t, uint format, uvec3 hash) {
    uvec2 words = mur_bucket_words(format, hash);
    uint count = t.slotCount / MUR_BUCKET_SLOTS;
    return uvec2(mur_home(words.x, count), mur_home(words.y, count));
}

// The filter's word, of the one that counts or the other, and the bit in it.
uvec2 mur_filter_at(MurTableRef t, uint format, uvec3 hash, uint first, bool counts) {
    uint bit = first * MUR_FILTER_BITS + (mur_bucket_words(format, hash).x % MUR_FILTER_BITS);
    bool second = ((mur_state(t) & MUR_STATE_FILTER) != 0u) == counts;
    uint start = MUR_FILTER_START(format, t.flags, t.slotCount);
    return uvec2(start + (second ? MUR_FILTER_WORDS(t.slotCount) : 0u) + bit / 32u,
                 1u << bit % 32u);
}

// Looks at a bucket's slots. own: those that the hash has claimed, one at most, as bits; open:
// those that it may claim, its own among them; value: of its own slot. Words read beside writers
// may be torn, and no key is said to be another's because of that.
void mur_scan_bucket(MurTableRef t, uint format, uvec4 stored, uint bucket, out uint own,
                     out uint open, inout uvec2 value) {
    const uint keys = MUR_KEY_FORMAT(format);
    const uint slots = MUR_SLOTS_OF(keys);
    uvec4 halves = uvec4(stored.xy, 0u, 0u);
    own = 0u;
    open = 0u;
    [[unroll]] for (uint i = 0u; i < MUR_BUCKET_SECTORS(format); i += 2u) {
        uvec4 sectors[4]; // all reads before any is looked at
        mur_sector(t, keys, bucket * MUR_BUCKET_SECTORS(format) + i, sectors[0], sectors[1]);
        mur_sector(t, keys, bucket * MUR_BUCKET_SECTORS(format) + i + 1u, sectors[2], sectors[3]);
        [[unroll]] for (uint j = 0u; j < 2u; ++j) {
            uvec4 low = sectors[2u * j], high = sectors[2u * j + 1u];
            uint lanes = mur_lanes_with(keys, low, high, halves);
            if (format == MUR_FORMAT_K32V32 && lanes != 0u) {
                value.x = mur_lane(format, uint(findLSB(lanes)), low, high).y;
            }
            own |= lanes << slots * (i + j);
            open |= mur_open_lanes(keys, low, high, halves) << slots * (i + j);
        }
    }
    for (uint left = stored.w != 0u ? own : 0u; left != 0u; left &= left - 1u) {
        uint lane = uint(findLSB(left));
        uint tag = mur_word(t, mur_beside(t, format, MUR_BUCKET_SLOTS * bucket + lane, 3u));
        own &= ~(tag != stored.w ? 1u << lane : 0u);
        open &= ~(tag != stored.w && tag != 0u ? 1u << lane : 0u);
    }
}

// As mur_probe.
uint mur_probe_buckets(MurTableRef t, uint format, uvec3 hash, inout uvec2 value) {
    uvec4 stored = mur_stored(t, format, hash);
    uvec2 buckets = mur_buckets_of(t, format, hash);
    uvec2 bit = mur_filter_at(t, format, hash, buckets.x, true);
    for (uint i = 0u; i < 2u; ++i) {
        uint own, open;
        uvec2 found = value;
        mur_scan_bucket(t, format, stored, buckets[i], own, open, found);
        if (own != 0u) {
            uint slot = MUR_BUCKET_SLOTS * buckets[i] + uint(findLSB(own));
            if (format == MUR_FORMAT_K64V32) {
                found.x = mur_word(t, mur_beside(t, format, slot, 2u));
            }
            if (mur_confirm(t, format, slot, stored.xyz, found)) {
                value = found;
                return slot;
            }
        }
        if (buckets.x == buckets.y || (mur_word(t, bit.x) & bit.y) == 0u) {
            break;
        }
    }
    return MUR_NO_SLOT;
}
