#version 450
#extension GL_GOOGLE_include_directive : require
// Pairs of suite large, written or compared. SPDX-License-Identifier: MIT
#define MUR_READ_ONLY
#define PUSH LargePush
#include "murmuration.glsl"
#include "item.glsl"
#include "pair.glsl"
#include "terrain.glsl"

layout(buffer_reference, std430, buffer_reference_align = 8) buffer Pair {
    uvec2 words;
};

void main() {
    uint j = item();
    if (j >= push.count) {
        return;
    }
    uint i = (push.first + j * push.stride) & push.mask;
    Word value = Word(mur_offset(push.values, j, 2u));
    if (push.check == 0u) {
        Pair(mur_offset(push.keys, j, 3u)).words =
            push.kind == LARGE_BRICKS ? terrain_brick(terrain_column(terrain_side(push.mask), i))
                                      : uvec2(i, mur_hash(i, 1u));
        value.word = pair_value(i);
    } else if (value.word != pair_value(i)) {
        atomicAdd(Word(push.wrong).word, 1u);
    }
}
