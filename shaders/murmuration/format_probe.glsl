// Murmuration: a slot of an insert's probe in formats other than K32V32.
//
// SPDX-License-Identifier: MIT

// Is a key that a plain read has shown in a slot (seen) still there, with a value (old)? By a
// coherent read, or where that read is enough by it; false also where that could be torn.
bool mur_keeps(MurTableRef t, uint format, uint slot, uvec4 seen, uvec4 stored, out uvec2 old) {
#ifdef MUR_PLAIN_LOOKUPS
    uvec4 words = seen;
#else
    uvec4 words = mur_slot_words(t, format, slot);
#endif
    old = MUR_IS_SET(format) ? mur_none_of(t, format) : mur_value_in(format, words);
    if (any(greaterThanEqual(stored.xy, uvec2(MUR_TOMB)))) {
        return false;
    }
    if (MUR_IS_SET(format)) {
        return words.x == stored.x && (format == MUR_FORMAT_K32 || words.y == stored.y);
    }
    mur_confirm(t, format, slot, uvec3(0u), old);
    return old != mur_none_of(t, format);
}

// One slot of an insert's probe, last seen as seen. As mur_insert_at. old: the value that was
// there, if it is not MUR_ABSENT; none in sets.
uint mur_insert_at_of(MurTableRef t, uint format, uint home, uint slot, uvec4 seen,
                      uvec4 stored, uvec2 value, uint mode, uint state, out uvec2 old) {
    old = mur_none_of(t, format);
    const uvec2 empty = uvec2(MUR_EMPTY);
    bool own = (seen.xy == stored.xy || (format == MUR_FORMAT_K32 && seen.x == stored.x)) &&
               (seen.w & stored.z) == stored.w;
    if (own && (mode == MUR_MODE_KEEP || MUR_IS_SET(format)) &&
        mur_keeps(t, format, slot, seen, stored, old)) {
        return MUR_EXISTED;
    }
    // Only in K64V32 can the claim of a slot succeed that is not seen as free.
    if (seen.xy == empty || (format == MUR_FORMAT_K64V32 && !own)) {
        mur_note_claim(t, home, slot, state);
    }
    if (MUR_IS_SET(format)) {
        uvec2 there = mur_swap_key(t, format, slot, empty, stored.xy);
        return there == empty ? MUR_INSERTED : there == stored.xy ? MUR_EXISTED : MUR_ABSENT;
    }
    if (!mur_claim_slot(t, format, slot, seen, stored)) {
        return MUR_ABSENT;
    }
    old = mur_update_value(t, format, slot, value, mode);
    return old == mur_none_of(t, format) ? MUR_INSERTED : MUR_EXISTED;
}
