#version 450
#extension GL_GOOGLE_include_directive : require
// Finds the texture of each drawn handle. Destroyed handles are not found, so none is used.
// SPDX-License-Identifier: MIT
#define MUR_READ_ONLY
#define MUR_KEYS_64
#include "murmuration.glsl"

layout(local_size_x = 64) in;
layout(push_constant) uniform Push {
    MurTableRef handles;
    uvec2 draws, results; // addresses
} push;
layout(buffer_reference, std430, buffer_reference_align = 8) buffer Handle { uvec2 value; };
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Result { uint value; };

void main() {
    uint i = gl_GlobalInvocationID.x, texture;
    bool found = mur_find(push.handles, Handle(mur_offset(push.draws, i, 3u)).value, texture);
    Result(mur_offset(push.results, i, 2u)).value = found ? texture : 0xFFFFFFFFu;
}
