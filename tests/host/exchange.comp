#version 450
#extension GL_GOOGLE_include_directive : require
// A user's shader on a table that the host has filled (exchange_test.c): erases every third key and
// adds 10000 to the value of every third other one in the first half.
// SPDX-License-Identifier: MIT
#include "murmuration.glsl"

layout(local_size_x = 64) in;
layout(push_constant) uniform Push {
    MurTableRef table;
    uint count;
};
layout(set = 0, binding = 0, std430) readonly buffer Keys {
    uint keys[];
};

void main() {
    uint item = gl_GlobalInvocationID.x;
    if (item >= count) {
        return;
    }
    uint value;
    if (item % 3u == 0u) {
        mur_erase(table, keys[item]);
    } else if (item % 3u == 1u && item < count / 2u && mur_find(table, keys[item], value)) {
        mur_upsert(table, keys[item], value + 10000u);
    }
}
