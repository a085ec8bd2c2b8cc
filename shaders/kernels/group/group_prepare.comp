#version 450
#extension GL_GOOGLE_include_directive : require
// murCmdGroup, first: nothing is in any bin or list, and nothing in the array but its word 0.
// SPDX-License-Identifier: MIT
#define MUR_READ_ONLY
#include "../kernel.glsl"
#include "group.glsl"

void main() {
    uint word;
    if (mur_item(MUR_GROUP_LEFT + MUR_SORT_BINS + 2u * push.bins, word)) {
        mur_output(push.scratch, word, 0u);
    }
    if (word == 0u) {
        mur_output(push.groups, 0u, 1u);
    }
}
