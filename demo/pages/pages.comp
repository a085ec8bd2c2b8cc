#version 450
#extension GL_GOOGLE_include_directive : require
// What a pixel sees of a texture whose pages come when they are asked for.
// SPDX-License-Identifier: MIT
#define MUR_READ_ONLY
#define MUR_PAGER
#include "murmuration.glsl"
#include "pages.h"

layout(local_size_x = PAGES_GROUP) in;
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Words { uint words[]; };
layout(push_constant) uniform Push { PagesPush push; };
shared uint counts[PAGES_COUNTS];

// The texel at a place of level 0, of the level that is wanted or of the finest above it that is
// there. Each that is not is asked for, the coarser the sooner: it answers for more pixels.
uint look(uvec2 place, uint wanted) {
    uint frame, level = wanted;
    while (!mur_page(push.pager, pages_page(level, place.x >> level, place.y >> level), level,
                     frame)) {
        if (++level == PAGES_LEVELS) {
            atomicAdd(counts[PAGES_WRONG], 1u);
            return 0u;
        }
    }
    uvec2 at = place >> level;
    uint texel = mur_page_load(push.pager, frame, pages_word(at.x, at.y));
    atomicAdd(counts[PAGES_AT_ONCE], level == wanted ? 1u : 0u);
    atomicAdd(counts[PAGES_WRONG], texel != pages_texel(level, at.x, at.y) ? 1u : 0u);
    return texel;
}

// The camera flies in a circle, 60 texels above a plane that repeats without end.
uint pixel(uint item) {
    vec2 at = (vec2(item % PAGES_WIDTH, item / PAGES_WIDTH) + 0.5) / float(PAGES_HEIGHT);
    vec3 way = vec3(at.x - 0.89, 0.25 - at.y, 1.0);
    float angle = 0.008 * float(push.frame);
    vec2 ahead = vec2(-sin(angle), cos(angle)), side = vec2(ahead.y, -ahead.x);
    vec3 sky = mix(vec3(0.75, 0.82, 0.9), vec3(0.3, 0.5, 0.85), max(3.0 * way.y, 0.0));
    if (way.y > -0.005) { return packUnorm4x8(vec4(sky, 1.0)); }
    float far = 60.0 / -way.y;
    vec2 place = 500.0 * vec2(cos(angle), sin(angle)) + far * (ahead + way.x * side);
    // a texel of this level is as wide as the pixel, or up to twice
    float level = log2(max(2.0 * far / float(PAGES_HEIGHT), 1.0));
    atomicAdd(counts[PAGES_LOOKUPS], 1u);
    uint texel = look(uvec2(ivec2(floor(place))) & (PAGES_SIDE - 1u),
                      min(uint(level), PAGES_LEVELS - 1u));
    return packUnorm4x8(vec4(mix(sky, unpackUnorm4x8(texel).rgb, exp2(-far / 1200.0)), 1.0));
}

void main() {
    uint item = gl_GlobalInvocationID.x, local = gl_LocalInvocationIndex;
    if (local < PAGES_COUNTS) { counts[local] = 0u; }
    barrier();
    if (item < PAGES_PIXELS) { Words(push.picture).words[item] = pixel(item); }
    barrier();
    if (local < PAGES_COUNTS) { atomicAdd(Words(push.counts).words[local], counts[local]); }
}
