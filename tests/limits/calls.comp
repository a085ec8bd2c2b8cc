#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require
// The calls of murmuration.glsl, on whatever the table's memory holds. Compiled for both access
// modes, each read-only, with 32-bit atomics and with 64-bit atomics. A call by name is inlined
// where it stands, which takes a device's compiler its time: each module has every mode, and of
// the calls by name a quarter (CALL_PART).
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

const uint CALL_WORDS = 31u; // calls.h says the same
uint next;

void put(uint status, uint slot) {
    results.words[next] = status;
    results.words[next + 1u] = slot;
    next += 2u;
}

#ifndef MUR_READ_ONLY
void call_by_name(uint key, uint value) {
    uint slot;
#if CALL_PART == 0
    put(mur_insert(table, key, value, slot), slot);
    put(mur_upsert(table, key, value), MUR_NO_SLOT);
    put(mur_min(table, key, value, slot), slot);
    put(mur_or(table, key, value), MUR_NO_SLOT);
#elif CALL_PART == 1
    put(mur_add(table, key, value, slot), slot);
    put(mur_insert(table, key, value), MUR_NO_SLOT);
    put(mur_max(table, key, value, slot), slot);
    put(mur_update(table, key, value), MUR_NO_SLOT);
#elif CALL_PART == 2
    put(mur_upsert(table, key, value, slot), slot);
    put(mur_min(table, key, value), MUR_NO_SLOT);
    put(mur_or(table, key, value, slot), slot);
    put(mur_add(table, key, value), MUR_NO_SLOT);
#else
    put(mur_update(table, key, value, slot), slot);
    put(mur_max(table, key, value), MUR_NO_SLOT);
    put(mur_erase(table, key, value, slot), slot);
    put(mur_erase(table, key), MUR_NO_SLOT);
#endif
}
#endif

void main() {
    uint i = gl_GlobalInvocationID.x;
    if (i >= count) {
        return;
    }
    uint key = keys.words[i];
    uint value = 0u, values = 0u, slot = 0u;
    next = CALL_WORDS * i + 1u;

    put(MUR_FOUND, mur_find_slot(table, key, value));
    put(MUR_FOUND, mur_find_slot(table, key));
    put(mur_find(table, key, value) ? MUR_FOUND : MUR_ABSENT, MUR_NO_SLOT);
    uint any = i % (table.slotCount + 2u); // slots out of range included
    values += mur_slot_value(table, any);
#ifndef MUR_READ_ONLY
    for (uint mode = 0u; mode < modes; ++mode) {
        put(mur_insert_mode(table, key, i + 1u, mode, slot), slot);
    }
    call_by_name(key, i + 1u);
    values += mur_slot_compare_exchange(table, any, i, i + 1u);
    values += mur_slot_exchange(table, (key & 1u) == 0u ? key : any, i + 1u);
#endif
    put(mur_slot_entry(table, key, slot, value) ? MUR_FOUND : MUR_ABSENT, MUR_NO_SLOT);
    results.words[CALL_WORDS * i] = values + value;
}
