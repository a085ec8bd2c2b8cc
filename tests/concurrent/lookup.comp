#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require
// A user's shader that only looks keys up, in a bound table. storm.comp writes the same table, so
// the validation layer can detect a missing barrier between the two.
// SPDX-License-Identifier: MIT
#define MUR_READ_ONLY
#define MUR_BUFFER_BINDING 0
#include "murmuration.glsl"
#include "storm.h"

layout(local_size_x = STORM_WORKGROUP) in;

layout(push_constant) uniform Push {
    StormPush push;
};

layout(buffer_reference, std430, buffer_reference_align = 4) readonly buffer Words {
    uint words[];
};
layout(buffer_reference, std430, buffer_reference_align = 16) writeonly buffer Records {
    uvec4 halves[];
};

void main() {
    uint item = gl_GlobalInvocationID.x;
    if (item >= push.invocations) {
        return;
    }
    uint value;
    uint key = Words(push.keys).words[item % push.keyCount];
    uint slot = mur_find_slot(push.table, key, value);
    Records(push.records).halves[2u * item] = uvec4(key, slot, value, 0u);
}
