#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require
// The calls of murmuration.glsl, on whatever the table's memory holds. Compiled for both access
// modes, each read-only, with 32-bit atomics and with 64-bit atomics.
// SPDX-License-Identifier: MIT
#include "murmuration.glsl"

layout(local_size_x = 64) in;

layout(buffer_reference, std430, buffer_reference_align = 4) buffer Words {
    uint words[];
};

layout(push_constant) uniform Push {
    MurTableRef table;
    Words keys;
    Words results; // CALL_WORDS a key
    uint count;
    uint modes; // MUR_MODE_*: not a constant, lest the loop be unrolled
};

const uint CALL_WORDS = 21u; // calls.h says the same
uint next;

void put(uint status, uint slot) {
    results.words[next] = status;
    results.words[next + 1u] = slot;
    next += 2u;
}

void main() {
    uint i = gl_GlobalInvocationID.x;
    if (i >= count) {
        return;
    }
    uint key = keys.words[i];
    uint value = 0u, values = 0u, slot = 0u;
    next = CALL_WORDS * i + 1u;

    put(MUR_FOUND, mur_find_slot(table, key, value));
#ifdef MUR_READ_ONLY
    put(MUR_FOUND, mur_find_slot(table, key));
    put(mur_find(table, key, value) ? MUR_FOUND : MUR_ABSENT, MUR_NO_SLOT);
#endif
    uint any = i % (table.slotCount + 2u); // slots out of range included
    values += mur_slot_value(table, any);
#ifndef MUR_READ_ONLY
    for (uint mode = 0u; mode < modes; ++mode) {
        put(mur_insert_mode(table, key, i + 1u, mode, slot), slot);
    }
    put(mur_erase(table, key, value, slot), slot);
    values += mur_slot_compare_exchange(table, any, i, i + 1u);
    values += mur_slot_exchange(table, (key & 1u) == 0u ? key : any, i + 1u);
#endif
    put(mur_slot_entry(table, key, slot, value) ? MUR_FOUND : MUR_ABSENT, MUR_NO_SLOT);
    results.words[CALL_WORDS * i] = values + value;
}
