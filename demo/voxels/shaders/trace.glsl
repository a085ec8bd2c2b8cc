// The world for shaders that send rays: their input, and the picture for an eye.
// SPDX-License-Identifier: MIT
#define MUR_SETS
#define MUR_NONCOHERENT_LOOKUPS // nothing writes the world; a missed cell has no effect
#define MUR_BUCKETS MUR_BUCKETS_SETS // the cells of light are a set
#define WORLD_READ
#include "world.glsl"
#include "view_layout.h"

layout(push_constant) uniform Push {
    TracePush push;
};
layout(buffer_reference, std430, buffer_reference_align = 16) readonly buffer ViewBlock {
    View view;
};
layout(buffer_reference, std430, buffer_reference_align = 16) buffer CountBlock {
    ViewCounts counts;
};
layout(buffer_reference, std430, buffer_reference_align = 4) buffer FloatList {
    float floats[];
};
layout(buffer_reference, std430, buffer_reference_align = 16) buffer SumList {
    vec4 sums[];
};

// Whole vectors, loaded once: Mesa 22.3's software driver mixes up single components of vectors
// that are read through an address.
vec4 viewSun;
vec4 viewSunLight;
vec4 viewZenith;
vec4 viewHorizon;
vec4 viewGround;
ivec4 viewBase;
uvec2 viewSize; // in pixels that are drawn
uvec2 viewMasks;
uint viewFlags;
uint viewWater;
LightRef viewLight;

#define VIEW ViewBlock(push.view).view

#include "march.glsl"
#include "sky.glsl"
#include "scene.glsl"

void readView() {
    viewSun = VIEW.sun;
    viewSunLight = VIEW.sunLight;
    viewZenith = VIEW.zenith;
    viewHorizon = VIEW.horizon;
    viewGround = VIEW.ground;
    viewBase = VIEW.base;
    viewSize = (uvec2(VIEW.width, VIEW.height) + VIEW.larger) / (1u + VIEW.larger);
    viewMasks = VIEW.masks;
    viewFlags = VIEW.flags;
    viewWater = VIEW.waterFirst;
    viewLight = VIEW.light;
    readBox();
}

// at: in pixels, from the upper left.
vec3 rayDirection(vec2 at) {
    vec2 place = 2.0 * at / vec2(viewSize) - 1.0;
    return normalize(VIEW.forward.xyz + place.x * VIEW.right.xyz - place.y * VIEW.up.xyz);
}

shared uint sums[6];

// All invocations of a workgroup come here; their counts are added in shared memory.
void count(Cache cache) {
    const uint here[6] = uint[](cache.rays, cache.lookups, cache.steps, cache.found,
                                cache.inserted, cache.refused);
    if (gl_LocalInvocationIndex < 6u) {
        sums[gl_LocalInvocationIndex] = 0u;
    }
    barrier();
    for (uint i = 0u; i < 6u; ++i) {
        atomicAdd(sums[i], here[i]);
    }
    barrier();
    if (gl_LocalInvocationIndex == 0u) {
        CountBlock total = CountBlock(VIEW.counts);
        atomicAdd(total.counts.rays, sums[0]);
        atomicAdd(total.counts.lookups, sums[1]);
        atomicAdd(total.counts.steps, sums[2]);
        atomicAdd(total.counts.found, sums[3]);
        atomicAdd(total.counts.inserted, sums[4]);
        atomicAdd(total.counts.refused, sums[5]);
    }
}
