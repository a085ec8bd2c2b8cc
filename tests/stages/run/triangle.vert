#version 460
// A triangle with corners chosen by the test.
// SPDX-License-Identifier: MIT
layout(push_constant) uniform Push {
    layout(offset = 56) vec2 corners[3];
} push;

void main() {
    gl_Position = vec4(push.corners[gl_VertexIndex], 0.0, 1.0);
}
