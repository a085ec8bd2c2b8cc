#version 450
#extension GL_GOOGLE_include_directive : require
// Inserts that fail: a key an invocation.
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
        mur_insert(table, i, value);
    }
}
