#version 450
#extension GL_GOOGLE_include_directive : require
// Writes keys and values of any format, or counts the values that are not what they should be (keys
// is the counter then). SPDX-License-Identifier: MIT
#define MUR_READ_ONLY
#include "murmuration.glsl"
#include "push.h"
#include "item.glsl"
#include "pair.glsl"

layout(push_constant) uniform Push {
    FormatPairsPush push;
};

layout(buffer_reference, std430, buffer_reference_align = 4) buffer Word {
    uint word;
};

uint word_of(bool isKey, uint i, uint w) {
    if (w == 0u) {
        return isKey ? pair_key(i) : pair_value(i);
    }
    return isKey ? mur_hash(i, 0x7F4A7C15u) : ~pair_value(i);
}

void write(uvec2 array, uint i, uint words, bool isKey) {
    for (uint w = 0u; w < words; ++w) {
        Word(mur_offset(mur_offset(array, i, 1u + words), w, 2u)).word = word_of(isKey, i, w);
    }
}

void main() {
    uint i = item();
    if (i >= push.count) {
        return;
    }
    if (push.check == FORMAT_PAIRS_WRITE) {
        write(push.keys, i, push.keyWords, true);
        write(push.values, i, push.valueWords, false);
        return;
    }
    for (uint w = 0u; w < push.valueWords; ++w) {
        uint is = Word(mur_offset(mur_offset(push.values, i, 1u + push.valueWords), w, 2u)).word;
        uint expected = push.check == FORMAT_PAIRS_NONE ? 0xFFFFFFFFu : word_of(false, i, w);
        if (is != expected) {
            atomicAdd(Word(push.keys).word, 1u);
        }
    }
}
