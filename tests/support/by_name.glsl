// The calls of the modes by name, for tests that make all of them: a real one is inlined where it
// stands, with a whole insert, which takes a device's compiler its time. These are the same text
// once more (mode_calls.glsl: include this after murmuration.glsl), but what they call instead of
// mur_insert_mode writes down with what it was called, and insert_by_name makes that call, once for
// all of them. The includer has Key and Value, types of the table's, and KEY and VALUE, which make
// them of pairs of words.
// SPDX-License-Identifier: MIT
#include "calls.h"

struct Told {
    MurTableRef table;
    uvec2 key, value;
    uint mode;
    bool old; // the overload with the old value
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
#define mur_upsert      tell_upsert
#define mur_update      tell_update
#define mur_add         tell_add
#define mur_min         tell_min
#define mur_max         tell_max
#define mur_or          tell_or
#include "murmuration/mode_calls.glsl"

#define BY_NAME(arguments)                                 \
    switch (mode) {                                        \
    case MUR_MODE_KEEP: return mur_insert arguments;       \
    case MUR_MODE_ASSIGN: return mur_upsert arguments;     \
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

// Has `told` what call (CALL_MODE and so on) of mode is to make. False if its name passes other
// results on than those it got.
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

// slot and old: 0 where the call has no such output. With CALL_FEW all are made with both.
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
