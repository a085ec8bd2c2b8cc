#version 460
#extension GL_GOOGLE_include_directive : require
// One point per pixel. Its colour is the value that the vertex shader found.
// SPDX-License-Identifier: MIT
#include "work.glsl"

layout(location = 0) flat out uint found;

void main() {
    uint item = uint(gl_VertexIndex);
    vec2 pixel = vec2(float(item % push.width), float(item / push.width)) + 0.5;
    gl_Position = vec4(2.0 * pixel / vec2(float(push.width), float(push.height)) - 1.0, 0.0, 1.0);
    gl_PointSize = 1.0;
    found = work(item);
}
