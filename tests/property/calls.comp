#version 450
#extension GL_GOOGLE_include_directive : require
// One invocation runs one table's calls, one after another. Compiled in every mode of the include:
// tables by device address (their references in a buffer), one bound table, an array of bound ones;
// with and without 64-bit atomics; lookups only.
// SPDX-License-Identifier: MIT
#include "calls.h"
#include "murmuration.glsl"

#ifdef MUR_BUFFER_BINDING
layout(local_size_x = 1) in;
#else
layout(local_size_x = CALL_GROUP_TABLES) in;
layout(set = 0, binding = 2, std430) readonly buffer Tables {
    MurTableRef refs[];
};
#endif
layout(set = 0, binding = 0, std430) readonly buffer Calls {
    Call calls[];
};
layout(set = 0, binding = 1, std430) writeonly buffer Answers {
    Answer answers[];
};
layout(push_constant) uniform Push {
    CallPush push;
};

Answer look_up(MurTableRef table, Call c) {
    Answer a = Answer(c.call, 0u, 0u, 0u);
    switch (c.call) {
    case CALL_FIND:
        a.status = mur_find(table, c.at, a.value) ? 1u : 0u;
        break;
    case CALL_FIND_SLOT:
        a.slot = mur_find_slot(table, c.at, a.value);
        break;
    case CALL_FIND_SLOT_BARE:
        a.slot = mur_find_slot(table, c.at);
        break;
    case CALL_SLOT_ENTRY:
        a.status = mur_slot_entry(table, c.at, a.slot, a.value) ? 1u : 0u;
        break;
    case CALL_SLOT_VALUE:
        a.value = mur_slot_value(table, c.at);
        break;
    }
    return a;
}

#ifndef MUR_READ_ONLY
#define MODE_CASES(name, call)                                      \
    case call:                                                      \
        a.status = name(table, c.at, c.value, a.slot);              \
        break;                                                      \
    case call - CALL_INSERT + CALL_BARE:                            \
        a.status = name(table, c.at, c.value);                      \
        break;                                                      \
    case call - CALL_INSERT + CALL_OLD:                             \
        a.status = name(table, c.at, c.value, a.slot, a.value);     \
        break;

Answer write(MurTableRef table, Call c) {
    Answer a = Answer(c.call, 0u, 0u, 0u);
    switch (c.call) {
    MODE_CASES(mur_insert, CALL_INSERT)
    MODE_CASES(mur_upsert, CALL_UPSERT)
    MODE_CASES(mur_update, CALL_UPDATE)
    MODE_CASES(mur_add, CALL_ADD)
    MODE_CASES(mur_min, CALL_MIN)
    MODE_CASES(mur_max, CALL_MAX)
    MODE_CASES(mur_or, CALL_OR)
    case CALL_INSERT_MODE:
        a.status = mur_insert_mode(table, c.at, c.value, c.mode, a.slot);
        break;
    case CALL_ERASE:
        a.status = mur_erase(table, c.at, a.value, a.slot);
        break;
    case CALL_ERASE_BARE:
        a.status = mur_erase(table, c.at);
        break;
    case CALL_SLOT_EXCHANGE:
        a.value = mur_slot_exchange(table, c.at, c.value);
        break;
    case CALL_SLOT_COMPARE_EXCHANGE:
        uint compare = (c.mode & 1u) != 0u ? mur_slot_value(table, c.at) : c.value ^ 1u;
        a.value = mur_slot_compare_exchange(table, c.at, compare, c.value);
        break;
    }
    return a;
}
#endif

void main() {
    if (gl_GlobalInvocationID.x >= push.tableCount) {
        return;
    }
    uint t = push.first + gl_GlobalInvocationID.x;
#ifdef MUR_BUFFER_BINDING
    MurTableRef table = push.table;
#else
    MurTableRef table = refs[t];
#endif
    for (uint i = 0u; i < push.callCount; ++i) {
        Call c = calls[t * push.callCount + i];
#ifdef MUR_READ_ONLY
        answers[t * push.callCount + i] = look_up(table, c);
#else
        if (c.call < CALL_LOOKUPS) {
            answers[t * push.callCount + i] = look_up(table, c);
        } else {
            answers[t * push.callCount + i] = write(table, c);
        }
#endif
    }
}
