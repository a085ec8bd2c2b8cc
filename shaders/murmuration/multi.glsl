// Murmuration: many values a key, in tables made by murCreateMultiTable. A key's values are
// numbered by ordinals, 0, 1, ..., in the order in which they were inserted; ordinals whose value
// was erased stay empty until the key is erased. Every key is legal, and every value but
// 0xFFFFFFFF.
//
// Loops over ordinals are bounded by the number of slots: no more are given out.
//
// SPDX-License-Identifier: MIT

// The word of {key, index}: index 0 is the number of ordinals, 1 + ordinal a value. 0: none.
uint mur_multi_word(MurTableRef t, uint key, uint index) {
    uvec2 word;
    if ((t.flags & MUR_TABLE_ZERO) == 0u) {
        return 0u; // not such a table
    }
    mur_lookup(t, MUR_FORMAT_K64V32, uvec2(key, index), word);
    return word.x;
}

uint mur_multi_ordinals_in(MurTableRef t, uint counter) {
    return min(counter & ~MUR_MULTI_HOLES, t.slotCount);
}

// The value with this ordinal, if the key has one; otherwise 0xFFFFFFFF.
bool mur_multi_get(MurTableRef t, uint key, uint ordinal, out uint value) {
    value = ~mur_multi_word(t, key, ordinal + 1u);
    return value != 0xFFFFFFFFu;
}

// Ordinals given out to the key: its values have ordinals below this. As many values as the key
// has, unless some were erased or did not fit.
uint mur_multi_ordinals(MurTableRef t, uint key) {
    return mur_multi_ordinals_in(t, mur_multi_word(t, key, 0u));
}

// Values from ordinal first on, in steps.
uint mur_multi_count_some(MurTableRef t, uint key, uint first, uint end, uint step) {
    uint count = 0u;
    for (uint ordinal = first; ordinal < end; ordinal += step) {
        uint value;
        count += mur_multi_get(t, key, ordinal, value) ? 1u : 0u;
    }
    return count;
}

// How many values the key has. One lookup, unless some were erased or did not fit: then one for
// each ordinal besides.
uint mur_multi_count(MurTableRef t, uint key) {
    uint counter = mur_multi_word(t, key, 0u);
    uint ordinals = mur_multi_ordinals_in(t, counter);
    return (counter & MUR_MULTI_HOLES) == 0u ? ordinals
                                             : mur_multi_count_some(t, key, 0u, ordinals, 1u);
}

// Visiting all values of a key:
//
//     MurMultiCursor cursor = mur_multi_begin(table, key);
//     for (uint value; mur_multi_next(table, cursor, value);) ...
struct MurMultiCursor {
    uint key;
    uint ordinal; // the next
    uint end;
};

MurMultiCursor mur_multi_begin(MurTableRef t, uint key) {
    return MurMultiCursor(key, 0u, mur_multi_ordinals(t, key));
}

// The next value; false: there is none any more.
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

// The key's first value, if it has any; otherwise 0xFFFFFFFF. One lookup if the first one inserted
// is there, two if the key is absent.
bool mur_multi_find(MurTableRef t, uint key, out uint value) {
    if (mur_multi_get(t, key, 0u, value)) {
        return true;
    }
    MurMultiCursor cursor = mur_multi_begin(t, key);
    cursor.ordinal = 1u;
    return mur_multi_next(t, cursor, value);
}
