#version 450
#extension GL_GOOGLE_include_directive : require
// murCmdBuild, first: writes the header, zeroes the counts in scratch memory and empties the
// padding, which no slice owns. Compiled twice: for murCmdInsert only the counts.
// SPDX-License-Identifier: MIT
#define MUR_READ_ONLY
#include "../murmuration.glsl"
#include "kernel.glsl"
#include "build.glsl"
#include "header.glsl"

void main() {
    const uint words = MUR_BUILD_SLICES + build_slices();
#ifdef MUR_BINS_ONLY
    uint word;
    if (mur_item(words, word)) {
        mur_output(push.scratch, word, 0u);
    }
#else
    const uint padding = push.table.slotCount - push.table.capacity;
    uint item;
    if (!mur_item(MUR_HEADER_STORES + words + padding, item)) {
        return;
    }
    if (item < MUR_HEADER_STORES) {
        MurHalfOut(mur_offset(push.table.address, item, 4u)).words =
            header_words(push.table, item);
    } else if (item < MUR_HEADER_STORES + words) {
        mur_output(push.scratch, item - MUR_HEADER_STORES, 0u);
    } else {
        uint slot = push.table.capacity + item - MUR_HEADER_STORES - words;
        MurPairsOut(mur_slots_address(push.table)).pairs[slot] = uvec2(MUR_EMPTY,
                                                                       mur_no_value(push.table));
    }
#endif
}
