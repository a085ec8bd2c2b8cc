#version 450
#extension GL_GOOGLE_include_directive : require
// The first voxel that a ray meets, found in the tracer's own way. One invocation would do; but
// Mesa 22.3's software driver gives the lanes of a vector that no invocation has zeros to read, and
// a probe for an empty slot would run to its limit in them. So all of them do the same.
// SPDX-License-Identifier: MIT
#define MUR_READ_ONLY
#define WORLD_READ
#include "world.glsl"
#include "edit_layout.h"

layout(local_size_x = 32) in;
layout(push_constant) uniform Push {
    PickPush push;
};
layout(buffer_reference, std430, buffer_reference_align = 4) writeonly buffer PickAt {
    Pick pick;
};

ivec4 viewBase;
uvec2 viewMasks;

#include "march.glsl"

void main() {
    vec3 place = vec3(push.x, push.y, push.z);
    vec3 direction = vec3(push.dx, push.dy, push.dz);
    viewBase = ivec4(ivec3(floor(place / 64.0)) * 64, 0);
    viewMasks = push.masks;
    readBox();
    Cache cache = emptyCache();
    vec3 origin = place - vec3(viewBase.xyz);
    Hit hit = march(cache, origin, direction, ivec3(floor(origin)), 0.0, push.limit);
    uint color = hit.found ? colorOf(cache, hit.voxel) : 0u;
    if (gl_LocalInvocationIndex == 0u && hit.found) { // else the host's own hit stays
        ivec3 voxel = hit.voxel + viewBase.xyz;
        PickAt(push.pick).pick = Pick(PICK_VOXEL, int[](voxel.x, voxel.y, voxel.z),
                                      int[](hit.normal.x, hit.normal.y, hit.normal.z), color);
    }
}
