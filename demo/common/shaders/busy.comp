#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require
// One access per invocation to a random offset of a region that stays zero; its time depends on the
// clocks. SPDX-License-Identifier: MIT
#define MUR_READ_ONLY
#include "murmuration.glsl"
#include "busy_layout.h"

layout(local_size_x = BUSY_GROUP) in;
layout(push_constant) uniform Push {
    BusyPush push;
};
layout(buffer_reference, std430, buffer_reference_align = 8) buffer Pair {
    uvec2 words;
};
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Word {
    uint word;
};

void main() {
    uint i = (gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x) * uint(BUSY_GROUP) +
             gl_LocalInvocationIndex;
    uvec2 place = mur_offset(push.region, mur_hash(i, 0x636C6F63u) & push.mask, 3u);
    uint seen;
    if (push.swaps != 0u) {
        seen = atomicCompSwap(Word(place).word, 0u, 0u);
    } else {
        uvec2 words = Pair(place).words;
        seen = words.x | words.y;
    }
    if (seen != 0u) { // never true, but the compiler cannot prove it
        Word(place).word = 0u;
    }
}
