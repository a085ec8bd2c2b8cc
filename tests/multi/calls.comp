#version 450
#extension GL_GOOGLE_include_directive : require
// The calls for tables with many values a key: one operation an invocation.
// SPDX-License-Identifier: MIT
#define MUR_MULTI
#include "murmuration.glsl"
#include "calls.h"
layout(local_size_x = 64) in;

layout(push_constant) uniform Push {
    CallsPush push;
};
layout(std430, binding = 1) buffer Data {
    CallsItem items[];
};

// The lookups with keys of one width. A uint is the key with the high word 0: lookups alone try
// both, and by address only, for the sake of time. Lookups of bound tables are in shaders of their
// own.
#ifdef MUR_BUFFER_BINDING
#define CALLS_APART
#elif defined(MUR_READ_ONLY)
#define CALLS_NARROW
#endif
#if defined(MUR_READ_ONLY) || !defined(CALLS_APART)
#define VISIT(Key)                                                             \
    void visit(uint i, Key key) {                                              \
        uint value;                                                            \
        MurMultiCursor cursor = mur_multi_begin(push.table, key);              \
        uint sum = 0u, visited = 0u;                                           \
        for (; mur_multi_next(push.table, cursor, value); ++visited) {         \
            sum += value;                                                      \
        }                                                                      \
        bool found = mur_multi_find(push.table, key, value);                   \
        items[i].status = (found ? MUR_FOUND : MUR_ABSENT) + (visited << 8);   \
        items[i].value = value;                                                \
        items[i].count = mur_multi_count(push.table, key);                     \
        items[i].sum = sum;                                                    \
        uint got = 0u;                                                         \
        uint end = mur_multi_ordinals(push.table, key);                        \
        for (uint ordinal = 0u; ordinal < end; ++ordinal) {                    \
            got += mur_multi_get(push.table, key, ordinal, value) ? value : 0u; \
        }                                                                      \
        items[i].got = got;                                                    \
    }
VISIT(uvec2)
#ifdef CALLS_NARROW
VISIT(uint)
#endif

#endif

#ifndef MUR_READ_ONLY
void change(uint i, uvec2 key) {
    if (push.operation == CALLS_INSERT) {
        items[i].status = mur_multi_insert(push.table, key, items[i].value);
    } else if (push.operation == CALLS_ERASE) {
        items[i].status = mur_multi_erase(push.table, key, items[i].value);
    } else if (push.operation == CALLS_ERASE_KEY) {
        items[i].count = mur_multi_erase_key(push.table, key);
    }
}

#ifndef CALLS_APART
// Calls for one value a key.
uint plain(uint i, uvec2 key) {
    uint value, slot;
    uint insert = mur_insert_mode(push.table, key, items[i].value, MUR_MODE_ASSIGN, slot);
    uint erase = mur_erase(push.table, key, value, slot);
    bool found = mur_find(push.table, key, value);
    uint changed = mur_slot_exchange(push.table, 0u, 5u);
    return insert + (erase << 8) + (found ? 1u << 16 : 0u) + (changed << 17);
}
#endif
#endif

void main() {
    uint i = gl_GlobalInvocationID.x;
    if (i >= push.count) {
        return;
    }
    uvec2 key = uvec2(items[i].key, items[i].keyHigh);
#if defined(MUR_READ_ONLY) || !defined(CALLS_APART)
    if (push.operation == CALLS_VISIT) {
#ifdef CALLS_NARROW
        if (push.wide == 0u) {
            visit(i, key.x);
            return;
        }
#endif
        visit(i, key);
        return;
    }
#endif
#ifndef MUR_READ_ONLY
#ifndef CALLS_APART
    if (push.operation == CALLS_PLAIN) {
        items[i].status = plain(i, key);
        return;
    }
#endif
    change(i, key);
#endif
}
