#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require
// Every call of murmuration.glsl, on whatever the table's memory holds. Compiled for both access
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
};

const uint CALL_WORDS = 21u; // calls.h says the same
uint next;

void put(uint word) {
    results.words[next++] = word;
}

void main() {
    uint i = gl_GlobalInvocationID.x;
    if (i >= count) {
        return;
    }
    uint key = keys.words[i];
    uint value = 0u;
    uint slot = 0u;
    next = CALL_WORDS * i;

    // Slots first.
    put(mur_find_slot(table, key, value));
    put(mur_find_slot(table, key));
#ifdef MUR_READ_ONLY
    next += 7u;
#else
    mur_insert(table, key, i + 1u, slot);
    put(slot);
    mur_upsert(table, key, i + 1u, slot);
    put(slot);
    mur_add(table, key, i + 1u, slot);
    put(slot);
    mur_min(table, key, i + 1u, slot);
    put(slot);
    mur_max(table, key, i + 1u, slot);
    put(slot);
    mur_or(table, key, i + 1u, slot);
    put(slot);
    mur_erase(table, key, value, slot);
    put(slot);
#endif
    // Then statuses.
    put(mur_find(table, key, value) ? MUR_FOUND : MUR_ABSENT);
#ifdef MUR_READ_ONLY
    next += 7u;
#else
    put(mur_insert(table, key, i + 1u));
    put(mur_upsert(table, key, i + 1u));
    put(mur_add(table, key, i + 1u));
    put(mur_min(table, key, i + 1u));
    put(mur_max(table, key, i + 1u));
    put(mur_or(table, key, i + 1u));
    put(mur_erase(table, key));
#endif
    // Then what is neither: slots out of range included.
    put(mur_slot_entry(table, key, slot, value) ? MUR_FOUND : MUR_ABSENT);
    put(mur_slot_value(table, i % (table.slotCount + 2u)));
#ifdef MUR_READ_ONLY
    next += 2u;
#else
    put(mur_slot_compare_exchange(table, i % (table.slotCount + 2u), i, i + 1u));
    put(mur_slot_exchange(table, (key & 1u) == 0u ? key : i % (table.slotCount + 2u), i + 1u));
#endif
}
