#version 450
#extension GL_GOOGLE_include_directive : require
// murCmdClear: writes the whole table, MUR_CLEAR_STORES stores of 16 bytes per invocation. The
// state is 0, without MUR_STATE_ORDERED: no lookup in an empty table would be faster with this bit,
// but all first inserts would clear it (measured: 5 us at 2^18 inserts).
// SPDX-License-Identifier: MIT
#define MUR_READ_ONLY
#include "../kernel.glsl"
#include "../header.glsl"

layout(push_constant) uniform MurPush {
    MurTableRef table;
};

uint beside_start(uint format) {
    return MUR_BESIDE_START(format, table.slotCount);
}

// Returns words after the keys of a table that evicts: values and tags, filters, ages, counters.
uvec4 beside_words(uint format, uint store) {
    uint none = mur_empty_value(table);
    if (4u * store >= MUR_AGES_START(format, table.flags, table.slotCount)) {
        bool ages = 4u * store < MUR_COUNTERS_START(format, table.flags, table.slotCount);
        return uvec4(ages ? MUR_AGE_UNTOUCHED : 0u);
    }
    bool pairs = format == MUR_FORMAT_K64V32 &&
                 4u * store < MUR_FILTER_START(format, table.flags, table.slotCount);
    return pairs ? uvec4(none, 0u, none, 0u) : uvec4(0u);
}

void main() {
    uint format = MUR_SLOT_FORMAT(MUR_TABLE_FORMAT(table.flags));
    bool evicts = MUR_EVICTS(table.flags);
    uint count = MUR_HEADER_STORES + (table.slotCount >> (4u - MUR_SLOT_SHIFT(format)));
    count = evicts ? MUR_EVICTING_WORDS(format, table.flags, table.slotCount) / 4u : count;
    uint first = mur_workgroup() * MUR_CLEAR_STORES * MUR_WORKGROUP + gl_LocalInvocationIndex;
    uvec4 free = free_words(table, evicts ? MUR_KEY_FORMAT(format) : format);
    [[unroll]] for (uint i = 0u; i < MUR_CLEAR_STORES; ++i) {
        uint store = first + i * MUR_WORKGROUP;
        if (store < count) {
            MurHalfOut(mur_offset(table.address, store, 4u)).words =
                store < MUR_HEADER_STORES                      ? header_words(table, store)
                : evicts && 4u * store >= beside_start(format) ? beside_words(format, store)
                                                               : free;
        }
    }
}
