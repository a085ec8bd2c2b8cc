// The calls named after modes, for tests that make all of them. Each real call inlines a whole
// insert, which slows down compilers. This file therefore includes the text of the calls
// (mode_calls.glsl) a second time with a replaced mur_insert_mode, which records its arguments.
// insert_by_name then makes the recorded call once for all modes. Include this file after
// murmuration.glsl. The includer defines Key and Value, the types of the table's keys and values,
// and KEY and VALUE, which create them from pairs of 32-bit words.
// SPDX-License-Identifier: MIT
#include "calls.h"

struct Told {
    MurTableRef table;
    uvec2 key, value;
    uint mode;
    bool old; // true if the recorded call is the overload that returns the previous value
};
Told told;
const uint TOLD_STATUS = 0x70D1u, TOLD_SLOT = 0x70D2u, TOLD_OLD = 0x70D3u;

#define TELL(Key, Value, key, value)                                                             \
    uint tell_mode(MurTableRef t, Key k, Value v, uint mode, out uint slot) {                    \
        told = Told(t, key, value, mode, false);                                                 \
        slot = TOLD_SLOT;                                                                        \
        return TOLD_STATUS;                                                                      \
    }                                                                                            \
    uint tell_mode(MurTableRef t, Key k, Value v, uint mode, out uint slot, out Value old) {     \
        told = Told(t, key, value, mode, true);                                                  \
        slot = TOLD_SLOT;                                                                        \
        old = Value(TOLD_OLD);                                                                   \
        return TOLD_STATUS;                                                                      \
    }
TELL(uint, uint, uvec2(k, 0u), uvec2(v, 0u))
TELL(uvec2, uint, k, uvec2(v, 0u))
TELL(uvec2, uvec2, k, v)

#define mur_insert_mode tell_mode
#define mur_insert      tell_insert
#define mur_assign      tell_assign
#define mur_update      tell_update
#define mur_add         tell_add
#define mur_min         tell_min
#define mur_max         tell_max
#define mur_or          tell_or
#include "murmuration/mode_calls.glsl"

#define BY_NAME(arguments)                                 \
    switch (mode) {                                        \
    case MUR_MODE_INSERT: return mur_insert arguments;       \
    case MUR_MODE_ASSIGN: return mur_assign arguments;     \
    case MUR_MODE_UPDATE: return mur_update arguments;     \
    case MUR_MODE_ADD: return mur_add arguments;           \
    case MUR_MODE_MIN: return mur_min arguments;           \
    case MUR_MODE_MAX: return mur_max arguments;           \
    default: return mur_or arguments;                      \
    }
uint by_name(uint mode, MurTableRef t, Key key, Value value) {
    BY_NAME((t, key, value))
}
uint by_name(uint mode, MurTableRef t, Key key, Value value, out uint slot) {
    BY_NAME((t, key, value, slot))
}
uint by_name(uint mode, MurTableRef t, Key key, Value value, out uint slot, out Value old) {
    BY_NAME((t, key, value, slot, old))
}
#undef mur_insert_mode

// Calls the function named after a mode. A substitute for mur_insert_mode records its arguments in
// `told`. Returns false if the function does not return the results of the substitute.
bool tell(uint call, uint mode, MurTableRef t, Key key, Value value) {
    uint slot = TOLD_SLOT;
    Value old = Value(TOLD_OLD);
    uint status;
    bool withOld = call >= CALL_OLD && call < CALL_INSERT_MODE;
    if (call == CALL_INSERT_MODE) {
        status = tell_mode(t, key, value, mode, slot);
    } else if (withOld) {
        status = by_name(mode, t, key, value, slot, old);
    } else if (call >= CALL_BARE) {
        status = by_name(mode, t, key, value);
    } else {
        status = by_name(mode, t, key, value, slot);
    }
    return status == TOLD_STATUS && slot == TOLD_SLOT && old == Value(TOLD_OLD) &&
           told.old == withOld;
}

// Makes the call of a mode on the table. slot and old are 0 if the call has no such output. With
// CALL_FEW, shaders compile only the overload with both outputs.
uint insert_by_name(uint call, uint mode, MurTableRef t, Key key, Value value, out uint slot,
                    out Value old) {
    bool right = tell(call, mode, t, key, value);
    uint status;
    key = KEY(told.key);
    value = VALUE(told.value);
#ifndef CALL_FEW
    if (!told.old) {
        status = mur_insert_mode(told.table, key, value, told.mode, slot);
    } else
#endif
    {
        status = mur_insert_mode(told.table, key, value, told.mode, slot, old);
    }
    slot = call >= CALL_BARE && call < CALL_OLD ? 0u : slot;
    old = told.old ? old : Value(0u);
    return right ? status : 0xBADu;
}
