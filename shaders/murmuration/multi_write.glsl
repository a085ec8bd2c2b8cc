// Murmuration: many values a key, changes.
//
// Why no pair is lost: an insert's ordinals are its own, because the counter grows by one atomic,
// so that its slot is touched by no other insert; and the counter covers them before the values are
// there. A value appears, and disappears, by one atomic on its own word, so of several erasers of a
// pair each takes another of its copies. Only when a key is erased does the counter go back, hence
// that requires exclusive access to the key.
//
// SPDX-License-Identifier: MIT

bool mur_multi_offers(MurTableRef t, uvec2 key) {
    return mur_multi_takes(t, key) &&
           mur_offers(mur_multi_slots(t), MUR_FORMAT_K64V32, MUR_MODE_ADD);
}

// Takes n ordinals of a key: MUR_INSERTED and the first of them, or why there are none. slot: the
// counter's. Reads first: a counter that every rejected insert raised would eventually wrap to 0,
// and the key's values would be lost. Concurrent inserts may raise it a little further.
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

// An ordinal of the key whose counter is in this slot has no value.
void mur_multi_note_hole(MurTableRef t, uint slot) {
    mur_apply_word(t, MUR_FORMAT_K64V32, slot, MUR_MULTI_HOLES, MUR_MODE_OR);
}

// Gives an ordinal that was taken its value.
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

// Gives a key one more value: MUR_INSERTED, MUR_FULL, MUR_INVALID_VALUE (the value is 0xFFFFFFFF)
// or MUR_UNSUPPORTED. A key that has the value already has it twice then.
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

// Erases a pair: MUR_ERASED, MUR_ABSENT or MUR_UNSUPPORTED. Of several copies of it, one. Looks at
// the key's ordinals one after another.
uint mur_multi_erase(MurTableRef t, uvec2 key, uint value) {
    if (!mur_multi_offers(t, key)) {
        return MUR_UNSUPPORTED;
    }
    uint counterSlot = MUR_NO_SLOT;
    uint ordinals = 0u;
    for (uint index = 0u; index <= ordinals; ++index) { // how many there are, then each
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

// Takes {key, index} away: its word; 0: it was not there.
uint mur_multi_erase_word(MurTableRef t, uvec2 key, uint index) {
    uvec2 word = uvec2(0u);
    if (mur_multi_offers(t, key)) {
        uint slot;
        mur_erase_entry(mur_multi_slots(t), MUR_FORMAT_K64V32, mur_multi_key(t, key, index), false,
                        word, slot);
    }
    return word.x;
}

// Takes a key's counter away; the number of ordinals whose values are to be erased.
uint mur_multi_erase_counter(MurTableRef t, uvec2 key) {
    return mur_multi_ordinals_in(t, mur_multi_erase_word(t, key, 0u));
}

// Erases the values from ordinal first on, in steps; returns how many there were.
uint mur_multi_erase_some(MurTableRef t, uvec2 key, uint first, uint end, uint step) {
    uint erased = 0u;
    for (uint ordinal = first; ordinal < end; ordinal += step) {
        erased += mur_multi_erase_word(t, key, ordinal + 1u) != 0u ? 1u : 0u;
    }
    return erased;
}

// Erases a key with all its values; returns how many it had. Not concurrent with inserts and erases
// of the same key.
uint mur_multi_erase_key(MurTableRef t, uvec2 key) {
    uint ordinals = mur_multi_erase_counter(t, key);
    return mur_multi_erase_some(t, key, 0u, ordinals, 1u);
}

uint mur_multi_erase_key(MurTableRef t, uint key) {
    return mur_multi_erase_key(t, uvec2(key, 0u));
}
