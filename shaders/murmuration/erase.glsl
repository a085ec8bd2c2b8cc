// Murmuration: erases. Why so: see claim.glsl. The calls are in calls.glsl.
//
// SPDX-License-Identifier: MIT

// Erases a key that was found in a slot. value: as mur_erase.
uint mur_erase_found(MurTableRef t, uint format, uvec3 key, uint at, out uvec2 value) {
    uvec2 none = mur_none(t, format);
    uvec2 hash = mur_stored(t, format, mur_hash_of(t, format, key)).xy;
    bool erased;
    value = none;
    MUR_FORGET(t, at); // before it is another entry's
    if (!MUR_IS_SET(format)) {
        value = mur_apply(t, format, at, hash.x, none, MUR_MODE_ASSIGN);
        erased = value != none;
    } else if (at >= t.slotCount) {
        uint extra = MUR_HEADER_EXTRA + at - t.slotCount;
        erased = atomicExchange(MUR_STATE_WORD(t, extra), 0u) != 0u;
    } else {
        erased = mur_bury(t, format, at, hash) == hash;
    }
    return erased ? MUR_ERASED : MUR_ABSENT;
}

#ifdef MUR_PROBES_BUCKETS
// As mur_erase_entry, in a table in buckets that nobody else uses but erases like this one: the
// slot becomes free. What one of them frees none of the others may write.
uint mur_erase_and_free(MurTableRef t, uint format, uvec3 key, out uvec2 value, out uint slot) {
    uint at = mur_find_entry(t, format, key, value);
    uvec2 seen = value;
    bool erased = at != MUR_NO_SLOT;
    if (erased && MUR_IS_SET(format)) {
        erased = mur_erase_found(t, format, key, at, value) == MUR_ERASED;
    } else if (erased) {
        uint hash = mur_stored(t, format, mur_hash_of(t, format, key)).x;
        erased = mur_swap_value(t, format, at, hash, seen, mur_none(t, format)) == seen;
    }
    value = erased ? seen : mur_none(t, format);
    slot = erased ? at : MUR_NO_SLOT;
    if (erased) {
        mur_free(t, format, at);
    }
    return erased ? MUR_ERASED : MUR_ABSENT;
}
#endif

// As mur_erase.
uint mur_erase_entry(MurTableRef t, uint format, uvec3 key, out uvec2 value, out uint slot) {
    value = mur_none(t, format);
    slot = MUR_NO_SLOT;
    if (!mur_offers(t, format, MUR_MODE_ASSIGN)) {
        return MUR_UNSUPPORTED;
    }
    uint at = mur_find_entry(t, format, key, value);
    uint status = at == MUR_NO_SLOT ? MUR_ABSENT : mur_erase_found(t, format, key, at, value);
    slot = status == MUR_ERASED ? at : MUR_NO_SLOT;
    return status;
}
