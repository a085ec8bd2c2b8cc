#version 450
#extension GL_GOOGLE_include_directive : require
// Each two invocations insert one key. The second value is invalid.
// SPDX-License-Identifier: MIT
#define MUR_SUBGROUP_COMBINE true
#include "murmuration.glsl"

layout(local_size_x = 64) in;

layout(push_constant) uniform Push {
    MurTableRef table;
    uint count;
};

void main() {
    uint i = gl_GlobalInvocationID.x;
    if (i < count) {
        mur_min(table, i / 2u, (i & 1u) == 0u ? 7u : mur_empty_value(table));
    }
}
