// Murmuration: the formats of slots.
// SPDX-License-Identifier: MIT

#ifndef MUR_READ_ONLY
// Word i of a slot, for 32-bit atomics; pair i of a slot's words, for 64-bit atomics.
#define MUR_SLOT_WORD(t, format, slot, i) \
    MUR_WORD_AT(t, mur_word_base(t, format, slot, i), mur_word_index(t, format, slot, i))
#define MUR_SLOT_PAIR(t, format, slot, i) \
    MUR_WIDE_AT(t, mur_slot_base(t, format, slot), mur_slot_index(t, format, slot) / 2u + (i))
#endif

// Returns the empty value as two words. A 32-bit value is the low word.
uvec2 mur_none(MurTableRef t, uint format) {
    uint none = mur_empty_value(t);
    return uvec2(none, MUR_HAS_WIDE_VALUES(format) ? none : 0u);
}

// Is this value the empty value? Sets have no empty value.
bool mur_is_empty_value(MurTableRef t, uint format, uvec2 value) {
    uvec2 none = mur_none(t, format);
    return !MUR_IS_SET(format) && value.x == none.x &&
           (!MUR_HAS_WIDE_VALUES(format) || value.y == none.y);
}

// Keys and hashes are three words: the low word, which is all of a 32-bit key; the high word, which
// decides the home slot of a 64-bit key; an index, 0 except in types with MUR_TYPE_INDEXED.
uvec3 mur_hash_of(MurTableRef t, uint format, uvec3 key) {
    return MUR_IS_64(format) ? uvec3(mur_hash64(key.xy, mur_index_seed(t.seed, key.z)), key.z)
                             : uvec3(mur_hash(key.x, t.seed), 0u, 0u);
}

uvec3 mur_key_of(MurTableRef t, uint format, uvec3 hash) {
    return MUR_IS_64(format) ? uvec3(mur_key64(hash.xy, mur_index_seed(t.seed, hash.z)), hash.z)
                             : uvec3(format == MUR_FORMAT_R32 ? hash.x // the number itself
                                                              : mur_key(hash.x, t.seed), 0u, 0u);
}

uint mur_home_of(MurTableRef t, uint format, uvec3 hash) {
    bool high = MUR_IS_64(format) || format == MUR_FORMAT_R32;
    return mur_home(high ? hash.y : hash.x, t.capacity);
}

// Returns the words that a slot stores for a hash: x and y are the key words, w is the tag word. z
// is the mask that is applied to a tag word before it is compared with w.
uvec4 mur_stored(MurTableRef t, uint format, uvec3 hash) {
    if (!mur_is_tagged(t, format)) {
        return uvec4(hash.xy, 0u, 0u);
    }
    bvec2 marker = equal(hash.xy, uvec2(MUR_EMPTY));
    bool tomb = format == MUR_FORMAT_K64 && hash.x == MUR_TOMB;
    uvec2 halves = uvec2(marker.x || tomb ? 0u : hash.x, marker.y ? 0u : hash.y);
    uint tag = MUR_TAG_USED | (marker.x ? MUR_TAG_LOW : 0u) | (marker.y ? MUR_TAG_HIGH : 0u);
    tag |= hash.z << MUR_TAG_INDEX_SHIFT | (tomb ? MUR_TAG_TOMB : 0u);
    bool tagged = hash.z != 0u || any(equal(halves, uvec2(0u)));
    return uvec4(halves, 0xFFFFFFFFu, tagged ? tag : 0u);
}

// Returns the hash from a slot's words.
uvec3 mur_hash_in(MurTableRef t, uint format, uvec4 words) {
    if (!mur_is_tagged(t, format)) {
        return uvec3(words.xy, 0u);
    }
    bool tomb = format == MUR_FORMAT_K64 && (words.w & MUR_TAG_TOMB) != 0u;
    return uvec3((words.w & MUR_TAG_LOW) != 0u ? MUR_EMPTY : tomb ? MUR_TOMB : words.x,
                 (words.w & MUR_TAG_HIGH) != 0u ? MUR_EMPTY : words.y,
                 format == MUR_FORMAT_K64 ? 0u : words.w >> MUR_TAG_INDEX_SHIFT);
}

