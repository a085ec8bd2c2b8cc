// Murmuration: properties of a table's type, for GLSL and HLSL. The argument format is always a
// constant: each overload of a public call passes the format for which it is.
//
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

bool mur_in_buckets(MurTableRef t, uint format) {
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
           ((t.flags & MUR_TABLE_BUCKETS) != 0u) == mur_in_buckets(t, format) &&
           (!mur_is_wide(format) || (t.flags & MUR_TABLE_INT64) != 0u);
}

// Do slots of the table have a tag word?
bool mur_is_tagged(MurTableRef t, uint format) {
    return format == MUR_FORMAT_K64V32 ||
           (mur_in_buckets(t, format) && format == MUR_FORMAT_K64 && !mur_is_wide(format) &&
            (t.flags & MUR_TABLE_INT64) == 0u);
}

// Are the value and the tag of a slot stored apart from its key words, as in buckets of 64-bit
// keys?
bool mur_is_split(MurTableRef t, uint format) {
    return mur_in_buckets(t, format) && MUR_IS_64(format);
}

// Returns log2 of the bytes from one slot to the next.
uint mur_slot_shift(MurTableRef t, uint format) {
    return mur_in_buckets(t, format) ? min(MUR_SLOT_SHIFT(format), 3u) : MUR_SLOT_SHIFT(format);
}

// In buckets: returns the word index, from the header on, of a slot's word i: 2 (value) or 3 (tag).
uint mur_beside(MurTableRef t, uint format, uint slot, uint i) {
    uint start = MUR_BESIDE_START(format, t.slotCount);
    return format == MUR_FORMAT_K64V32 ? start + 2u * slot + i - 2u : start + slot;
}
