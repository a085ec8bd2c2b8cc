#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require
// The GLSL side of hash.h, for comparison with the C side, word by word.
// SPDX-License-Identifier: MIT
layout(local_size_x = 64) in;

#include "murmuration/hash.h"

layout(buffer_reference, std430, buffer_reference_align = 4) buffer Words {
    uint words[];
};

layout(push_constant) uniform Push {
    Words keys;
    Words results; // per key, 3 words of the low word: hash, key, home; 4 words of both: hash, key
    uint count;
    uint seed;
    uint capacity;
};

void main() {
    uint i = gl_GlobalInvocationID.x;
    if (i < count) {
        uvec2 key = uvec2(keys.words[2u * i], keys.words[2u * i + 1u]);
        uvec2 hash = mur_hash64(key, seed), back = mur_key64(key, seed);
        results.words[7u * i] = mur_hash(key.x, seed);
        results.words[7u * i + 1u] = mur_key(key.x, seed);
        results.words[7u * i + 2u] = mur_home(key.x, capacity);
        results.words[7u * i + 3u] = hash.x;
        results.words[7u * i + 4u] = hash.y;
        results.words[7u * i + 5u] = back.x;
        results.words[7u * i + 6u] = back.y;
    }
}
