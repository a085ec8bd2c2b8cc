// Murmuration: inserts of each mode by name, in formats with values. key, value and old have the
// types of the table's keys and values. Each call has three overloads:
//
//     mur_insert(t, key, value)
//     mur_insert(t, key, value, slot)         slot: the slot of the key
//     mur_insert(t, key, value, slot, old)    old: the key's value before the call
//
// Statuses and outputs are those of mur_insert_mode (calls.glsl).
//
//   mur_insert   Finds or inserts: an existing key keeps its value. Most graphics code needs this
//                call: the slot indexes payload arrays of slotCount + 1 elements, MUR_INSERTED
//                selects one invocation that initializes the payload, and for an existing key it
//                costs as much as a lookup.
//   mur_assign   Inserts or replaces.
//   mur_update   Replaces the value; an absent key stays absent, and uses no slot.
//   mur_min      Inserts or accumulates; the empty value must be 0xFFFFFFFF.
//   mur_add, mur_max, mur_or   Insert or accumulate; the empty value must be 0.
// SPDX-License-Identifier: MIT

#define MUR_MODE_CALL(name, mode, Key, Value)                                             \
    uint name(MurTableRef t, Key key, Value value, out uint slot, out Value old) {        \
        return mur_insert_mode(t, key, value, mode, slot, old);                           \
    }                                                                                     \
    uint name(MurTableRef t, Key key, Value value, out uint slot) {                       \
        return mur_insert_mode(t, key, value, mode, slot);                                \
    }                                                                                     \
    uint name(MurTableRef t, Key key, Value value) {                                      \
        uint slot;                                                                        \
        return mur_insert_mode(t, key, value, mode, slot);                                \
    }
#define MUR_MODE_CALLS(format, Key, KEY, key_words, Value, VALUE, value_words) \
    MUR_MODE_CALL(mur_insert, MUR_MODE_INSERT, Key, Value)                     \
    MUR_MODE_CALL(mur_assign, MUR_MODE_ASSIGN, Key, Value)                     \
    MUR_MODE_CALL(mur_update, MUR_MODE_UPDATE, Key, Value)                     \
    MUR_MODE_CALL(mur_add, MUR_MODE_ADD, Key, Value)                           \
    MUR_MODE_CALL(mur_min, MUR_MODE_MIN, Key, Value)                           \
    MUR_MODE_CALL(mur_max, MUR_MODE_MAX, Key, Value)                           \
    MUR_MODE_CALL(mur_or, MUR_MODE_OR, Key, Value)
MUR_EACH_MAP(MUR_MODE_CALLS)
