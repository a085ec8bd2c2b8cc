#version 450
#extension GL_GOOGLE_include_directive : require
// murCmdCompact, last step: copies the compacted table back, MUR_CLEAR_STORES times 16 bytes per
// invocation. If an entry did not fit, copies nothing.
// SPDX-License-Identifier: MIT
#define MUR_READ_ONLY
#include "rehash.glsl"

void main() {
    bool complete = mur_input(push.source.address, MUR_HEADER_FAILED_INSERTS) == 0u &&
                    mur_input(push.source.address, MUR_HEADER_FAILED_INSERTS + 1u) == 0u;
    if (!complete) {
        return;
    }
    uint format = MUR_TABLE_FORMAT(push.source.flags);
    uint count = MUR_HEADER_SIZE / 16u + (push.source.slotCount >> (4u - MUR_SLOT_SHIFT(format)));
    uint first = mur_workgroup() * MUR_CLEAR_STORES * MUR_WORKGROUP + gl_LocalInvocationIndex;
    uvec4 words[MUR_CLEAR_STORES];
    [[unroll]] for (uint i = 0u; i < MUR_CLEAR_STORES; ++i) {
        uint at = min(first + i * MUR_WORKGROUP, count - 1u);
        words[i] = MurHalvesPlain(mur_offset(push.source.address, at, 4u)).halves[0];
    }
    [[unroll]] for (uint i = 0u; i < MUR_CLEAR_STORES; ++i) {
        uint at = first + i * MUR_WORKGROUP;
        if (at < count) {
            MurHalfOut(mur_offset(push.table.address, at, 4u)).words = words[i];
        }
    }
}
