#version 450
#extension GL_GOOGLE_include_directive : require
// After a direct command on a sorted batch: copies the results to the positions of the items in the
// batch. Neighbouring items are in few ranges of the sorted batch, so most reads are coalesced.
// SPDX-License-Identifier: MIT
#define MUR_READ_ONLY
#define PUSH MurUnsortPush
#include "../kernel.glsl"
#include "../bits.glsl"

void main() {
    uint item, place, status = 0u;
    uint count = mur_count_at(push.count, push.maxCount);
    bool own = mur_item(count, item);
    if (own) {
        place = mur_input(push.places, item);
    }
    if (push.words == 0u) {
        if (own) {
            status = mur_input(push.sorted, place);
        }
        mur_output_bits(push.results, count, status == push.status);
        return;
    }
    for (uint word = 0u; own && word < push.words; ++word) {
        // An index of words can exceed 2^32, an index of elements cannot.
        uvec2 from = mur_offset(push.sorted, place, push.words + 1u);
        uvec2 to = mur_offset(push.results, item, push.words + 1u);
        mur_output(to, word, mur_input(from, word));
    }
}
