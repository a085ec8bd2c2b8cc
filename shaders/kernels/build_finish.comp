#version 450
#extension GL_GOOGLE_include_directive : require
// murCmdBuild, last but one: declares the table ordered, or, if something did not fit, empties it
// for the direct insert that follows. A bounded number of workgroups, since there is mostly nothing
// to do.
// SPDX-License-Identifier: MIT
#define MUR_READ_ONLY
#include "../murmuration.glsl"
#include "kernel.glsl"
#include "build.glsl"

void main() {
    MurTableRef table = push.table;
    uint none = mur_no_value(table);
    if (!is_irregular()) {
        if (mur_workgroup() == 0u && gl_LocalInvocationIndex == 0u) {
            mur_output(table.address, MUR_HEADER_STATE, MUR_STATE_ORDERED);
        }
        return;
    }
    if (mur_workgroup() == 0u && gl_LocalInvocationIndex == 0u) {
        mur_output(table.address, MUR_HEADER_REFUSED, 0u);
        mur_output(table.address, MUR_HEADER_REFUSED + 1u, 0u);
        mur_output(table.address, MUR_HEADER_EXTRA + 1u, none);
    }
    uint stride = gl_NumWorkGroups.x * gl_NumWorkGroups.y * MUR_WORKGROUP;
    uint first = mur_workgroup() * MUR_WORKGROUP + gl_LocalInvocationIndex;
    for (uint slot = first; slot < table.slotCount; slot += stride) {
        MurPairsOut(mur_slots_address(table)).pairs[slot] = uvec2(MUR_EMPTY, none);
        if (slot > 0xFFFFFFFFu - stride) {
            break;
        }
    }
}
