// Murmuration: the calls that write, in HLSL.
// SPDX-License-Identifier: MIT

#define MUR_WRITE_CALLS(format, Key, KEY, key_words, Value, VALUE, value_words)                  \
    uint mur_insert_mode(MUR_BUFFER table, MurTableRef t, Key key, uint value, uint mode,        \
                         out uint slot, out uint old) {                                          \
        return mur_insert_of(table, t, format, KEY, value, mode, slot, old);                     \
    }                                                                                            \
    uint mur_erase(MUR_BUFFER table, MurTableRef t, Key key, out uint value, out uint slot) {    \
        return mur_erase_of(table, t, format, KEY, value, slot);                                 \
    }                                                                                            \
    uint mur_erase(MUR_BUFFER table, MurTableRef t, Key key) {                                   \
        uint value, slot;                                                                        \
        return mur_erase_of(table, t, format, KEY, value, slot);                                 \
    }
#define MUR_SET_WRITE_CALLS(format, Key, KEY, key_words)                                         \
    uint mur_insert(MUR_BUFFER table, MurSetRef s, Key key, out uint slot) {                     \
        uint old;                                                                                \
        return mur_insert_of(table, s.table, format, KEY, 0u, MUR_MODE_INSERT, slot, old);         \
    }                                                                                            \
    uint mur_insert(MUR_BUFFER table, MurSetRef s, Key key) {                                    \
        uint slot;                                                                               \
        return mur_insert(table, s, key, slot);                                                  \
    }                                                                                            \
    uint mur_erase(MUR_BUFFER table, MurSetRef s, Key key, out uint slot) {                      \
        uint value;                                                                              \
        return mur_erase_of(table, s.table, format, KEY, value, slot);                           \
    }                                                                                            \
    uint mur_erase(MUR_BUFFER table, MurSetRef s, Key key) {                                     \
        uint slot;                                                                               \
        return mur_erase(table, s, key, slot);                                                   \
    }
MUR_EACH_MAP(MUR_WRITE_CALLS)
MUR_EACH_SET(MUR_SET_WRITE_CALLS)

// Resets the age of a slot if its new value is the empty value, which erases the entry.
void mur_forget_value(MUR_BUFFER table, MurTableRef t, uint slot, uint value) {
    if (value == mur_empty_value(t)) {
        mur_touch(table, t, slot, MUR_AGE_UNTOUCHED);
    }
}

// The slot calls of slot_write.glsl, for both formats with values: K32V32 and K64V32.
uint mur_slot_exchange(MUR_BUFFER table, MurTableRef t, uint slot, uint value) {
    uint old = mur_empty_value(t);
    if (mur_slot_is_claimed(table, t, slot)) {
        old = mur_update_value(table, t, mur_format(t), slot, value, MUR_MODE_ASSIGN);
        mur_forget_value(table, t, slot, value);
    }
    return old;
}

uint mur_slot_compare_exchange(MUR_BUFFER table, MurTableRef t, uint slot, uint compare,
                               uint value) {
    uint old = mur_empty_value(t);
    if (compare != old && mur_slot_is_claimed(table, t, slot)) {
        old = mur_swap(table, mur_value_at(t, mur_format(t), slot), compare, value);
        mur_forget_value(table, t, slot, old == compare ? value : compare);
    }
    return old;
}

// ---- Inserts of each mode by name, as in mode_calls.glsl.

#define MUR_MODE_CALL(name, mode, Key)                                                      \
    uint name(MUR_BUFFER table, MurTableRef t, Key key, uint value, out uint slot,         \
              out uint old) {                                                               \
        return mur_insert_mode(table, t, key, value, mode, slot, old);                     \
    }                                                                                       \
    uint name(MUR_BUFFER table, MurTableRef t, Key key, uint value, out uint slot) {       \
        uint old;                                                                           \
        return mur_insert_mode(table, t, key, value, mode, slot, old);                     \
    }                                                                                       \
    uint name(MUR_BUFFER table, MurTableRef t, Key key, uint value) {                      \
        uint slot, old;                                                                     \
        return mur_insert_mode(table, t, key, value, mode, slot, old);                     \
    }
#define MUR_MODE_CALLS(format, Key, KEY, key_words, Value, VALUE, value_words) \
    MUR_MODE_CALL(mur_insert, MUR_MODE_INSERT, Key)                            \
    MUR_MODE_CALL(mur_assign, MUR_MODE_ASSIGN, Key)                            \
    MUR_MODE_CALL(mur_update, MUR_MODE_UPDATE, Key)                            \
    MUR_MODE_CALL(mur_add, MUR_MODE_ADD, Key)                                  \
    MUR_MODE_CALL(mur_min, MUR_MODE_MIN, Key)                                  \
    MUR_MODE_CALL(mur_max, MUR_MODE_MAX, Key)                                  \
    MUR_MODE_CALL(mur_or, MUR_MODE_OR, Key)
MUR_EACH_MAP(MUR_MODE_CALLS)
