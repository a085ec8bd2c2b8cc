// Murmuration: inserts of each mode by name, in formats with values; types are those of the table's
// keys and values. Each comes with three sets of outputs:
//
//     mur_insert(t, key, value)             slot: where the key lives
//     mur_insert(t, key, value, slot)       old:  the value that was there before
//     mur_insert(t, key, value, slot, old)
//
// Statuses and outputs are those of mur_insert_mode (calls.glsl).
//
//   mur_insert   Find or insert: an existing key keeps its value. The call most graphics code
//                needs: the slot indexes payload arrays of slotCount + 1 elements, MUR_INSERTED
//                marks the one invocation that should set the payload up, and an existing key costs
//                a lookup.
//   mur_assign   Insert or replace.
//   mur_update   Replace; an absent key stays absent, and takes no slot.
//   mur_min      Insert or accumulate, where 0xFFFFFFFF is the empty value.
//   mur_add, mur_max, mur_or   The same, where 0 is.
//
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
#define MUR_MODE_CALLS(Key, Value)                         \
    MUR_MODE_CALL(mur_insert, MUR_MODE_INSERT, Key, Value)   \
    MUR_MODE_CALL(mur_assign, MUR_MODE_ASSIGN, Key, Value) \
    MUR_MODE_CALL(mur_update, MUR_MODE_UPDATE, Key, Value) \
    MUR_MODE_CALL(mur_add, MUR_MODE_ADD, Key, Value)       \
    MUR_MODE_CALL(mur_min, MUR_MODE_MIN, Key, Value)       \
    MUR_MODE_CALL(mur_max, MUR_MODE_MAX, Key, Value)       \
    MUR_MODE_CALL(mur_or, MUR_MODE_OR, Key, Value)

MUR_MODE_CALLS(uint, uint)
#ifdef MUR_KEYS_64
MUR_MODE_CALLS(uvec2, uint)
#endif
#ifdef MUR_VALUES_64
MUR_MODE_CALLS(uvec2, uvec2)
#endif
