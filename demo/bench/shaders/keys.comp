#version 450
#extension GL_GOOGLE_include_directive : require
// Makes keys of a given kind, and values that follow from the keys. SPDX-License-Identifier: MIT
#define MUR_READ_ONLY
#include "murmuration.glsl"
#include "push.h"
#include "item.glsl"
#include "pair.glsl"

layout(push_constant) uniform Push {
    KeysPush push;
};

layout(buffer_reference, std430, buffer_reference_align = 4) buffer Word {
    uint word;
};

// The inverse of the distribution function of 1/rank, ln(rank) / ln(count), at a random place.
uint zipf_rank(uint i) {
    float place = float(mur_hash(i, 0x51ED270Bu) >> 8) / 16777216.0;
    return uint(exp2(place * log2(float(push.count))));
}

// Runs of neighbouring hashes. They have one home slot as long as the table has far fewer than
// 2^32 / KEYS_A_HOME slots; a run that meets a border has two. Neighbouring items are of different
// runs.
uint colliding_hash(uint i) {
    uint homes = (push.count + KEYS_A_HOME - 1u) / KEYS_A_HOME;
    return i % homes * (0xFFFFFFFFu / homes) + i / homes;
}

uint make_key(uint i) {
    switch (push.kind) {
    case KEYS_RANDOM:
        return pair_key(i);
    case KEYS_SEQUENTIAL:
        return i;
    case KEYS_ZIPF:
        return pair_key(zipf_rank(i));
    case KEYS_ONE:
        return 12345u;
    case KEYS_COLLIDING:
        return mur_key(colliding_hash(i), push.seed);
    default:
        return Word(mur_offset(push.keys, i, 2u)).word;
    }
}

void main() {
    uint i = item();
    if (i < push.count) {
        uint key = make_key(i);
        Word(mur_offset(push.keys, i, 2u)).word = key;
        Word(mur_offset(push.values, i, 2u)).word = keyed_value(key);
    }
}
