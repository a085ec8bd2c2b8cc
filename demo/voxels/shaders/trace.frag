#version 450
#extension GL_GOOGLE_include_directive : require
// The picture, by a fragment shader.
// SPDX-License-Identifier: MIT
#include "trace.glsl"

layout(location = 0) out vec4 pixel;

void main() {
    Cache cache;
    vec3 color = tracePixel(uvec2(gl_FragCoord.xy), 0.0, cache);
    pixel = vec4((viewFlags & VIEW_BLUE_FIRST) != 0u ? color.bgr : color, 1.0);
}
