// Murmuration: the lookup calls. key and value have the types of the table's.
//
//     mur_find(t, key, value)             Returns whether the key is in the table. value: the key's
//                                         value, or the table's empty value.
//     mur_find_slot(t, key, value)        Returns the key's slot, or MUR_NO_SLOT.
//     mur_find_slot(t, key)               The same, in every format with values and this type
//     mur_slot_entry(t, slot, key, value) Reads a slot. Returns true if it has an entry. For loops
//                                         over slots, and for slots from earlier calls.
//     mur_slot_value(t, slot)             Returns the 32-bit value in a slot, or the empty value.
//
// Calls for sets have a MurSetRef and no value: mur_find(s, key), mur_find_slot(s, key),
// mur_slot_entry(s, slot, key). Slots are stable: no insert, find or erase moves a key. So a slot
// can index payload arrays of slotCount + 1 elements, in sets slotCount + 2; the last elements are
// for the sentinel slots in the header.
// SPDX-License-Identifier: MIT

#define MUR_FIND_CALLS(format, Key, KEY, key_words, Value, VALUE, value_words)        \
    uint mur_find_slot(MurTableRef t, Key key, out Value value) {                     \
        uvec2 found;                                                                  \
        uint slot = mur_find_entry(t, format, uvec3(KEY, 0u), found);                 \
        value = found.value_words;                                                    \
        return slot;                                                                  \
    }                                                                                 \
    bool mur_find(MurTableRef t, Key key, out Value value) {                          \
        return mur_find_slot(t, key, value) != MUR_NO_SLOT;                           \
    }                                                                                 \
    bool mur_slot_entry(MurTableRef t, uint slot, out Key key, out Value value) {     \
        uvec3 words;                                                                  \
        uvec2 found;                                                                  \
        bool there = mur_slot_entry(t, format, slot, words, found);                   \
        key = words.key_words;                                                        \
        value = found.value_words;                                                    \
        return there;                                                                 \
    }
#define MUR_SET_FIND_CALLS(format, Key, KEY, key_words)                               \
    uint mur_find_slot(MurSetRef s, Key key) {                                        \
        uvec2 none;                                                                   \
        return mur_find_entry(s.table, format, uvec3(KEY, 0u), none);                 \
    }                                                                                 \
    bool mur_find(MurSetRef s, Key key) {                                             \
        return mur_find_slot(s, key) != MUR_NO_SLOT;                                  \
    }                                                                                 \
    bool mur_slot_entry(MurSetRef s, uint slot, out Key key) {                        \
        uvec3 words;                                                                  \
        uvec2 none;                                                                   \
        bool there = mur_slot_entry(s.table, format, slot, words, none);              \
        key = words.key_words;                                                        \
        return there;                                                                 \
    }
MUR_EACH_MAP(MUR_FIND_CALLS)
MUR_EACH_SET(MUR_SET_FIND_CALLS)

uint mur_find_slot(MurTableRef t, uint key) {
    uvec2 found;
    return mur_find_entry(t, MUR_FORMAT_K32V32, uvec3(key, 0u, 0u), found);
}

#ifdef MUR_KEYS_64
uint mur_find_slot(MurTableRef t, uvec2 key) {
    uvec2 found;
#ifdef MUR_VALUES_64
    if (mur_format(t) == MUR_FORMAT_K64V64) {
        return mur_find_entry(t, MUR_FORMAT_K64V64, uvec3(key, 0u), found);
    }
#endif
    return mur_find_entry(t, MUR_FORMAT_K64V32, uvec3(key, 0u), found);
}
#endif

uint mur_slot_value(MurTableRef t, uint slot) {
    uvec3 key;
    uvec2 found;
#ifdef MUR_KEYS_64
    if (mur_format(t) == MUR_FORMAT_K64V32) {
        mur_slot_entry(t, MUR_FORMAT_K64V32, slot, key, found);
        return found.x;
    }
#endif
    mur_slot_entry(t, MUR_FORMAT_K32V32, slot, key, found);
    return found.x;
}
