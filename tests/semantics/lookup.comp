#version 450
#extension GL_GOOGLE_include_directive : require
// Lookups for order_test.c, compiled for each access to the table and for both read modes.
// SPDX-License-Identifier: MIT
#include "murmuration.glsl"

layout(local_size_x = 64) in;
layout(push_constant) uniform Push {
    MurTableRef table;
    uint count;
};
layout(set = 0, binding = 1, std430) readonly buffer Keys {
    uint keys[];
};
layout(set = 0, binding = 2, std430) writeonly buffer Results {
    uint results[];
};

void main() {
    uint item = gl_GlobalInvocationID.x;
    if (item < count) {
        uint value;
        mur_find(table, keys[item], value);
        results[item] = value;
    }
}
