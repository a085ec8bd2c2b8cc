#version 450
#extension GL_GOOGLE_include_directive : require
// Copies to and from host memory: a chunk per workgroup, with four 16-byte loads in flight.
// SPDX-License-Identifier: MIT
#define MUR_READ_ONLY
#define PUSH LinkPush
#include "murmuration.glsl"
#include "item.glsl"

layout(buffer_reference, std430, buffer_reference_align = 16) buffer Quad {
    uvec4 words;
};

void main() {
    uint piece = item() / 256u;
    bool back = false;
    if ((push.backFrom.x | push.backFrom.y) != 0u) {
        back = (piece & 1u) != 0u;
        piece >>= 1u;
    }
    if (piece >= push.pieces) {
        return;
    }
    uint first = piece * (LINK_PIECE / 16u) + gl_LocalInvocationIndex;
    uvec2 from = back ? push.backFrom : push.from;
    uvec2 to = back ? push.backTo : push.to;
    uvec4 words[4];
    [[unroll]] for (uint i = 0u; i < 4u; ++i) {
        words[i] = Quad(mur_offset(from, first + 256u * i, 4u)).words;
    }
    [[unroll]] for (uint i = 0u; i < 4u; ++i) {
        Quad(mur_offset(to, first + 256u * i, 4u)).words = words[i];
    }
}
