#version 450
#extension GL_GOOGLE_include_directive : require
// Counts the words that are not what they should be. keys: the counter.
// SPDX-License-Identifier: MIT
#include "pairs.glsl"

void main() {
    uint i = item();
    if (i < push.count) {
        uint expected = push.isValue != 0u ? pair_value(push.first + i) : push.constant;
        if (Word(mur_offset(push.values, i, 2u)).word != expected) {
            atomicAdd(Word(push.keys).word, 1u);
        }
    }
}
