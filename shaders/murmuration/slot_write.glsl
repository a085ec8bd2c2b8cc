// Murmuration: writes by slot, for callers with the slot of an earlier call. Formats with values.
//
// A slot is valid once a key has claimed it, also after the key is erased. The sentinel slot,
// slotCount, is always valid: it belongs to the one key that lives there. For any other slot, out
// of range or unclaimed, and for tables that this shader cannot write, these calls do nothing and
// return the empty value.
//
//     mur_slot_exchange(t, slot, value)
//
// Puts a value into a slot and returns the value that was there: the second half of "claim in one
// dispatch, allocate in the next". The table's empty value erases the entry; where it was there,
// the key was erased, and the entry is back.
//
//     mur_slot_compare_exchange(t, slot, compare, value)
//
// Puts a value into a slot if the one to compare with is there, and returns the value that was
// there: it has done so if that is compare. The empty value as value erases the entry. As
// compare it does nothing and returns the empty value, whatever is there: an entry that somebody
// has erased is brought back by an insert of its key.
//
// SPDX-License-Identifier: MIT

// hash: the low word of the hash that has claimed the slot, as stored.
bool mur_slot_is_claimed(MurTableRef t, uint format, uint slot, out uint hash) {
    hash = MUR_EMPTY;
    if (slot > t.slotCount || !mur_offers(t, format, MUR_MODE_ASSIGN)) {
        return false;
    }
    if (slot == t.slotCount) {
        return format != MUR_FORMAT_K64V32;
    }
    uvec4 words = mur_slot_words(t, format, slot);
    hash = words.x;
    return mur_is_claimed(t, format, words);
}

// An entry that is erased takes its age along.
void mur_forget_value(MurTableRef t, uint format, uint slot, uvec2 value) {
    if (value == mur_none(t, format)) {
        MUR_RESET_AGE(t, slot);
    }
}

uvec2 mur_slot_exchange(MurTableRef t, uint format, uint slot, uvec2 value) {
    uint hash;
    uvec2 old = mur_none(t, format);
    if (mur_slot_is_claimed(t, format, slot, hash)) {
        old = mur_apply(t, format, slot, hash, value, MUR_MODE_ASSIGN);
        mur_forget_value(t, format, slot, value);
    }
    return old;
}

uvec2 mur_slot_compare_exchange(MurTableRef t, uint format, uint slot, uvec2 compare,
                                uvec2 value) {
    uint hash;
    uvec2 old = mur_none(t, format);
    if (compare != old && mur_slot_is_claimed(t, format, slot, hash)) {
        old = mur_swap_value(t, format, slot, hash, compare, value);
        mur_forget_value(t, format, slot, old == compare ? value : compare);
    }
    return old;
}

uint mur_slot_exchange(MurTableRef t, uint slot, uint value) {
    uvec2 words = uvec2(value, 0u);
#ifdef MUR_KEYS_64
    if (mur_format(t) == MUR_FORMAT_K64V32) {
        return mur_slot_exchange(t, MUR_FORMAT_K64V32, slot, words).x;
    }
#endif
    return mur_slot_exchange(t, MUR_FORMAT_K32V32, slot, words).x;
}

uint mur_slot_compare_exchange(MurTableRef t, uint slot, uint compare, uint value) {
    uvec2 words = uvec2(value, 0u), compared = uvec2(compare, 0u);
#ifdef MUR_KEYS_64
    if (mur_format(t) == MUR_FORMAT_K64V32) {
        return mur_slot_compare_exchange(t, MUR_FORMAT_K64V32, slot, compared, words).x;
    }
#endif
    return mur_slot_compare_exchange(t, MUR_FORMAT_K32V32, slot, compared, words).x;
}

#ifdef MUR_VALUES_64
uvec2 mur_slot_exchange(MurTableRef t, uint slot, uvec2 value) {
    return mur_slot_exchange(t, MUR_FORMAT_K64V64, slot, value);
}

uvec2 mur_slot_compare_exchange(MurTableRef t, uint slot, uvec2 compare, uvec2 value) {
    return mur_slot_compare_exchange(t, MUR_FORMAT_K64V64, slot, compare, value);
}
#endif
