// Murmuration: properties of a table's type and of its slots, for GLSL and HLSL. The argument
// format is always a constant, except in HLSL's eviction passes: each overload of a public call
// passes the format for which it is.
// SPDX-License-Identifier: MIT

#if defined(MUR_BUCKETS) && MUR_BUCKETS + 0 != MUR_BUCKETS_ALL && \
    MUR_BUCKETS + 0 != MUR_BUCKETS_PER_TABLE && MUR_BUCKETS + 0 != MUR_BUCKETS_SETS
#error "MUR_BUCKETS needs a value: MUR_BUCKETS_ALL, MUR_BUCKETS_PER_TABLE or MUR_BUCKETS_SETS"
#endif

// Are the table's keys in buckets? A constant, except in shaders with and without buckets.
#if !defined(MUR_BUCKETS)
#define MUR_IN_BUCKETS(t) false
#elif MUR_BUCKETS == MUR_BUCKETS_ALL
#define MUR_IN_BUCKETS(t) true
#else
#define MUR_IN_BUCKETS(t) ((t.flags & MUR_TABLE_BUCKETS) != 0u)
#endif

uint mur_format(MurTableRef t) {
    return MUR_TABLE_FORMAT(t.flags);
}

bool mur_evicts(MurTableRef t, uint format) {
#if defined(MUR_BUCKETS) && MUR_BUCKETS == MUR_BUCKETS_SETS
    return format == MUR_FORMAT_K32 || format == MUR_FORMAT_K64;
#elif defined(MUR_BUCKETS)
    return MUR_HAS_BUCKETS(format) && MUR_IN_BUCKETS(t);
#else
    return false;
#endif
}

// Does this shader support only 64-bit atomics for this format? True for sets of 64-bit keys with
// MUR_INT64_ATOMICS: to support both widths at once made a pass over a cache 6% slower (H200).
bool mur_is_wide(uint format) {
#ifdef MUR_INT64_ATOMICS
    return format == MUR_FORMAT_K64;
#else
    return false;
#endif
}

// Does the table have this format, and a type that this shader supports?
bool mur_matches_format(MurTableRef t, uint format) {
    return mur_format(t) == format &&
           ((t.flags & MUR_TABLE_BUCKETS) != 0u) == mur_evicts(t, format) &&
           (!mur_is_wide(format) || (t.flags & MUR_TABLE_INT64) != 0u);
}

// Do slots of the table have a tag word?
bool mur_is_tagged(MurTableRef t, uint format) {
    return format == MUR_FORMAT_K64V32 ||
           (mur_evicts(t, format) && format == MUR_FORMAT_K64 && !mur_is_wide(format) &&
            (t.flags & MUR_TABLE_INT64) == 0u);
}

// Are the value and the tag of a slot stored apart from its key words, as in buckets of 64-bit
// keys?
bool mur_is_split(MurTableRef t, uint format) {
    return mur_evicts(t, format) && MUR_IS_64(format);
}

// Returns log2 of the bytes from one slot to the next.
uint mur_slot_shift(MurTableRef t, uint format) {
    return mur_evicts(t, format) ? min(MUR_SLOT_SHIFT(format), 3u) : MUR_SLOT_SHIFT(format);
}

// In buckets: returns the word index, from the header on, of a slot's word i: 2 (value) or 3 (tag).
uint mur_beside(MurTableRef t, uint format, uint slot, uint i) {
    uint start = MUR_BESIDE_START(format, t.slotCount);
    return format == MUR_FORMAT_K64V32 ? start + 2u * slot + i - 2u : start + slot;
}

// Returns the table's empty value: "absent" in a value word.
uint mur_empty_value(MurTableRef t) {
    return (t.flags & MUR_TABLE_ZERO) != 0u ? 0u : 0xFFFFFFFFu;
}

// Can this shader write the table, and does the table have this format and offer the mode? Tables
// without values offer only assign and insert, which are equivalent there.
bool mur_offers(MurTableRef t, uint format, uint mode) {
#ifndef MUR_INT64_ATOMICS
    if ((t.flags & MUR_TABLE_INT64) != 0u) {
        return false;
    }
#endif
    if (!mur_matches_format(t, format)) {
        return false;
    }
    bool zero = (t.flags & MUR_TABLE_ZERO) != 0u;
    return mode <= MUR_MODE_INSERT ||
           (!MUR_IS_SET(format) && (mode == MUR_MODE_UPDATE || zero != (mode == MUR_MODE_MIN)));
}

// Has some key claimed all words of the slot with these words? True for tombstones.
bool mur_is_claimed(MurTableRef t, uint format, MUR_U32X4 words) {
    if (mur_is_tagged(t, format)) {
        return words.x != MUR_EMPTY && words.y != MUR_EMPTY &&
               ((words.w & MUR_TAG_USED) != 0u || (words.x != 0u && words.y != 0u));
    }
    return words.x != MUR_EMPTY || (MUR_IS_64(format) && words.y != MUR_EMPTY);
}

bool mur_is_tomb(MurTableRef t, uint format, MUR_U32X4 words) {
    return MUR_IS_SET(format) && words.x == MUR_TOMB &&
           (!MUR_IS_64(format) || mur_is_tagged(t, format) || words.y == MUR_EMPTY);
}

// Can the hash claim a slot that was read as `words`, or is the slot the hash's own? An empty half
// counts as unclaimed even if 64-bit atomics write both halves, because reads can be torn.
bool mur_is_open(uint format, MUR_U32X4 words, MUR_U32X4 stored) {
    uint tag = words.w & stored.z;
    return (words.x == MUR_EMPTY || words.x == stored.x) &&
           (words.y == MUR_EMPTY || words.y == stored.y) && (tag == 0u || tag == stored.w);
}

// The formats that the shader supports: X(format, Key, KEY, key_words, Value, VALUE, value_words)
// for each format with values, X(format, Key, KEY, key_words) for each set. Key, Value: types of a
// call's arguments key and value. KEY, VALUE: these as two words. key_words, value_words: the
// swizzles of two words that are a key and a value.
#define MUR_MAP_32(X) \
    X(MUR_FORMAT_K32V32, uint, MUR_U32X2(key, 0u), x, uint, MUR_U32X2(value, 0u), x)
#ifdef MUR_KEYS_64
#define MUR_MAP_64(X) X(MUR_FORMAT_K64V32, MUR_U32X2, key, xy, uint, MUR_U32X2(value, 0u), x)
#define MUR_SET_64(X) X(MUR_FORMAT_K64, MUR_U32X2, key, xy)
#else
#define MUR_MAP_64(X)
#define MUR_SET_64(X)
#endif
#ifdef MUR_VALUES_64
#define MUR_MAP_WIDE(X) X(MUR_FORMAT_K64V64, MUR_U32X2, key, xy, MUR_U32X2, value, xy)
#else
#define MUR_MAP_WIDE(X)
#endif
#if defined(MUR_HLSL) && !defined(MUR_MAPS)
#define MUR_EACH_MAP(X)
#else
#define MUR_EACH_MAP(X) MUR_MAP_32(X) MUR_MAP_64(X) MUR_MAP_WIDE(X)
#endif
#ifdef MUR_SETS
#define MUR_EACH_SET(X) X(MUR_FORMAT_K32, uint, MUR_U32X2(key, 0u), x) MUR_SET_64(X)
#else
#define MUR_EACH_SET(X)
#endif
