// Murmuration: the calls that write, in HLSL.
//
// SPDX-License-Identifier: MIT

uint mur_insert_mode(MUR_BUFFER table, MurTableRef t, uint key, uint value, uint mode,
                     out uint slot, out uint old) {
    return mur_insert_of(table, t, MUR_FORMAT_K32V32, uint2(key, 0u), value, mode, slot, old);
}

uint mur_erase(MUR_BUFFER table, MurTableRef t, uint key, out uint value, out uint slot) {
    return mur_erase_of(table, t, MUR_FORMAT_K32V32, uint2(key, 0u), value, slot);
}

// Of sets, too.
uint mur_erase(MUR_BUFFER table, MurTableRef t, uint key) {
    uint value, slot;
#ifdef MUR_SETS
    if (mur_format(t) == MUR_FORMAT_K32) {
        return mur_erase_of(table, t, MUR_FORMAT_K32, uint2(key, 0u), value, slot);
    }
#endif
    return mur_erase(table, t, key, value, slot);
}

// Of K64V32, too. As in slot_write.glsl.
uint mur_slot_exchange(MUR_BUFFER table, MurTableRef t, uint slot, uint value) {
#ifdef MUR_KEYS_64
    if (mur_slot_is_claimed(table, t, MUR_FORMAT_K64V32, slot)) {
        return mur_update_value(table, t, MUR_FORMAT_K64V32, slot, value, MUR_MODE_ASSIGN);
    }
#endif
    if (mur_slot_is_claimed(table, t, MUR_FORMAT_K32V32, slot)) {
        return mur_update_value(table, t, MUR_FORMAT_K32V32, slot, value, MUR_MODE_ASSIGN);
    }
    return mur_no_value(t);
}

uint mur_slot_compare_exchange(MUR_BUFFER table, MurTableRef t, uint slot, uint compare,
                               uint value) {
    if (compare == mur_no_value(t)) {
        return compare;
    }
#ifdef MUR_KEYS_64
    if (mur_slot_is_claimed(table, t, MUR_FORMAT_K64V32, slot)) {
        return mur_swap(table, mur_value_at(t, MUR_FORMAT_K64V32, slot), compare, value);
    }
#endif
    if (mur_slot_is_claimed(table, t, MUR_FORMAT_K32V32, slot)) {
        return mur_swap(table, mur_value_at(t, MUR_FORMAT_K32V32, slot), compare, value);
    }
    return mur_no_value(t);
}

#ifdef MUR_KEYS_64
uint mur_insert_mode(MUR_BUFFER table, MurTableRef t, uint2 key, uint value, uint mode,
                     out uint slot, out uint old) {
    return mur_insert_of(table, t, MUR_FORMAT_K64V32, key, value, mode, slot, old);
}

uint mur_erase(MUR_BUFFER table, MurTableRef t, uint2 key, out uint value, out uint slot) {
    return mur_erase_of(table, t, MUR_FORMAT_K64V32, key, value, slot);
}

uint mur_erase(MUR_BUFFER table, MurTableRef t, uint2 key) {
    uint value, slot;
    return mur_erase_of(table, t, MUR_FORMAT_K64V32, key, value, slot);
}
#endif

#ifdef MUR_SETS
uint mur_insert_slot(MUR_BUFFER table, MurTableRef t, uint key, out uint slot) {
    uint old;
    return mur_insert_of(table, t, MUR_FORMAT_K32, uint2(key, 0u), 0u, MUR_MODE_KEEP, slot, old);
}

uint mur_insert(MUR_BUFFER table, MurTableRef t, uint key) {
    uint slot;
    return mur_insert_slot(table, t, key, slot);
}

uint mur_erase_slot(MUR_BUFFER table, MurTableRef t, uint key, out uint slot) {
    uint value;
    return mur_erase_of(table, t, MUR_FORMAT_K32, uint2(key, 0u), value, slot);
}
#endif

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
#define MUR_MODE_CALLS(Key)                         \
    MUR_MODE_CALL(mur_insert, MUR_MODE_KEEP, Key)   \
    MUR_MODE_CALL(mur_upsert, MUR_MODE_ASSIGN, Key) \
    MUR_MODE_CALL(mur_update, MUR_MODE_UPDATE, Key) \
    MUR_MODE_CALL(mur_add, MUR_MODE_ADD, Key)       \
    MUR_MODE_CALL(mur_min, MUR_MODE_MIN, Key)       \
    MUR_MODE_CALL(mur_max, MUR_MODE_MAX, Key)       \
    MUR_MODE_CALL(mur_or, MUR_MODE_OR, Key)

MUR_MODE_CALLS(uint)
#ifdef MUR_KEYS_64
MUR_MODE_CALLS(uint2)
#endif
