#version 450
#extension GL_GOOGLE_include_directive : require
// The picture: every pixel is rays through the brick table. Lookups only, so that no stage
// feature is needed.
// SPDX-License-Identifier: MIT
#define MUR_READ_ONLY
#include "world.glsl"

layout(push_constant) uniform Push {
    PicturePush push;
};
layout(buffer_reference, std430, buffer_reference_align = 16) readonly buffer ViewBlock {
    View view;
};
#define view ViewBlock(push.view).view

// Whole vectors, loaded once: Mesa 22.3's software driver mixes up single components of vectors
// that are read through an address.
vec4 viewSun;
vec4 viewGround;

#include "march.glsl"
#include "sky.glsl"
#include "shade.glsl"

layout(location = 0) out vec4 pixel;

vec3 trace(inout Cache cache, vec3 origin, vec3 direction, uint salt) {
    Hit hit = march(cache, origin, direction, ivec3(floor(origin)), 1e6);
    float ground = direction.y < 0.0 ? (viewGround.y - origin.y) / direction.y : -1.0;
    vec3 color;
    if (hit.color != 0u && (ground < 0.0 || hit.t < ground)) {
        color = shadeVoxel(cache, hit, origin, direction, salt);
        float haze = 1.0 - exp(-0.10 * hit.t / viewGround.w);
        color = mix(color, HAZE, haze);
    } else if (ground > 0.0) {
        color = shadeGround(cache, origin, direction, ground, salt);
    } else {
        color = skyColor(direction);
    }
    return color;
}

void main() {
    viewSun = view.sun;
    viewGround = view.ground;
    Cache cache = emptyCache();
    vec3 sum = vec3(0.0);
    uint side = view.samples;
    for (uint i = 0u; i < side * side; ++i) {
        vec2 offset = (vec2(i % side, i / side) + 0.5) / float(side);
        vec2 at = (floor(gl_FragCoord.xy) + offset) / vec2(push.width, push.height);
        vec3 direction = normalize(view.forward.xyz + (2.0 * at.x - 1.0) * view.right.xyz +
                                   (1.0 - 2.0 * at.y) * view.up.xyz);
        sum += min(trace(cache, view.eye.xyz, direction, i), vec3(8.0));
    }
    vec2 aside = 2.0 * gl_FragCoord.xy / vec2(push.width, push.height) - 1.0;
    float vignette = 1.0 - 0.22 * dot(aside, aside);
    pixel = vec4(toneMap(vignette * sum / float(side * side)), 1.0);
}
