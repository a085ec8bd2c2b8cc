#version 450
#extension GL_GOOGLE_include_directive : require
// Partitioned builds and inserts, first step: zeroes the counts in scratch memory. For a build,
// also writes the header, and empties the padding slots, which belong to no slice.
// SPDX-License-Identifier: MIT
#define MUR_READ_ONLY
#include "slices.glsl"
#include "../header.glsl"

void main() {
    const uint counts = MUR_SLICES_COUNTS + slice_total();
    const uint padding = push.table.slotCount - push.table.capacity;
    uint item;
    if (!mur_item(counts + (builds() ? MUR_HEADER_STORES + padding : 0u), item)) {
        return;
    }
    if (item < counts) {
        mur_output(push.scratch, item, 0u);
    } else if (item < counts + MUR_HEADER_STORES) {
        uint store = item - counts;
        MurHalfOut(mur_offset(push.table.address, store, 4u)).words =
            header_words(push.table, store);
    } else {
        uint slot = push.table.capacity + item - counts - MUR_HEADER_STORES;
        MurPairsOut(mur_slots_address(push.table)).pairs[slot] = uvec2(MUR_EMPTY,
                                                                       mur_empty_value(push.table));
    }
}
