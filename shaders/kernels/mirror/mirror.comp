#version 450
#extension GL_GOOGLE_include_directive : require
// murCmdUpdateMirror: copies blocks of 64 bytes from staging memory, 16 bytes per invocation.
// SPDX-License-Identifier: MIT
#define MUR_READ_ONLY
#define PUSH MurMirrorPush
#include "../kernel.glsl"
#include "../header.glsl"

void main() {
    uint part;
    if (!mur_item(4u * push.count, part)) {
        return;
    }
    uint block = mur_wanted(push.list) ? mur_input(push.list, part >> 2u) : part >> 2u;
    uint to = 4u * block + (part & 3u);
    if (to < push.parts) {
        MurHalfOut(mur_offset(push.table, to, 4u)).words =
            MurHalvesPlain(mur_offset(push.source, part, 4u)).halves[0];
    }
}
