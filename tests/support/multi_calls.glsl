// Calls on multi-value tables.
// SPDX-License-Identifier: MIT

// Makes all lookups of a key, for one width of keys. For a uint key, the high word is 0.
#define VISIT(Key)                                                                              \
    Answer visit(MurTableRef t, Key key) {                                                      \
        uint value, sum = 0u, visited = 0u, got = 0u;                                           \
        MurMultiCursor cursor = mur_multi_begin(t, key);                                        \
        for (; mur_multi_next(t, cursor, value); ++visited) {                                   \
            sum += value;                                                                       \
        }                                                                                       \
        uint end = mur_multi_ordinals(t, key);                                                  \
        for (uint ordinal = 0u; ordinal < end; ++ordinal) {                                     \
            got += mur_multi_get(t, key, ordinal, value) ? value : 0u;                          \
        }                                                                                       \
        bool found = mur_multi_find(t, key, value);                                             \
        return Answer(uvec2(sum, got), uvec2(value, mur_multi_count(t, key)),                   \
                      found ? MUR_FOUND : MUR_ABSENT, visited);                                 \
    }

// Lookups are slow to compile. Of the shaders for bound tables, only the read-only one has them. Of
// the shaders by address, only the read-only one has them for both key widths.
#if defined(MUR_READ_ONLY) || !defined(MUR_BUFFER_BINDING)
#define MULTI_VISITS
VISIT(uvec2)
#if defined(MUR_READ_ONLY) && !defined(MUR_BUFFER_BINDING)
#define MULTI_NARROW
VISIT(uint)
#endif
#endif

Answer make_call(MurTableRef t, Call c) {
    Answer a = Answer(uvec2(0u), uvec2(0u), 0u, 0u);
    switch (c.call) {
#ifdef MULTI_VISITS
    case CALL_MULTI_VISIT:
#ifdef MULTI_NARROW
        if (c.mode == 0u) {
            return visit(t, c.key.x);
        }
#endif
        return visit(t, c.key);
#endif
#ifndef MUR_READ_ONLY
    case CALL_MULTI_INSERT:
        a.status = mur_multi_insert(t, c.key, c.value.x);
        break;
    case CALL_MULTI_ERASE:
        a.status = mur_multi_erase(t, c.key, c.value.x);
        break;
    case CALL_MULTI_ERASE_KEY:
        a.slot = mur_multi_erase_key(t, c.key);
        break;
#ifdef MULTI_VISITS
    case CALL_MULTI_SINGLE:
        uint value, slot;
        a.status = mur_insert_mode(t, c.key, c.value.x, MUR_MODE_ASSIGN, slot);
        a.status += mur_erase(t, c.key, value, slot) << 8;
        a.status += mur_find(t, c.key, value) ? 1u << 16 : 0u;
        a.status += mur_slot_exchange(t, 0u, 5u) << 17;
        break;
#endif
#endif
    }
    return a;
}
