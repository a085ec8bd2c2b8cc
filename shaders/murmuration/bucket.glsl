// Murmuration: bucketed tables. A key lives in one of two buckets of MUR_BUCKET_SLOTS slots. The
// keys of a bucket are next to each other, in 128 bytes, or 64 bytes in 32-bit sets; words.h
// describes where values, tags and filters are. A lookup reads parts of 64 bytes until the key is
// found.
//
// A filter of MUR_FILTER_BITS bits per bucket shows whether the second bucket must be read: bit b
// of a bucket is set if a key with this first bucket, and with b as the low bits of its hash, lives
// in its second bucket. The filter has no false negatives; stale bits only cost time. There are two
// filters: lookups use the front filter while a pass rebuilds the back filter.
//
// claim.glsl explains which slots a key may claim, and why a key never has two slots.
// SPDX-License-Identifier: MIT

// Number of parts of 64 bytes per bucket.
#define MUR_BUCKET_PARTS(format) (MUR_BUCKET_SECTORS(format) / 2u)

struct MurPart {
    uvec4 low, high, lowAfter, highAfter;
};

// Returns the words of a hash that select the first bucket and its filter bit (x), and the second
// bucket (y).
uvec2 mur_bucket_words(uint format, uvec3 hash) {
    return MUR_IS_64(format) ? hash.yx : uvec2(hash.x, mur_hash(hash.x, MUR_SECOND_SEED));
}

// Returns the two buckets of a hash, which may be the same.
uvec2 mur_buckets_of(MurTableRef t, uint format, uvec3 hash) {
    uvec2 words = mur_bucket_words(format, hash);
    uint count = t.slotCount / MUR_BUCKET_SLOTS;
    return uvec2(mur_home(words.x, count), mur_home(words.y, count));
}

// Returns the index of a hash's bit in a filter. first: the first bucket of the hash.
uint mur_filter_bit(uint format, uvec3 hash, uint first) {
    return first * MUR_FILTER_BITS + mur_bucket_words(format, hash).x % MUR_FILTER_BITS;
}

// Returns the index of the word with bit `bit` of a filter (x), and the bit's mask (y). counts:
// true selects the front filter, which lookups read; false selects the back filter.
uvec2 mur_filter_at(MurTableRef t, uint format, uint bit, bool counts) {
    bool second = ((mur_state(t) & MUR_STATE_FILTER) != 0u) == counts;
    uint start = MUR_FILTER_START(format, t.flags, t.slotCount);
    return uvec2(start + (second ? MUR_FILTER_WORDS(t.slotCount) : 0u) + bit / 32u,
                 1u << bit % 32u);
}

// Is the bit with this index set in the front filter, so that the second bucket must be read?
bool mur_may_be_second(MurTableRef t, uint format, uint bit) {
    uvec2 at = mur_filter_at(t, format, bit, true);
    return (mur_word(t, at.x) & at.y) != 0u;
}

// Reads 64 bytes of a bucket. Returns a mask of their slots with the bit of the key's slot, or 0.
// closed (output): mask of slots whose key words equal the key's, but whose tags are another key's.
// value: the value of the key's slot; only K32V32 writes it.
uint mur_own_in(MurTableRef t, uint format, uvec4 stored, uint part, out MurPart read,
                out uint closed, inout uvec2 value) {
    const uint keys = MUR_KEY_FORMAT(format);
    const uint slots = MUR_SLOTS_OF(keys);
    uvec4 words = uvec4(stored.xy, 0u, 0u);
    mur_two_sectors(t, keys, part, read.low, read.high, read.lowAfter, read.highAfter);
    uint own = mur_lanes_with(keys, read.low, read.high, words) |
               mur_lanes_with(keys, read.lowAfter, read.highAfter, words) << slots;
    if (format == MUR_FORMAT_K32V32 && own != 0u) {
        uint lane = uint(findLSB(own));
        bool late = lane >= slots;
        value.x = mur_lane(format, lane % slots, late ? read.lowAfter : read.low,
                           late ? read.highAfter : read.high).y;
    }
    closed = 0u;
    for (uint left = stored.w != 0u ? own : 0u; left != 0u; left &= left - 1u) {
        uint lane = uint(findLSB(left));
        uint tag = mur_word(t, mur_beside(t, format, 2u * slots * part + lane, 3u));
        own &= ~(tag != stored.w ? 1u << lane : 0u);
        closed |= tag != stored.w && tag != 0u ? 1u << lane : 0u;
    }
    return own;
}

// Returns a mask of the slots of a part that the hash may claim, without comparing tags. A torn
// read never makes a slot of the key look like another key's slot.
uint mur_open_in(uint format, uvec4 stored, MurPart read) {
    const uint keys = MUR_KEY_FORMAT(format);
    uvec4 words = uvec4(stored.xy, 0u, 0u);
    return mur_open_lanes(keys, read.low, read.high, words) |
           mur_open_lanes(keys, read.lowAfter, read.highAfter, words) << MUR_SLOTS_OF(keys);
}

// Searches a bucketed table for a hash, like mur_probe of find.glsl.
uint mur_probe_homes(MurTableRef t, uint format, uvec3 hash, inout uvec2 value) {
    const uint parts = MUR_BUCKET_PARTS(format);
    uvec4 stored = mur_stored(t, format, hash);
    uvec2 buckets = mur_buckets_of(t, format, hash);
    uint bit = mur_filter_bit(format, hash, buckets.x);
    uint part = parts * buckets.x;
    for (uint i = 0u; i < 2u * parts; ++i, ++part) {
        if (i == parts) {
            part = parts * buckets.y;
            if (buckets.x == buckets.y || !mur_may_be_second(t, format, bit)) {
                break;
            }
        }
        MurPart read;
        uint closed;
        uvec2 found = value;
        uint own = mur_own_in(t, format, stored, part, read, closed, found);
        if (own != 0u) {
            uint slot = MUR_BUCKET_SLOTS / parts * part + uint(findLSB(own));
            if (format == MUR_FORMAT_K64V32) {
                found.x = mur_word(t, mur_beside(t, format, slot, 2u));
            }
            if (mur_confirm(t, format, slot, stored.xyz, found)) {
                value = found;
                return slot;
            }
        }
    }
    return MUR_NO_SLOT;
}
