// Murmuration: writes to a slot that an earlier call returned, in formats with values.
//
// A slot is valid once a key has claimed it, also after the key is erased. The sentinel slot,
// slotCount, is always valid. For any other slot, out of range or unclaimed, and for tables that
// this shader cannot write, these calls have no effect and return the empty value.
//
//     mur_slot_exchange(t, slot, value)
//
// Replaces the value of a slot and returns the old value. So one dispatch can claim an entry and
// the next one set its value. The table's empty value as value erases the entry. If the call
// returns the empty value, the key was erased, and the call has inserted it again.
//
//     mur_slot_compare_exchange(t, slot, compare, value)
//
// Replaces the value of a slot if it equals compare. Returns the old value, which equals compare if
// the call had an effect. The empty value as value erases the entry. With the empty value as
// compare, the call has no effect and returns the empty value: only an insert restores an erased
// key.
// SPDX-License-Identifier: MIT

// Has a key claimed the slot? hash: the low word of the key's hash, as the slot stores it.
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

// Resets the age of a slot if its new value is the empty value, which erases the entry.
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
