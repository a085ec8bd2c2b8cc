// Murmuration: multi-value tables, with many values per key. A key's values have ordinals, 0, 1,
// ..., in the order of their inserts. The ordinal of an erased value stays empty until the key is
// erased. Every key is legal, and every value except 0xFFFFFFFF.
//
// Keys are uint or, in tables of MUR_FORMAT_K64V32_MULTI, uvec2, low word first. In these tables a
// uint is a key with the high word 0. In tables of 32-bit keys, a uvec2 with another high word is
// never found, and its insert returns MUR_UNSUPPORTED.
//
// All loops over ordinals are bounded: a key has no more ordinals than the table has slots.
// SPDX-License-Identifier: MIT

bool mur_multi_is_wide(MurTableRef t) {
    return mur_format(t) == MUR_FORMAT_K64V32_MULTI;
}

// Is this a multi-value table that can store the key?
bool mur_multi_takes(MurTableRef t, uvec2 key) {
    return (t.flags & MUR_TABLE_ZERO) != 0u &&
           (mur_multi_is_wide(t) || (mur_format(t) == MUR_FORMAT_K64V32 && key.y == 0u));
}

// Returns the table's reference as a K64V32 table with one value per key.
MurTableRef mur_multi_slots(MurTableRef t) {
    t.flags &= MUR_TABLE_INT64 | MUR_TABLE_ZERO;
    t.flags |= MUR_FORMAT_K64V32 << MUR_TABLE_FORMAT_SHIFT;
    return t;
}

// Returns the key of entry {key, index}. Index 0: the number of ordinals; 1 + ordinal: a value.
uvec3 mur_multi_key(MurTableRef t, uvec2 key, uint index) {
    return mur_multi_is_wide(t) ? uvec3(key, index + 1u) : uvec3(key.x, index, 0u);
}

// Returns the slot of entry {key, index}, or MUR_NO_SLOT. word: the entry's value word, or 0.
uint mur_multi_lookup(MurTableRef t, uvec2 key, uint index, out uint word) {
    uvec2 found;
    word = 0u;
    if (!mur_multi_takes(t, key)) {
        return MUR_NO_SLOT;
    }
    uvec3 entry = mur_multi_key(t, key, index);
    uint slot = mur_find_entry(mur_multi_slots(t), MUR_FORMAT_K64V32, entry, found);
    word = found.x;
    return slot;
}

uint mur_multi_word(MurTableRef t, uvec2 key, uint index) {
    uint word;
    mur_multi_lookup(t, key, index, word);
    return word;
}

// Returns the largest number of values of one key that can have ordinals.
uint mur_multi_room(MurTableRef t) {
    return mur_multi_is_wide(t) ? min(t.slotCount, MUR_MULTI_MOST_64) : t.slotCount;
}

uint mur_multi_ordinals_in(MurTableRef t, uint counter) {
    return min(counter & ~MUR_MULTI_HOLES, mur_multi_room(t));
}

// Reads the value with this ordinal. Returns false, and 0xFFFFFFFF, if there is none.
bool mur_multi_get(MurTableRef t, uvec2 key, uint ordinal, out uint value) {
    value = ~mur_multi_word(t, key, ordinal + 1u);
    return value != 0xFFFFFFFFu;
}

bool mur_multi_get(MurTableRef t, uint key, uint ordinal, out uint value) {
    return mur_multi_get(t, uvec2(key, 0u), ordinal, value);
}

// Returns the number of ordinals of the key; all its values have lower ordinals. The result is the
// number of values, unless some were erased or did not fit.
uint mur_multi_ordinals(MurTableRef t, uvec2 key) {
    return mur_multi_ordinals_in(t, mur_multi_word(t, key, 0u));
}

uint mur_multi_ordinals(MurTableRef t, uint key) {
    return mur_multi_ordinals(t, uvec2(key, 0u));
}

// Counts the values with ordinals first, first + step, ... below end.
uint mur_multi_count_some(MurTableRef t, uvec2 key, uint first, uint end, uint step) {
    uint count = 0u;
    for (uint ordinal = first; ordinal < end; ordinal += step) {
        uint value;
        count += mur_multi_get(t, key, ordinal, value) ? 1u : 0u;
    }
    return count;
}

// Returns the number of values of the key. Takes one lookup. If values were erased or did not fit,
// also takes one lookup per ordinal.
uint mur_multi_count(MurTableRef t, uvec2 key) {
    uint counter = mur_multi_word(t, key, 0u);
    uint ordinals = mur_multi_ordinals_in(t, counter);
    return (counter & MUR_MULTI_HOLES) == 0u ? ordinals
                                             : mur_multi_count_some(t, key, 0u, ordinals, 1u);
}

uint mur_multi_count(MurTableRef t, uint key) {
    return mur_multi_count(t, uvec2(key, 0u));
}

// A cursor visits all values of a key:
//
//     MurMultiCursor cursor = mur_multi_begin(table, key);
//     for (uint value; mur_multi_next(table, cursor, value);) ...
struct MurMultiCursor {
    uvec2 key;
    uint ordinal; // ordinal of the next value
    uint end;
};

MurMultiCursor mur_multi_begin(MurTableRef t, uvec2 key) {
    return MurMultiCursor(key, 0u, mur_multi_ordinals(t, key));
}

MurMultiCursor mur_multi_begin(MurTableRef t, uint key) {
    return mur_multi_begin(t, uvec2(key, 0u));
}

// Reads the next value of a cursor's key. Returns false if there are no more values.
bool mur_multi_next(MurTableRef t, inout MurMultiCursor cursor, out uint value) {
    value = 0xFFFFFFFFu;
    while (cursor.ordinal < cursor.end) {
        bool there = mur_multi_get(t, cursor.key, cursor.ordinal, value);
        ++cursor.ordinal;
        if (there) {
            return true;
        }
    }
    return false;
}

// Reads the key's oldest value. Returns false, and 0xFFFFFFFF, if there is none. Takes one lookup
// if the value with ordinal 0 is present, two if the key is absent.
bool mur_multi_find(MurTableRef t, uvec2 key, out uint value) {
    uint ordinals = 1u;
    for (uint i = 0u; i <= ordinals; ++i) { // reads ordinal 0, then the number, then the rest
        uint word = mur_multi_word(t, key, i == 0u ? 1u : i == 1u ? 0u : i);
        if (i == 1u) {
            ordinals = mur_multi_ordinals_in(t, word);
        } else if (word != 0u) {
            value = ~word;
            return true;
        }
    }
    value = 0xFFFFFFFFu;
    return false;
}

bool mur_multi_find(MurTableRef t, uint key, out uint value) {
    return mur_multi_find(t, uvec2(key, 0u), value);
}
