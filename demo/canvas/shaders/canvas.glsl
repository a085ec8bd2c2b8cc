// Shared by all shaders. CANVAS_PUSH: their push constants. SPDX-License-Identifier: MIT
#define MUR_PAGER
#include "murmuration.glsl"
#include "canvas_layout.h"

layout(push_constant) uniform Push { CANVAS_PUSH push; };
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Words { uint words[]; };
layout(buffer_reference, std430, buffer_reference_align = 8) buffer Texels { uvec2 texels[]; };
layout(buffer_reference, std430, buffer_reference_align = 8) readonly buffer Parts {
    CanvasParts parts;
};

// Read once: in loops software devices would read them again and again.
CanvasParts parts = Parts(push.parts).parts;
#define PART(name) parts.at[CANVAS_PART_##name]
#define STATE      Words(PART(STATE)).words

// The texels in a pool page.
Texels frame_texels(uint frame) {
    return Texels(mur_offset(parts.pager.pool, frame, CANVAS_TILE_SHIFT));
}

uvec4 unpack(uvec2 texel) {
    return uvec4(texel.x & 0xFFFFu, texel.x >> 16, texel.y & 0xFFFFu, texel.y >> 16);
}

uvec2 pack(uvec4 color) {
    return uvec2(color.r | color.g << 16, color.b | color.a << 16);
}
