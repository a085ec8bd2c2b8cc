#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require
// Writes keys in a repeating pattern, or counts the words that are not what they should be.
// SPDX-License-Identifier: MIT
layout(local_size_x = 256) in;

layout(buffer_reference, std430, buffer_reference_align = 4) buffer Words {
    uint words[];
};

layout(push_constant) uniform Push {
    Words array;
    Words mismatches; // one word; unused when writing
    uint count;       // words that follow the pattern
    uint total;       // words; those after count must hold the poison
    uint modulus;     // word i is i % modulus + bias
    uint bias;
    uint poison;
    uint checking;
};

void main() {
    uint stride = gl_NumWorkGroups.x * gl_WorkGroupSize.x;
    for (uint i = gl_GlobalInvocationID.x; i < total; i += stride) {
        uint word = i < count ? i % modulus + bias : poison;
        if (checking == 0u) {
            array.words[i] = word;
        } else if (array.words[i] != word) {
            atomicAdd(mismatches.words[0], 1u);
        }
    }
}
