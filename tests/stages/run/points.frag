#version 460
// SPDX-License-Identifier: MIT
layout(location = 0) flat in uint found;
layout(location = 0) out uint color;
layout(location = 1) out ivec2 slope;

void main() {
    color = found;
    slope = ivec2(0);
}
