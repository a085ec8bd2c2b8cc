#version 450
#extension GL_GOOGLE_include_directive : require
// murCmdClear: the header and every slot, MUR_CLEAR_STORES stores of 16 bytes an invocation, each
// of them next to its neighbours'. The state starts at 0: an empty table is in order, but saying so
// would gain no lookup anything and make the first inserts all rush to unsay it (measured: 5 us at
// 2^18 inserts).
// SPDX-License-Identifier: MIT
#define MUR_READ_ONLY
#include "../../murmuration.glsl"
#include "../kernel.glsl"
#include "../header.glsl"

layout(push_constant) uniform MurPush {
    MurTableRef table;
};

void main() {
    uint format = MUR_SLOT_FORMAT(MUR_TABLE_FORMAT(table.flags));
    uint count = MUR_HEADER_STORES + (table.slotCount >> (4u - MUR_SLOT_SHIFT(format)));
    uint first = mur_workgroup() * MUR_CLEAR_STORES * MUR_WORKGROUP + gl_LocalInvocationIndex;
    uvec4 free = free_words(table, format);
    [[unroll]] for (uint i = 0u; i < MUR_CLEAR_STORES; ++i) {
        uint store = first + i * MUR_WORKGROUP;
        if (store < count) {
            MurHalfOut(mur_offset(table.address, store, 4u)).words =
                store < MUR_HEADER_STORES ? header_words(table, store) : free;
        }
    }
}
