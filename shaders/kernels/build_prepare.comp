#version 450
#extension GL_GOOGLE_include_directive : require
// murCmdBuild, first: zeroes the counts in scratch memory and empties the padding, which no slice
// owns.
// SPDX-License-Identifier: MIT
#define MUR_READ_ONLY
#include "../murmuration.glsl"
#include "kernel.glsl"
#include "build.glsl"

void main() {
    uint words = MUR_BUILD_SLICES + build_slices();
    uint padding = push.table.slotCount - push.table.capacity;
    uint item;
    if (!mur_item(words + padding, item)) {
        return;
    }
    if (item < words) {
        mur_output(push.scratch, item, 0u);
    } else {
        uint slot = push.table.capacity + item - words;
        MurPairsOut(mur_slots_address(push.table)).pairs[slot] = uvec2(MUR_EMPTY,
                                                                       mur_no_value(push.table));
    }
}
