// Murmuration: writes by slot, for who has the slot from an earlier call. Formats with values.
//
// A slot counts once a key has claimed it, also when the key is erased by now. The extra slots,
// from slotCount on, always do: each belongs to the one key that lives there. For any other slot,
// out of range or nobody's, and for tables that this shader cannot write, these calls do nothing
// and return the reserved value.
//
// SPDX-License-Identifier: MIT

// hash: of the key that has claimed the slot.
bool mur_slot_is_claimed(MurTableRef t, uint slot, out uint hash) {
    hash = MUR_EMPTY;
    if (slot > t.slotCount || !mur_offers(t, MUR_MODE_ASSIGN)) {
        return false;
    }
    hash = mur_pair(t, slot).x;
    return hash != MUR_EMPTY || slot >= t.slotCount;
}

#ifdef MUR_KEYS_64
bool mur_claimed_in(MurTableRef t, uint format, uint slot) {
    if (slot > t.slotCount || !mur_offers_of(t, format, MUR_MODE_ASSIGN)) {
        return false;
    }
    return slot >= t.slotCount ? format == MUR_FORMAT_K64V64
                               : mur_is_claimed(format, mur_slot_words(t, format, slot));
}

uvec2 mur_exchange_in(MurTableRef t, uint format, uint slot, uvec2 value) {
    return mur_claimed_in(t, format, slot)
               ? mur_update_value(t, format, slot, value, MUR_MODE_ASSIGN)
               : mur_none_of(t, format);
}

uvec2 mur_compare_exchange_in(MurTableRef t, uint format, uint slot, uvec2 compare, uvec2 value) {
    return compare != mur_none_of(t, format) && mur_claimed_in(t, format, slot)
               ? mur_swap_value(t, format, slot, compare, value)
               : mur_none_of(t, format);
}
#endif

// Puts a value into a slot and returns the value that was there: the second half of "claim in one
// dispatch, allocate in the next". The table's reserved value erases the entry; where it was there,
// the key was erased, and the entry is back.
uint mur_slot_exchange(MurTableRef t, uint slot, uint value) {
#ifdef MUR_KEYS_64
    if (mur_format(t) == MUR_FORMAT_K64V32) {
        return mur_exchange_in(t, MUR_FORMAT_K64V32, slot, uvec2(value, 0u)).x;
    }
#endif
    uint hash;
    if (!mur_slot_is_claimed(t, slot, hash)) {
        return mur_no_value(t);
    }
    return mur_apply(t, slot, hash, value, MUR_MODE_ASSIGN);
}

// Puts a value into a slot if the one to compare with is there, and returns the value that was
// there: it has done so if that is compare. The reserved value as value erases the entry. As
// compare it does nothing and returns the reserved value, whatever is there: an entry that somebody
// has erased is brought back by an insert of its key.
uint mur_slot_compare_exchange(MurTableRef t, uint slot, uint compare, uint value) {
#ifdef MUR_KEYS_64
    if (mur_format(t) == MUR_FORMAT_K64V32) {
        return mur_compare_exchange_in(t, MUR_FORMAT_K64V32, slot, uvec2(compare, 0u),
                                       uvec2(value, 0u)).x;
    }
#endif
    uint hash;
    return compare != mur_no_value(t) && mur_slot_is_claimed(t, slot, hash)
               ? mur_swap_value(t, slot, hash, compare, value)
               : mur_no_value(t);
}

#ifdef MUR_VALUES_64
uvec2 mur_slot_exchange(MurTableRef t, uint slot, uvec2 value) {
    return mur_exchange_in(t, MUR_FORMAT_K64V64, slot, value);
}

uvec2 mur_slot_compare_exchange(MurTableRef t, uint slot, uvec2 compare, uvec2 value) {
    return mur_compare_exchange_in(t, MUR_FORMAT_K64V64, slot, compare, value);
}
#endif
