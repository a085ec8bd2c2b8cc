#version 450
#extension GL_GOOGLE_include_directive : require
// Writes the keys and values of pairs. SPDX-License-Identifier: MIT
#include "pairs.glsl"

void main() {
    uint i = item();
    if (i < push.count) {
        Word(mur_offset(push.keys, i, 2u)).word = pair_key(i);
        Word(mur_offset(push.values, i, 2u)).word = pair_value(i);
    }
}
