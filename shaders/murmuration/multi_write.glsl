// Murmuration: many values a key, changes.
//
// Why no pair is lost: an insert's ordinals are its own, because the counter grows by one atomic,
// so that its slot is touched by no other insert; and the counter covers them before the values are
// there. A value appears, and disappears, by one atomic on its own word, so of several erasers of a
// pair each takes another of its copies. Only when a key is erased does the counter go back, hence
// that wants the key to itself.
//
// SPDX-License-Identifier: MIT

// Takes n ordinals of a key: MUR_INSERTED and the first of them, or why there are none. slot: the
// counter's. Looks first: a counter that every refused insert raised would come round to 0 one day,
// and the key's values would be lost. What runs at the same time may raise it a little further.
uint mur_multi_take(MurTableRef t, uint key, uint n, out uint first, out uint slot) {
    const uint format = MUR_FORMAT_K64V32;
    uint status = MUR_INSERTED;
    uvec2 old = uvec2(0u);
    slot = mur_offers_of(t, format, MUR_MODE_ADD) ? mur_lookup(t, format, uvec2(key, 0u), old)
                                                  : MUR_NO_SLOT;
    if (slot == MUR_NO_SLOT) {
        status = mur_insert_old(t, format, uvec2(key, 0u), uvec2(n, 0u), MUR_MODE_ADD, slot, old);
    } else if ((old.x & ~MUR_MULTI_HOLES) < min(t.slotCount, MUR_MULTI_MOST)) {
        old.x = mur_update_word(t, slot, n, MUR_MODE_ADD);
    } else {
        mur_count(t, MUR_HEADER_FULL);
        status = MUR_FULL;
    }
    first = old.x & ~MUR_MULTI_HOLES;
    return status == MUR_EXISTED ? MUR_INSERTED : status;
}

// An ordinal of the key whose counter is in this slot has no value.
void mur_multi_note_hole(MurTableRef t, uint slot) {
    mur_update_word(t, slot, MUR_MULTI_HOLES, MUR_MODE_OR);
}

// Gives an ordinal that was taken its value.
uint mur_multi_put(MurTableRef t, uint key, uint ordinal, uint value, uint counterSlot) {
    uint status = MUR_FULL;
    if (ordinal < t.slotCount) {
        uint slot;
        status = mur_insert_of(t, MUR_FORMAT_K64V32, uvec2(key, ordinal + 1u), uvec2(~value, 0u),
                               MUR_MODE_KEEP, slot);
    } else {
        mur_count(t, MUR_HEADER_FULL);
    }
    if (status == MUR_FULL) {
        mur_multi_note_hole(t, counterSlot);
    }
    return status;
}

// Gives a key one more value: MUR_INSERTED, MUR_FULL, MUR_REFUSED (the value is 0xFFFFFFFF) or
// MUR_UNSUPPORTED. A key that has the value already has it twice then.
uint mur_multi_insert(MurTableRef t, uint key, uint value) {
    if (value == 0xFFFFFFFFu && mur_offers_of(t, MUR_FORMAT_K64V32, MUR_MODE_ADD)) {
        mur_count(t, MUR_HEADER_REFUSED);
        return MUR_REFUSED;
    }
    uint ordinal, slot;
    uint status = mur_multi_take(t, key, 1u, ordinal, slot);
    return status == MUR_INSERTED ? mur_multi_put(t, key, ordinal, value, slot) : status;
}

// Erases a pair: MUR_ERASED, MUR_ABSENT or MUR_UNSUPPORTED. Of several copies of it, one. Looks at
// the key's ordinals one after another.
uint mur_multi_erase(MurTableRef t, uint key, uint value) {
    if (!mur_offers_of(t, MUR_FORMAT_K64V32, MUR_MODE_ADD)) {
        return MUR_UNSUPPORTED;
    }
    uvec2 counter, word;
    uint counterSlot = mur_lookup(t, MUR_FORMAT_K64V32, uvec2(key, 0u), counter);
    uint end = mur_multi_ordinals_in(t, counter.x);
    for (uint ordinal = 0u; ordinal < end; ++ordinal) {
        uint slot = mur_lookup(t, MUR_FORMAT_K64V32, uvec2(key, ordinal + 1u), word);
        if (slot != MUR_NO_SLOT && ~word.x == value &&
            atomicCompSwap(MUR_FORMAT_WORD(t, MUR_FORMAT_K64V32, slot, 2u), word.x, 0u) ==
                word.x) {
            mur_multi_note_hole(t, counterSlot);
            return MUR_ERASED;
        }
    }
    return MUR_ABSENT;
}

// Takes a key's counter away; the number of ordinals whose values are to be erased, and whether the
// key was there at all.
bool mur_multi_erase_counter(MurTableRef t, uint key, out uint ordinals) {
    uvec2 counter;
    uint slot;
    uint status = mur_erase_of(t, MUR_FORMAT_K64V32, uvec2(key, 0u), counter, slot);
    ordinals = status == MUR_ERASED ? mur_multi_ordinals_in(t, counter.x) : 0u;
    return status == MUR_ERASED;
}

// Erases the values from ordinal first on, in steps; returns how many there were.
uint mur_multi_erase_some(MurTableRef t, uint key, uint first, uint end, uint step) {
    uint erased = 0u;
    for (uint ordinal = first; ordinal < end; ordinal += step) {
        uvec2 word;
        uint slot;
        erased += mur_erase_of(t, MUR_FORMAT_K64V32, uvec2(key, ordinal + 1u), word, slot) ==
                          MUR_ERASED
                      ? 1u
                      : 0u;
    }
    return erased;
}

// Erases a key with all its values; returns how many it had. Not beside inserts and erases of the
// same key.
uint mur_multi_erase_key(MurTableRef t, uint key) {
    uint ordinals;
    return mur_multi_erase_counter(t, key, ordinals)
               ? mur_multi_erase_some(t, key, 0u, ordinals, 1u)
               : 0u;
}
