#version 450
#extension GL_GOOGLE_include_directive : require
// murCmdBuild, first: writes the header, zeroes the counts in scratch memory and empties the
// padding, which no slice owns.
// SPDX-License-Identifier: MIT
#define MUR_READ_ONLY
#include "../murmuration.glsl"
#include "kernel.glsl"
#include "build.glsl"
#include "header.glsl"

void main() {
    const uint words = MUR_BUILD_SLICES + build_slices();
    const uint padding = push.table.slotCount - push.table.capacity;
    uint item;
    if (!mur_item(MUR_HEADER_SECTORS + words + padding, item)) {
        return;
    }
    if (item < MUR_HEADER_SECTORS) {
        write_header(push.table, item);
    } else if (item < MUR_HEADER_SECTORS + words) {
        mur_output(push.scratch, item - MUR_HEADER_SECTORS, 0u);
    } else {
        uint slot = push.table.capacity + item - MUR_HEADER_SECTORS - words;
        MurPairsOut(mur_slots_address(push.table)).pairs[slot] = uvec2(MUR_EMPTY,
                                                                       mur_no_value(push.table));
    }
}
