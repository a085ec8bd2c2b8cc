#version 450
#extension GL_GOOGLE_include_directive : require
// Makes inserts that fail. Each invocation (with MUR_SUBGROUP_COMBINE, each two) has one key.
// SPDX-License-Identifier: MIT
#include "murmuration.glsl"

layout(local_size_x = 64) in;

layout(push_constant) uniform Push {
    MurTableRef table;
    uint count;
    uint value;
};

void main() {
    uint i = gl_GlobalInvocationID.x;
    if (i < count) {
#ifdef MUR_SUBGROUP_COMBINE // of two equal keys, the second has an invalid value
        mur_min(table, i / 2u, (i & 1u) == 0u ? value : mur_empty_value(table));
#else
        mur_insert(table, i, value);
#endif
    }
}
