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
// The modes' calls by name are one function each time, inlined each time: a module has those of one
// form, with the slot, bare or with the old value, of every other mode (CALL_FORM, CALL_PART), and
// all others by their mode.
const uint MODES[] = uint[](MUR_MODE_KEEP, MUR_MODE_ASSIGN, MUR_MODE_UPDATE, MUR_MODE_ADD,
                            MUR_MODE_MIN, MUR_MODE_MAX, MUR_MODE_OR);
#if CALL_FORM == 0
#define BY_NAME(name) a.status = name(table, c.at, c.value, a.slot)
#elif CALL_FORM == 1
#define BY_NAME(name) a.status = name(table, c.at, c.value)
#else
#define BY_NAME(name) a.status = name(table, c.at, c.value, a.slot, a.value)
#endif

Answer insert(MurTableRef table, Call c) {
    Answer a = Answer(c.call, 0u, 0u, 0u);
    uint form = c.call == CALL_INSERT_MODE ? 3u : (c.call - CALL_INSERT) / CALL_MODES;
    uint which = (c.call - CALL_INSERT) % CALL_MODES;
    if (form == CALL_FORM && (which & 1u) == CALL_PART) {
        switch (which) {
#if CALL_PART == 0
        case 0u: BY_NAME(mur_insert); break;
        case 2u: BY_NAME(mur_update); break;
        case 4u: BY_NAME(mur_min); break;
        case 6u: BY_NAME(mur_or); break;
#else
        case 1u: BY_NAME(mur_upsert); break;
        case 3u: BY_NAME(mur_add); break;
        case 5u: BY_NAME(mur_max); break;
#endif
        }
    } else {
        uint slot, old;
        uint mode = c.call == CALL_INSERT_MODE ? c.mode : MODES[which];
        a.status = mur_insert_mode(table, c.at, c.value, mode, slot, old);
        a.slot = form != 1u ? slot : 0u;
        a.value = form == 2u ? old : 0u;
    }
    return a;
}

Answer write(MurTableRef table, Call c) {
    if (c.call < CALL_INSERT_MODE || (c.call == CALL_INSERT_MODE && CALL_FORM != 0)) {
        return insert(table, c);
    }
    Answer a = Answer(c.call, 0u, 0u, 0u);
    switch (c.call) {
#if CALL_FORM == 0 // elsewhere those that tell more
    case CALL_INSERT_MODE:
        a.status = mur_insert_mode(table, c.at, c.value, c.mode, a.slot);
        break;
    case CALL_ERASE_BARE:
        a.status = mur_erase(table, c.at);
        break;
#endif
    default:
        uint value, slot;
        a.status = mur_erase(table, c.at, value, slot);
        if (c.call == CALL_ERASE) {
            a.value = value;
            a.slot = slot;
        }
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
