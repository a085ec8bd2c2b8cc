#version 460
#extension GL_GOOGLE_include_directive : require
// Each pixel processes its item. Derivatives require results of neighbours, so helper invocations
// run along the triangle's edges. Their lookups must be correct, and their writes have no effect.
// SPDX-License-Identifier: MIT
#include "work.glsl"

layout(location = 0) out uint color;
layout(location = 1) out ivec2 slope;

void main() {
    uvec2 pixel = uvec2(gl_FragCoord.xy);
    uint item = pixel.y * push.width + pixel.x;
    color = work(item);
    // The result of a write is undefined in helper invocations, so derivatives use the item.
    float height = push.work == WORK_FIND ? float(color & 0xFFFFu) : float(item & 0xFFFFu);
    slope = ivec2(dFdxFine(height), dFdyFine(height));
}
