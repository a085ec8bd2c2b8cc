#version 450
#extension GL_GOOGLE_include_directive : require
// Copies 32 bytes per invocation: the ceiling of passes over whole tables.
// SPDX-License-Identifier: MIT
#define MUR_READ_ONLY
#define PUSH RegionPush
#include "murmuration.glsl"
#include "item.glsl"

layout(buffer_reference, std430, buffer_reference_align = 16) buffer Sector {
    uvec4 low;
    uvec4 high;
};

void main() {
    uint i = item();
    if (i < push.count) {
        Sector from = Sector(mur_offset(push.region, i, 5u));
        Sector to = Sector(mur_offset(push.sink, i, 5u));
        uvec4 low = from.low;
        uvec4 high = from.high;
        to.low = low;
        to.high = high;
    }
}
