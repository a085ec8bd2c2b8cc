#version 450
#extension GL_GOOGLE_include_directive : require
// Pairs of suite large, written or compared. SPDX-License-Identifier: MIT
#define MUR_READ_ONLY
#include "murmuration.glsl"
#include "push.h"
#include "item.glsl"
#include "pair.glsl"
#include "terrain.glsl"

layout(push_constant) uniform Push {
    LargePush push;
};
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Word {
    uint word;
};
layout(buffer_reference, std430, buffer_reference_align = 8) buffer Pair {
    uvec2 words;
};

// A bijection of the low bits of i, so many as a child of the table has keys.
uint scrambled(uint i, uint mask) {
    i = i * 0x9E3779B1u & mask;
    i ^= i >> 3u;
    return i * 0x85EBCA6Bu & mask;
}

void write_key(uint j, uint i) {
    if (push.kind == LARGE_CHILDREN) {
        uint child = push.mask >> 3u;
        uint bits = uint(bitCount(child));
        Word(mur_offset(push.keys, j, 2u)).word =
            i >> bits << 29u | scrambled(i & child, child) << (29u - bits);
    } else {
        uvec2 column = terrain_column(terrain_side(push.mask), i);
        Pair(mur_offset(push.keys, j, 3u)).words =
            push.kind == LARGE_BRICKS ? terrain_brick(column) : uvec2(i, mur_hash(i, 1u));
    }
}

void main() {
    uint j = item();
    if (j >= push.count) {
        return;
    }
    uint i = (push.first + j * push.stride) & push.mask;
    Word value = Word(mur_offset(push.values, j, 2u));
    if (push.check == 0u) {
        write_key(j, i);
        value.word = pair_value(i);
    } else if (value.word != pair_value(i)) {
        atomicAdd(Word(push.keys).word, 1u);
    }
}
