#version 450
#extension GL_GOOGLE_include_directive : require
// Writes keys and values of any format, or counts wrong words of values.
// SPDX-License-Identifier: MIT
#define MUR_READ_ONLY
#define PUSH PairsPush
#include "murmuration.glsl"
#include "item.glsl"
#include "pair.glsl"

Word word_at(uvec2 array, uint i, uint words, uint w) {
    return Word(mur_offset(mur_offset(array, i, 1u + words), w, 2u));
}

uint value_word(uint pair, uint w) {
    return push.check == PAIRS_CONSTANT ? push.constant
           : w == 0u                    ? pair_value(pair)
                                        : ~pair_value(pair);
}

void main() {
    uint i = item(), pair = push.first + i;
    if (i >= push.count) {
        return;
    }
    if (push.check == PAIRS_KEYED) {
        pair = pair_of(Word(mur_offset(push.keys, i, 2u)).word);
    }
    for (uint w = 0u; w < push.keyWords; ++w) {
        word_at(push.keys, i, push.keyWords, w).word =
            w == 0u ? pair_key(pair) : mur_hash(pair, 0x7F4A7C15u);
    }
    for (uint w = 0u; w < push.valueWords; ++w) {
        Word value = word_at(push.values, i, push.valueWords, w);
        if (push.check == PAIRS_WRITE) {
            value.word = value_word(pair, w);
        } else if (value.word != value_word(pair, w)) {
            atomicAdd(Word(push.wrong).word, 1u);
        }
    }
}
