#version 460
#extension GL_GOOGLE_include_directive : require
// Each invocation processes one item.
// SPDX-License-Identifier: MIT
#include "work.glsl"

layout(local_size_x = 64) in;

layout(set = 0, binding = 1) writeonly buffer Results {
    uint results[];
};

void main() {
    uint item = gl_GlobalInvocationID.x;
    if (item < results.length()) {
        results[item] = work(item);
    }
}
