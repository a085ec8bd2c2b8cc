#version 460
// Tests whether helper invocations, which run for the neighbours of an edge pixel, load correct
// values. All words in memory are equal, so all derivatives must be 0.
// SPDX-License-Identifier: MIT
layout(set = 0, binding = 1) readonly buffer Words {
    uint words[];
};
layout(location = 0) out uint color;
layout(location = 1) out ivec2 slope;

void main() {
    uint pixel = uint(gl_FragCoord.y) * 64u + uint(gl_FragCoord.x);
    uint last = uint(words.length()) - 1u;
    color = words[min(pixel, last)] & 0xFFFFu;
    slope = ivec2(dFdxFine(float(color)), dFdyFine(float(color)));
}
