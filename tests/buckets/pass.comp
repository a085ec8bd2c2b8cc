#version 460
#extension GL_GOOGLE_include_directive : require
// A user's shader for bucketed tables: an eviction pass with concurrent lookups, touches of
// entries, and every shader call that erases. Compiled once per format and atomic width.
// SPDX-License-Identifier: MIT
#include "../support/format.glsl"
#include "murmuration.glsl"
#include "pass.h"

layout(local_size_x = 64) in;
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Words {
    uint words[];
};
layout(push_constant) uniform Push {
    MurTableRef table;
    Words data;
    uint op;
    uint count;
    uint frame;
};

#ifdef IS_SET
#define TABLE SET(table)
#else
#define TABLE table
#endif

Key key_at(uint i) {
    return KEY(uvec2(data.words[PASS_KEYS + 2u * i], data.words[PASS_KEYS + 2u * i + 1u]));
}

void main() {
    uint i = gl_GlobalInvocationID.x;
    uint slots = op == PASS_RUN ? table.slotCount + 2u : 0u;
    if (i < slots) {
        if (data.words[PASS_DECISIONS + i] == PASS_FREES) {
            mur_evict(table, i);
        } else if (data.words[PASS_DECISIONS + i] == PASS_STAYS) {
            mur_retain(table, i);
        }
        return;
    }
    i -= slots;
    if (i >= count) {
        return;
    }
    switch (op) {
    case PASS_RUN:
        data.words[PASS_SLOTS + i] = mur_find_slot(TABLE, key_at(i));
        break;
    case PASS_TOUCH:
        mur_touch(table, data.words[PASS_SLOTS + i], frame);
        break;
    case PASS_ERASE:
        data.words[PASS_STATUSES + i] = mur_erase(TABLE, key_at(i));
        break;
#ifndef IS_SET
    case PASS_EXCHANGE:
        mur_slot_exchange(table, data.words[PASS_SLOTS + i], VALUE(uvec2(frame)));
        break;
    case PASS_COMPARE:
        mur_slot_compare_exchange(table, data.words[PASS_SLOTS + i],
                                  VALUE(uvec2(data.words[PASS_VALUES + i])), VALUE(uvec2(frame)));
        break;
#endif
    }
}
