#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require
// Draws a panel of text over a picture, with one invocation per pixel.
// SPDX-License-Identifier: MIT
#include "text_layout.h"

layout(local_size_x = 8, local_size_y = 8) in;
layout(push_constant) uniform Push {
    TextPush push;
};
layout(buffer_reference, std430, buffer_reference_align = 4) readonly buffer WordList {
    uint words[];
};
layout(buffer_reference, std430, buffer_reference_align = 4) buffer PixelList {
    uint pixels[];
};

const vec3 PAPER = vec3(0.03, 0.035, 0.05);
const float PAPER_COVER = 0.8;

// Returns the fraction of a pixel that the character covers.
float coverage(uint code, uvec2 within) {
    if (code >= TEXT_FILLED && code <= TEXT_FRAMED + 2u) {
        return 1.0;
    }
    if (code < TEXT_FIRST) {
        bool inside = within.y > push.cellHeight / 5u && within.y < push.cellHeight - 2u;
        return inside && 8u * within.x < code * push.cellWidth ? 0.8 : 0.0;
    }
    uint glyph = min(code, TEXT_LAST) - TEXT_FIRST;
    uint at = (glyph * push.cellHeight + within.y) * push.cellWidth + within.x;
    return float(WordList(push.font).words[at >> 2] >> (8u * (at & 3u)) & 255u) / 255.0;
}

void main() {
    uvec2 at = gl_GlobalInvocationID.xy;
    uvec2 cellSize = uvec2(push.cellWidth, push.cellHeight);
    uvec2 pixel = at + uvec2(push.x, push.y);
    if (any(greaterThanEqual(at, cellSize * uvec2(push.columns, push.rows))) ||
        any(greaterThanEqual(pixel, uvec2(push.width, push.height)))) {
        return;
    }
    uvec2 place = at / cellSize;
    uint cell = WordList(push.cells).words[place.y * push.columns + place.x];
    uint index = pixel.y * push.width + pixel.x;
    vec4 below = unpackUnorm4x8(PixelList(push.pixels).pixels[index]);
    vec3 ink = unpackUnorm4x8(cell >> 8).bgr;
    uvec2 within = at % cellSize;
    uint code = cell & 255u;
    uint edge = min(within.y, cellSize.y - 1u - within.y);
    if (code == TEXT_FRAMED) {
        edge = min(edge, within.x);
    } else if (code == TEXT_FRAMED + 1u) {
        edge = min(edge, cellSize.x - 1u - within.x);
    }
    if (code >= TEXT_FRAMED && code <= TEXT_FRAMED + 2u && edge < 3u) {
        ink = vec3(edge < 2u ? 1.0 : 0.0);
    }
    vec3 color = push.blueFirst != 0u ? below.bgr : below.rgb;
    color = mix(color, PAPER, PAPER_COVER);
    color = mix(color, ink, coverage(code, within));
    vec4 result = vec4(push.blueFirst != 0u ? color.bgr : color, 1.0);
    PixelList(push.pixels).pixels[index] = packUnorm4x8(result);
}
