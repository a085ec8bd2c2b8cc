// Murmuration: the calls that write, except inserts of each mode by name (mode_calls.glsl). key,
// value and old have the types of the table's keys and values.
//
//     mur_insert_mode(t, key, value, mode, slot)
//     mur_insert_mode(t, key, value, mode, slot, old)
//
// Inserts by mode (MUR_MODE_*) and returns MUR_INSERTED, MUR_EXISTED, MUR_FULL (no slot within the
// probe limit; the table is unchanged), MUR_INVALID_VALUE (value is the table's empty value) or
// MUR_UNSUPPORTED (see mur_offers). MUR_MODE_UPDATE returns MUR_EXISTED, MUR_ABSENT, MUR_CONTENDED,
// MUR_INVALID_VALUE or MUR_UNSUPPORTED. slot: the key's slot, or MUR_NO_SLOT. old: the key's value
// before the call; the empty value if the key was absent or the call had no effect. Calls with old
// are not combined (MUR_SUBGROUP_COMBINE).
//
//     mur_erase(t, key, value, slot)
//     mur_erase(t, key)                 for every format with values and this type of key that the
//                                       shader supports
//
// Erases a key and returns MUR_ERASED, MUR_ABSENT or MUR_UNSUPPORTED. value: the erased value, or
// the empty value. slot: the erased key's slot, or MUR_NO_SLOT.
//
//     mur_insert(s, key), mur_insert(s, key, slot), mur_erase(s, key), mur_erase(s, key, slot)
//
// These calls are for sets; s is a MurSetRef.
// SPDX-License-Identifier: MIT

#define MUR_WRITE_CALLS(format, Key, KEY, key_words, Value, VALUE, value_words)                  \
    uint mur_insert_mode(MurTableRef t, Key key, Value value, uint mode, out uint slot,          \
                         out Value old) {                                                        \
        uvec2 there;                                                                             \
        uint status = mur_insert_entry(t, format, uvec3(KEY, 0u), VALUE, mode, slot, there);     \
        old = there.value_words;                                                                 \
        return status;                                                                           \
    }                                                                                            \
    uint mur_insert_mode(MurTableRef t, Key key, Value value, uint mode, out uint slot) {        \
        return mur_insert_entry(t, format, uvec3(KEY, 0u), VALUE, mode, slot);                   \
    }                                                                                            \
    uint mur_erase(MurTableRef t, Key key, out Value value, out uint slot) {                     \
        uvec2 there;                                                                             \
        uint status = mur_erase_entry(t, format, uvec3(KEY, 0u), false, there, slot);            \
        value = there.value_words;                                                               \
        return status;                                                                           \
    }
#define MUR_SET_WRITE_CALLS(format, Key, KEY, key_words)                                         \
    uint mur_insert(MurSetRef s, Key key, out uint slot) {                                       \
        return mur_insert_entry(s.table, format, uvec3(KEY, 0u), uvec2(0u), MUR_MODE_INSERT,     \
                                slot);                                                           \
    }                                                                                            \
    uint mur_insert(MurSetRef s, Key key) {                                                      \
        uint slot;                                                                               \
        return mur_insert(s, key, slot);                                                         \
    }                                                                                            \
    uint mur_erase(MurSetRef s, Key key, out uint slot) {                                        \
        uvec2 none;                                                                              \
        return mur_erase_entry(s.table, format, uvec3(KEY, 0u), false, none, slot);              \
    }                                                                                            \
    uint mur_erase(MurSetRef s, Key key) {                                                       \
        uint slot;                                                                               \
        return mur_erase(s, key, slot);                                                          \
    }
MUR_EACH_MAP(MUR_WRITE_CALLS)
MUR_EACH_SET(MUR_SET_WRITE_CALLS)

uint mur_erase(MurTableRef t, uint key) {
    uvec2 old;
    uint slot;
    return mur_erase_entry(t, MUR_FORMAT_K32V32, uvec3(key, 0u, 0u), false, old, slot);
}

#ifdef MUR_KEYS_64
uint mur_erase(MurTableRef t, uvec2 key) {
    uvec2 old;
    uint slot;
#ifdef MUR_VALUES_64
    if (mur_format(t) == MUR_FORMAT_K64V64) {
        return mur_erase_entry(t, MUR_FORMAT_K64V64, uvec3(key, 0u), false, old, slot);
    }
#endif
    return mur_erase_entry(t, MUR_FORMAT_K64V32, uvec3(key, 0u), false, old, slot);
}
#endif
