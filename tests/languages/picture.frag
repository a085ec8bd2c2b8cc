#version 460
#extension GL_GOOGLE_include_directive : require
// Each pixel looks up its number in the table, and uses only multiplications that all translators
// support. The pictures of the other languages must be equal. SPDX-License-Identifier: MIT
#define MUR_EMULATE_UMUL_EXTENDED
#define MUR_READ_ONLY
#define MUR_BUFFER_BINDING 0
#include "murmuration.glsl"

layout(push_constant) uniform Push {
    MurTableRef table;
    uint width;
} push;
layout(location = 0) out uint color;
layout(location = 1) out ivec2 slope;

void main() {
    uvec2 pixel = uvec2(gl_FragCoord.xy);
    uint key = pixel.y * push.width + pixel.x;
    bool found = mur_find(push.table, key, color);
    slope = ivec2(found, mur_find_slot(push.table, key));
}
