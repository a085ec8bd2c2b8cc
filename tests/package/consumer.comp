#version 460
#extension GL_GOOGLE_include_directive : require
// The shader of an engine: looks up a batch of keys.
// SPDX-License-Identifier: MIT
#define MUR_READ_ONLY
#include "murmuration.glsl"

#if MUR_VERSION < 100
#error "murmuration.glsl is older than this shader"
#endif

layout(local_size_x = 64) in;

layout(buffer_reference, std430) readonly buffer Keys {
    uint keys[];
};
layout(buffer_reference, std430) writeonly buffer Results {
    uint results[];
};
// Engines read the result of murCmdEvict by the library's declaration.
layout(buffer_reference, std430) readonly buffer Ages {
    MurEvictResult ages;
};
layout(push_constant) uniform Push {
    MurTableRef table;
    Keys keys;
    Results results;
    uint count;
} push;

void main() {
    uint item = gl_GlobalInvocationID.x;
    if (item < push.count) {
        uint value;
        mur_find(push.table, push.keys.keys[item], value);
        push.results.results[item] = value;
    }
}
