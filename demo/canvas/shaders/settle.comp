#version 450
#extension GL_GOOGLE_include_directive : require
// The end of a batch. A tile in which nothing is to be seen gives its room back; bits are cleared
// for the next batch. A workgroup for each touched tile of a level, as for its blocks.
// SPDX-License-Identifier: MIT
#include "tiles.glsl"

layout(local_size_x = CANVAS_GROUP) in;

void main() {
    uint ordinal = gl_WorkGroupID.x, level = gl_WorkGroupID.y, local = gl_LocalInvocationID.x;
    if (level >= CANVAS_LEVELS || ordinal >= STATE[CANVAS_COMMANDS + 3u * level]) {
        return;
    }
    uvec4 entry = touched(level, ordinal);
    if (local == 0u && SLOTS[entry.y].w != push.batch) {
        mur_slot_exchange(push.table, entry.y, 0u);
        give(entry.w);
    }
    for (uint word = local; level == 0u && word < (push.dabs + 31u) / 32u; word += CANVAS_GROUP) {
        Words(PART(MASKS)).words[ordinal * CANVAS_MASK + word] = 0u;
    }
}
