// Calls on single-value tables and on sets.
// SPDX-License-Identifier: MIT

uvec2 key_pair(uint key) {
    return uvec2(key, 0u);
}
uvec2 key_pair(uvec2 key) {
    return key;
}

Answer look_up(MurTableRef t, Call c) {
    Answer a = Answer(uvec2(0u), uvec2(0u), 0u, 0u);
    Key key = KEY(c.key);
#ifdef IS_SET
    switch (c.call) {
#ifdef MUR_READ_ONLY
    case CALL_FIND:
        a.status = mur_find(SET(t), key) ? 1u : 0u;
        break;
    case CALL_FIND_SLOT_BARE:
        a.slot = mur_find_slot(SET(t), key);
        break;
#else
    default:
        uint slot = mur_find_slot(SET(t), key);
        a.status = c.call == CALL_FIND && slot != MUR_NO_SLOT ? 1u : 0u;
        a.slot = c.call == CALL_FIND ? 0u : slot;
        break;
#endif
    case CALL_SLOT_ENTRY:
        a.status = mur_slot_entry(SET(t), c.slot, key) ? 1u : 0u;
        a.key = a.status != 0u ? key_pair(key) : uvec2(0u);
        break;
    }
#else
    Value value = VALUE(uvec2(0u));
    switch (c.call) {
#ifdef MUR_READ_ONLY
    case CALL_FIND:
        a.status = mur_find(t, key, value) ? 1u : 0u;
        break;
    case CALL_FIND_SLOT:
        a.slot = mur_find_slot(t, key, value);
        break;
    case CALL_FIND_SLOT_BARE:
        a.slot = mur_find_slot(t, key);
        break;
#else
    default:
        uint slot = mur_find_slot(t, key, value);
        a.status = c.call == CALL_FIND && slot != MUR_NO_SLOT ? 1u : 0u;
        a.slot = c.call == CALL_FIND ? 0u : slot;
        value = c.call == CALL_FIND_SLOT_BARE ? VALUE(uvec2(0u)) : value;
        break;
#endif
    case CALL_SLOT_ENTRY:
        a.status = mur_slot_entry(t, c.slot, key, value) ? 1u : 0u;
        a.key = a.status != 0u ? key_pair(key) : uvec2(0u);
        break;
    case CALL_SLOT_VALUE:
#if FORMAT < 2
        value = mur_slot_value(t, c.slot);
#else
        mur_slot_entry(t, c.slot, key, value);
#endif
        break;
    }
    a.value = PAIR(value);
#endif
    return a;
}

#ifndef MUR_READ_ONLY
#ifdef IS_SET
Answer write(MurTableRef t, Call c) {
    Answer a = Answer(uvec2(0u), uvec2(0u), 0u, 0u);
    Key key = KEY(c.key);
    uint slot = 0u;
    switch (c.call) {
    case CALL_BARE + MUR_MODE_INSERT:
#ifndef CALL_FEW
        a.status = mur_insert(SET(t), key);
        break;
#endif
    case CALL_MODE + MUR_MODE_INSERT:
        a.status = mur_insert(SET(t), key, slot);
        break;
    case CALL_ERASE_BARE:
#ifndef CALL_FEW
        a.status = mur_erase(SET(t), key);
        break;
#endif
    case CALL_ERASE:
        a.status = mur_erase(SET(t), key, slot);
        break;
    }
    a.slot = c.call == CALL_MODE + MUR_MODE_INSERT || c.call == CALL_ERASE ? slot : 0u;
    return a;
}
#else
#include "by_name.glsl"

Answer write(MurTableRef t, Call c) {
    Answer a = Answer(uvec2(0u), uvec2(0u), 0u, 0u);
    Key key = KEY(c.key);
    Value value = VALUE(c.value);
    if (c.call <= CALL_INSERT_MODE) {
        Value old;
        uint mode = c.call == CALL_INSERT_MODE ? c.mode : (c.call - CALL_MODE) % CALL_MODES;
        a.status = insert_by_name(c.call, mode, t, key, value, a.slot, old);
        a.value = PAIR(old);
        return a;
    }
    switch (c.call) {
#ifndef CALL_FEW
    case CALL_ERASE_BARE:
        a.status = mur_erase(t, key);
        break;
#endif
    default:
        uint slot;
        a.status = mur_erase(t, key, value, slot);
        if (c.call == CALL_ERASE) {
            a.value = PAIR(value);
            a.slot = slot;
        }
        break;
    case CALL_SLOT_EXCHANGE:
        a.value = PAIR(mur_slot_exchange(t, c.slot, value));
        break;
    case CALL_SLOT_COMPARE_EXCHANGE:
        Value compare = VALUE(c.value ^ uvec2(1u, 0u));
        if ((c.mode & 1u) != 0u) {
            mur_slot_entry(t, c.slot, key, compare);
        }
        a.value = PAIR(mur_slot_compare_exchange(t, c.slot, compare, value));
        break;
    }
    return a;
}
#endif
#endif

Answer make_call(MurTableRef t, Call c) {
#ifndef MUR_READ_ONLY
    if (c.call >= CALL_LOOKUPS) {
        return write(t, c);
    }
#endif
    return look_up(t, c);
}
