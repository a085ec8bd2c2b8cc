#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require
// The GLSL side of hash.h, word by word, to be compared with the C side.
// SPDX-License-Identifier: MIT
layout(local_size_x = 64) in;

#include "murmuration/hash.h"

layout(buffer_reference, std430, buffer_reference_align = 4) buffer Words {
    uint words[];
};

layout(push_constant) uniform Push {
    Words keys;
    Words results; // three words a key: hash, key of that word as a hash, home
    uint count;
    uint seed;
    uint capacity;
};

void main() {
    uint i = gl_GlobalInvocationID.x;
    if (i < count) {
        uint key = keys.words[i];
        results.words[3u * i] = mur_hash(key, seed);
        results.words[3u * i + 1u] = mur_key(key, seed);
        results.words[3u * i + 2u] = mur_home(key, capacity);
    }
}
