// Murmuration: erases. claim.glsl explains why they are correct; the calls are in calls.glsl.
// SPDX-License-Identifier: MIT

// Erases a key that was found in slot `at`. value: on entry the found value, on return as in
// mur_erase. If frees is true (tables that evict), also frees the slot; only such erases may then
// access the table. They swap the value only if it is still the found one, so that no erase writes
// a slot that another erase has freed.
uint mur_erase_found(MurTableRef t, uint format, uvec3 key, uint at, bool frees,
                     inout uvec2 value) {
    uvec2 none = mur_none(t, format), seen = value;
    uvec2 hash = mur_stored(t, format, mur_hash_of(t, format, key)).xy;
    bool erased;
    if (!MUR_IS_SET(format)) {
        value = frees ? mur_swap_value(t, format, at, hash.x, seen, none)
                      : mur_apply(t, format, at, hash.x, none, MUR_MODE_ASSIGN);
        erased = frees ? value == seen : value != none;
    } else if (at >= t.slotCount) {
        uint extra = MUR_HEADER_EXTRA + at - t.slotCount;
        erased = atomicExchange(MUR_STATE_WORD(t, extra), 0u) != 0u;
    } else {
        erased = mur_bury(t, format, at, hash) == hash;
    }
    value = erased ? value : none;
    MUR_RESET_AGE(t, at); // after the erase, so that the next entry inherits no age
    if (erased && frees) {
        MUR_FREE_SLOT(t, format, at);
    }
    return erased ? MUR_ERASED : MUR_ABSENT;
}

// Erases a key in a table of this format. Arguments and results as mur_erase and mur_erase_found.
uint mur_erase_entry(MurTableRef t, uint format, uvec3 key, bool frees, out uvec2 value,
                     out uint slot) {
    value = mur_none(t, format);
    slot = MUR_NO_SLOT;
    if (!mur_offers(t, format, MUR_MODE_ASSIGN)) {
        return MUR_UNSUPPORTED;
    }
    uint at = mur_find_entry(t, format, key, value);
    uint status = at == MUR_NO_SLOT ? MUR_ABSENT
                                    : mur_erase_found(t, format, key, at, frees, value);
    slot = status == MUR_ERASED ? at : MUR_NO_SLOT;
    return status;
}
