#version 450
#extension GL_GOOGLE_include_directive : require
// One invocation runs one table's calls, one after another. Compiled in every mode of the include:
// tables by device address (their references in a buffer), one bound table, an array of bound ones;
// with and without 64-bit atomics; lookups only.
// SPDX-License-Identifier: MIT
#include "calls.h"
#include "murmuration.glsl"

// A call is inlined where it stands, which takes a device's compiler its time: of those that differ
// in their outputs most modules that write make the one that tells most.
#if defined(MUR_BUFFER_BINDING) || defined(MUR_INT64_ATOMICS)
#define CALL_FEW
#endif

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
#ifdef MUR_READ_ONLY
    case CALL_FIND:
        a.status = mur_find(table, c.at, a.value) ? 1u : 0u;
        break;
    case CALL_FIND_SLOT:
        a.slot = mur_find_slot(table, c.at, a.value);
        break;
    case CALL_FIND_SLOT_BARE:
        a.slot = mur_find_slot(table, c.at);
        break;
#else // so do lookups
    default:
        uint value;
        uint slot = mur_find_slot(table, c.at, value);
        a.status = c.call == CALL_FIND && slot != MUR_NO_SLOT ? 1u : 0u;
        a.slot = c.call == CALL_FIND ? 0u : slot;
        a.value = c.call == CALL_FIND_SLOT_BARE ? 0u : value;
        break;
#endif
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
#define Key         uint
#define Value       uint
#define KEY(pair)   ((pair).x)
#define VALUE(pair) ((pair).x)
#include "../support/by_name.glsl"

const uint MODES[] = uint[](MUR_MODE_KEEP, MUR_MODE_ASSIGN, MUR_MODE_UPDATE, MUR_MODE_ADD,
                            MUR_MODE_MIN, MUR_MODE_MAX, MUR_MODE_OR);

Answer write(MurTableRef table, Call c) {
    Answer a = Answer(c.call, 0u, 0u, 0u);
    if (c.call <= CALL_INSERT_MODE) {
        bool named = c.call < CALL_INSERT_MODE;
        uint mode = named ? MODES[(c.call - CALL_INSERT) % CALL_MODES] : c.mode;
        a.status = insert_by_name(c.call, mode, table, c.at, c.value, a.slot, a.value);
        return a;
    }
    switch (c.call) {
#ifndef CALL_FEW
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
