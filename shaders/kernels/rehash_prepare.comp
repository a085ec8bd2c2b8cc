#version 450
#extension GL_GOOGLE_include_directive : require
// murCmdRehash, first: zeroes the result.
// SPDX-License-Identifier: MIT
#define MUR_READ_ONLY
#include "../murmuration.glsl"
#include "kernel.glsl"
#include "rehash.glsl"

void main() {
    uint item;
    if (mur_item(MUR_REHASH_WORDS, item)) {
        mur_output(push.result, item, 0u);
    }
}
