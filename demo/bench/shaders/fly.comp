#version 450
#extension GL_GOOGLE_include_directive : require
// The lookups of a camera over a terrain in one frame: the bricks of all columns within its radius
// and 45 degrees to either side, in a paged table. SPDX-License-Identifier: MIT
#define MUR_READ_ONLY
#define MUR_PAGED
#define MUR_KEYS_64
#include "murmuration.glsl"
#include "item.glsl"
#include "pair.glsl"
#include "terrain.glsl"

layout(buffer_reference, std430, buffer_reference_align = 8) readonly buffer Arguments {
    FlyPush fly;
};
layout(push_constant) uniform Push {
    Arguments arguments;
};
shared uint counts[3];

void look(FlyPush fly, vec2 offset) {
    uint last = (1u << fly.side) - 1u;
    uvec2 column = uvec2(ivec2(fly.x, fly.y) + ivec2(offset)) & last;
    float away = length(offset) / float(fly.radius);
    uint value;
    uint status = mur_paged_find(fly.table, terrain_brick(column), uint(255.0 - 255.0 * away),
                                 value);
    atomicAdd(counts[FLY_LOOKUPS], 1u);
    if (status == MUR_NOT_RESIDENT) {
        return;
    }
    atomicAdd(counts[FLY_ANSWERED], 1u);
    if (status != MUR_FOUND || value != pair_value(terrain_index(fly.side, column) & fly.mask)) {
        atomicAdd(counts[FLY_WRONG], 1u);
    }
}

void main() {
    FlyPush fly = arguments.fly;
    if (gl_LocalInvocationIndex < 3u) {
        counts[gl_LocalInvocationIndex] = 0u;
    }
    barrier();
    uint i = item(), width = 2u * fly.radius;
    vec2 offset = vec2(i % width, i / width) - float(fly.radius);
    float ahead = dot(offset, vec2(int(fly.east), int(fly.north)) / 1024.0);
    float square = dot(offset, offset);
    if (i < width * width && square < float(fly.radius * fly.radius) && ahead >= 0.0 &&
        2.0 * ahead * ahead >= square) {
        look(fly, offset);
    }
    barrier();
    if (gl_LocalInvocationIndex < 3u && counts[gl_LocalInvocationIndex] != 0u) {
        atomicAdd(Word(mur_offset(fly.counts, gl_LocalInvocationIndex, 2u)).word,
                  counts[gl_LocalInvocationIndex]);
    }
}
