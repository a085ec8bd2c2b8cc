#version 450
#extension GL_GOOGLE_include_directive : require
// Sort of a batch by home slot, first step: zeroes the counts of the bins.
// SPDX-License-Identifier: MIT
#define MUR_READ_ONLY
#define PUSH MurSortPush
#include "../kernel.glsl"

void main() {
    uint word;
    if (mur_item(MUR_SORT_BINS, word)) {
        mur_output(push.counters, word, 0u);
    }
}
