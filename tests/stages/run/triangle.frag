#version 460
#extension GL_GOOGLE_include_directive : require
// Each pixel does its work. The derivatives need the neighbours' results, so that along the edges
// of the triangle there are helper invocations: their lookups must be right, and their writes
// undone.
// SPDX-License-Identifier: MIT
#include "work.glsl"

layout(location = 0) out uint color;
layout(location = 1) out ivec2 slope;

void main() {
    uvec2 pixel = uvec2(gl_FragCoord.xy);
    uint item = pixel.y * push.width + pixel.x;
    color = work(item);
    // What a write returns is undefined in helper invocations, so of that there is no derivative.
    float height = push.work == WORK_FIND ? float(color & 0xFFFFu) : float(item & 0xFFFFu);
    slope = ivec2(dFdxFine(height), dFdyFine(height));
}
