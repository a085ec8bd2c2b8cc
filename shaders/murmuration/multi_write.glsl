// Murmuration: inserts and erases in multi-value tables. The counter of a key is the entry with its
// number of ordinals.
//
// Why no pair is lost. An insert increments the counter by one atomic, so no other insert has its
// ordinal or writes its slot. The counter includes the ordinal before the value is written. One
// atomic on the value's word inserts or erases a value. So several erases of a pair erase different
// copies. Only the erase of a key resets its counter; therefore this erase requires exclusive
// access to the key.
// SPDX-License-Identifier: MIT

bool mur_multi_offers(MurTableRef t, uvec2 key) {
    return mur_multi_takes(t, key) &&
           mur_offers(mur_multi_slots(t), MUR_FORMAT_K64V32, MUR_MODE_ADD);
}

// Allocates n ordinals of a key. Returns MUR_INSERTED and the first ordinal, or an error. slot
// (output): the counter's slot. Reads the counter first: if rejected inserts also incremented it,
// the counter would finally wrap to 0 and lose the key's values. Concurrent inserts may exceed the
// limit a little.
uint mur_multi_take(MurTableRef t, uvec2 key, uint n, out uint first, out uint slot) {
    first = 0u;
    slot = MUR_NO_SLOT;
    if (!mur_multi_offers(t, key)) {
        return MUR_UNSUPPORTED;
    }
    uvec3 counter = mur_multi_key(t, key, 0u);
    MurTableRef slots = mur_multi_slots(t);
    uint status = MUR_INSERTED;
    uvec2 old;
    slot = mur_find_entry(slots, MUR_FORMAT_K64V32, counter, old);
    if (slot == MUR_NO_SLOT) {
        status = mur_insert_entry(slots, MUR_FORMAT_K64V32, counter, uvec2(n, 0u), MUR_MODE_ADD,
                                slot, old);
    } else if ((old.x & ~MUR_MULTI_HOLES) < min(mur_multi_room(t), MUR_MULTI_MOST)) {
        old.x = mur_apply_word(t, MUR_FORMAT_K64V32, slot, n, MUR_MODE_ADD);
    } else {
        mur_count(t, MUR_HEADER_FAILED_INSERTS, 1u);
        status = MUR_FULL;
    }
    first = old.x & ~MUR_MULTI_HOLES;
    return status == MUR_EXISTED ? MUR_INSERTED : status;
}

// Records in a key's counter that one of its ordinals has no value. slot: the counter's slot.
void mur_multi_note_hole(MurTableRef t, uint slot) {
    mur_apply_word(t, MUR_FORMAT_K64V32, slot, MUR_MULTI_HOLES, MUR_MODE_OR);
}

// Inserts the value of an allocated ordinal.
uint mur_multi_put(MurTableRef t, uvec2 key, uint ordinal, uint value, uint counterSlot) {
    uint status = MUR_FULL;
    if (ordinal < mur_multi_room(t)) {
        uint slot;
        status = mur_insert_entry(mur_multi_slots(t), MUR_FORMAT_K64V32,
                               mur_multi_key(t, key, ordinal + 1u), uvec2(~value, 0u),
                               MUR_MODE_INSERT, slot);
    } else {
        mur_count(t, MUR_HEADER_FAILED_INSERTS, 1u);
    }
    if (status == MUR_FULL) {
        mur_multi_note_hole(t, counterSlot);
    }
    return status;
}

// Adds a pair. Returns MUR_INSERTED, MUR_FULL, MUR_INVALID_VALUE (the value is 0xFFFFFFFF) or
// MUR_UNSUPPORTED. A value that the key already has is stored again.
uint mur_multi_insert(MurTableRef t, uvec2 key, uint value) {
    if (value == 0xFFFFFFFFu && mur_multi_offers(t, key)) {
        mur_count(t, MUR_HEADER_INVALID_VALUES, 1u);
        return MUR_INVALID_VALUE;
    }
    uint ordinal, slot;
    uint status = mur_multi_take(t, key, 1u, ordinal, slot);
    return status == MUR_INSERTED ? mur_multi_put(t, key, ordinal, value, slot) : status;
}

uint mur_multi_insert(MurTableRef t, uint key, uint value) {
    return mur_multi_insert(t, uvec2(key, 0u), value);
}

// Erases one copy of a pair. Returns MUR_ERASED, MUR_ABSENT or MUR_UNSUPPORTED. Visits the key's
// ordinals one after another.
uint mur_multi_erase(MurTableRef t, uvec2 key, uint value) {
    if (!mur_multi_offers(t, key)) {
        return MUR_UNSUPPORTED;
    }
    uint counterSlot = MUR_NO_SLOT;
    uint ordinals = 0u;
    for (uint index = 0u; index <= ordinals; ++index) { // reads the counter, then each value
        uint word;
        uint slot = mur_multi_lookup(t, key, index, word);
        if (index == 0u) {
            counterSlot = slot;
            ordinals = mur_multi_ordinals_in(t, word);
        } else if (slot != MUR_NO_SLOT && ~word == value &&
                   atomicCompSwap(MUR_SLOT_WORD(t, MUR_FORMAT_K64V32, slot, 2u), word, 0u) ==
                       word) {
            mur_multi_note_hole(t, counterSlot);
            return MUR_ERASED;
        }
    }
    return MUR_ABSENT;
}

uint mur_multi_erase(MurTableRef t, uint key, uint value) {
    return mur_multi_erase(t, uvec2(key, 0u), value);
}

// Erases entry {key, index}. Returns the entry's value word, or 0 if the entry was absent.
uint mur_multi_erase_word(MurTableRef t, uvec2 key, uint index) {
    uvec2 word = uvec2(0u);
    if (mur_multi_offers(t, key)) {
        uint slot;
        mur_erase_entry(mur_multi_slots(t), MUR_FORMAT_K64V32, mur_multi_key(t, key, index), false,
                        word, slot);
    }
    return word.x;
}

// Erases a key's counter. Returns the number of ordinals, whose values the caller must erase.
uint mur_multi_erase_counter(MurTableRef t, uvec2 key) {
    return mur_multi_ordinals_in(t, mur_multi_erase_word(t, key, 0u));
}

// Erases the values with ordinals first, first + step, ... below end. Returns their number.
uint mur_multi_erase_some(MurTableRef t, uvec2 key, uint first, uint end, uint step) {
    uint erased = 0u;
    for (uint ordinal = first; ordinal < end; ordinal += step) {
        erased += mur_multi_erase_word(t, key, ordinal + 1u) != 0u ? 1u : 0u;
    }
    return erased;
}

// Erases a key with all its values. Returns the number of erased values. Must not be concurrent
// with inserts and erases of the same key.
uint mur_multi_erase_key(MurTableRef t, uvec2 key) {
    uint ordinals = mur_multi_erase_counter(t, key);
    return mur_multi_erase_some(t, key, 0u, ordinals, 1u);
}

uint mur_multi_erase_key(MurTableRef t, uint key) {
    return mur_multi_erase_key(t, uvec2(key, 0u));
}
