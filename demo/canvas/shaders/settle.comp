#version 450
#extension GL_GOOGLE_include_directive : require
// The end of a batch: a tile in which nothing is to be seen gives its room back. Of the invocations
// for each touched tile of level 0 there are more than levels.
// SPDX-License-Identifier: MIT
#include "tiles.glsl"

layout(local_size_x = 1) in;

void main() {
    uint ordinal = gl_WorkGroupID.x, level = gl_WorkGroupID.y;
    if (level < CANVAS_LEVELS && ordinal < STATE[CANVAS_COMMANDS + 3u * level]) {
        uvec4 entry = touched(level, ordinal);
        if (SLOTS[entry.y].z != push.batch) {
            mur_slot_exchange(push.table, entry.y, 0u);
            give(entry.w);
        }
    }
}