// Returns the value from a slot's words: in K32V32 the second word, in K64V32 the third.
uvec2 mur_value_in(uint format, uvec4 words) {
    return MUR_HAS_WIDE_VALUES(format)   ? words.zw
           : format == MUR_FORMAT_K32V32 ? uvec2(words.y, 0u)
                                         : uvec2(words.z, 0u);
}

// Has a key claimed all words of the slot with these words? False for tombstones.
bool mur_has_key(MurTableRef t, uint format, uvec4 words) {
    if (MUR_IS_SET(format) && !mur_is_tagged(t, format)) {
        return words.x < MUR_TOMB || (MUR_IS_64(format) && words.y != MUR_EMPTY);
    }
    return mur_is_claimed(t, format, words) && !mur_is_tomb(t, format, words);
}

// Reads the words of a slot, coherently unless macros of the shader select plain reads. Slots from
// slotCount on are the sentinel slot of formats with values.
uvec4 mur_slot_words(MurTableRef t, uint format, uint slot) {
    bool beside = mur_is_split(t, format);
    uint keys = beside ? MUR_KEY_FORMAT(format) : format;
    bool extra = !MUR_IS_SET(format) && slot >= t.slotCount;
    uvec4 words;
    if (MUR_SLOT_SHIFT(keys) == 3u) {
        uint at = extra ? MUR_HEADER_EXTRA / 2u : MUR_HEADER_WORDS / 2u + slot;
        words = mur_pair(t, keys, at).xyxy;
    } else {
        uint shift = 4u - MUR_SLOT_SHIFT(keys); // log2 of the number of slots in half a sector
        uint part = extra ? MUR_HEADER_EXTRA / 4u : MUR_HEADER_SIZE / 16u + (slot >> shift);
        words = mur_half(t, keys, part);
        words = mur_lane(keys, extra ? 0u : slot & ((1u << shift) - 1u), words, words);
    }
    if (beside) {
        bool tagged = mur_is_tagged(t, format) && any(equal(words.xy, uvec2(0u)));
        words.z = format == MUR_FORMAT_K64V32 ? mur_word(t, mur_beside(t, format, slot, 2u)) : 0u;
        words.w = tagged ? mur_word(t, mur_beside(t, format, slot, 3u)) : 0u;
    }
    return words;
}

// Returns the hash of the key in sentinel slot 0, 1, ...
uvec3 mur_marker_of(uint extra) {
    return uvec3(extra == 0u ? MUR_EMPTY : MUR_TOMB, MUR_EMPTY, 0u);
}

// Returns the number of the sentinel slot of this hash, or MUR_EXTRA_SLOTS(format) for other
// hashes.
uint mur_marker(uint format, uvec3 hash) {
    bool marks = format != MUR_FORMAT_K64V32 && (!MUR_IS_64(format) || hash.y == MUR_EMPTY);
    return marks && hash.x == MUR_EMPTY                       ? 0u
           : marks && hash.x == MUR_TOMB && MUR_IS_SET(format) ? 1u
                                                               : MUR_EXTRA_SLOTS(format);
}

uint mur_next_sector(MurTableRef t, uint format, uint sector) {
    return sector + 1u == t.slotCount / MUR_SLOTS_OF(format) ? 0u : sector + 1u;
}

// Can a torn read of a slot of K64 or K64V64 look like this hash? Reads of vectors, unlike those of
// pairs, may be torn by concurrent writers. A torn read misleads only if a half may be a sentinel.
bool mur_may_be_torn(MurTableRef t, uint format, uvec2 hash) {
    return (format == MUR_FORMAT_K64V64 || format == MUR_FORMAT_K64) &&
           !mur_is_tagged(t, format) && any(greaterThanEqual(hash, uvec2(MUR_TOMB)));
}

// Confirms that a slot is the hash's own. If the first read may be torn, reads both key words again
// by one read. Also reads a 64-bit value. Returns false if the slot is another key's.
bool mur_confirm(MurTableRef t, uint format, uint slot, uvec3 hash, inout uvec2 value) {
#ifdef MUR_INT64_ATOMICS
    if (MUR_HAS_WIDE_VALUES(format)) {
        value = mur_wide_pair(t, format, slot, 1u);
    }
    if (mur_may_be_torn(t, format, hash.xy)) {
        return mur_wide_pair(t, format, slot, 0u) == hash.xy;
    }
#endif
    return true;
}
