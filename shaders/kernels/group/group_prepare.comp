#version 450
#extension GL_GOOGLE_include_directive : require
// murCmdGroup, first step: zeroes counts of bins and lists, and sets the groups' used words to 1.
// SPDX-License-Identifier: MIT
#define MUR_READ_ONLY
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
