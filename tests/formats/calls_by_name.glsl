// Included by calls.comp.
// SPDX-License-Identifier: MIT

// The calls by name, which are inlined where they stand: a module has those of every other mode
// (CALL_PART), and the others by their mode.
#ifndef CALL_PART
#define CALL_PART 0
#endif
#if CALL_PART == 0
#define MODE_CASES(arguments)                              \
    switch (mode) {                                        \
    case MUR_MODE_ADD: return mur_add arguments;           \
    case MUR_MODE_MAX: return mur_max arguments;           \
    case MUR_MODE_UPDATE: return mur_update arguments;     \
    default: return mur_upsert arguments;                  \
    }
#else
#define MODE_CASES(arguments)                              \
    switch (mode) {                                        \
    case MUR_MODE_MIN: return mur_min arguments;           \
    case MUR_MODE_OR: return mur_or arguments;             \
    default: return mur_insert arguments;                  \
    }
#endif

uint write_mode(MurTableRef t, uint mode, Key key, Value value, out uint slot, out Value old) {
    MODE_CASES((t, key, value, slot, old))
}

uint write_mode(MurTableRef t, uint mode, Key key, Value value, out uint slot) {
    MODE_CASES((t, key, value, slot))
}

uint write_mode(MurTableRef t, uint mode, Key key, Value value) {
    MODE_CASES((t, key, value))
}
