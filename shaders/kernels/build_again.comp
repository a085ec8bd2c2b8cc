#version 450
#extension GL_GOOGLE_include_directive : require
// murCmdBuild, last: inserts the whole batch directly if something did not fit. Compiled twice: the
// table's atomic width is a constant here. A key that comes twice keeps one of its values, which is
// all that the modes that come here promise.
// SPDX-License-Identifier: MIT
#include "../murmuration.glsl"
#include "kernel.glsl"
#include "build.glsl"

void main() {
    if (!is_irregular()) {
        return;
    }
    MurTableRef table = push.table;
#ifdef MUR_INT64_ATOMICS
    table.flags |= MUR_TABLE_INT64;
#endif
    uint count = build_count();
    uint stride = gl_NumWorkGroups.x * gl_NumWorkGroups.y * MUR_WORKGROUP;
    uint first = mur_workgroup() * MUR_WORKGROUP + gl_LocalInvocationIndex;
    for (uint item = first; item < count; item += stride) {
        mur_upsert(table, mur_input(push.keys, item), mur_input(push.values, item));
        if (item > 0xFFFFFFFFu - stride) {
            break;
        }
    }
}
