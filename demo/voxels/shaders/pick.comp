#version 450
#extension GL_GOOGLE_include_directive : require
// The first voxel that a ray meets: one invocation; the others of its vector are there because
// Mesa 22.3's software driver gives lanes that no invocation has zeros to read, and a probe for an
// empty slot would run to its limit in them. Cells of three sizes: an absent region, an
// absent brick, a voxel; each is left through its nearest face, and the cell behind is found in
// integers along that axis.
//
// Source of the method: the grid traversal of Amanatides and Woo, over cells of changing size.
// SPDX-License-Identifier: MIT
#define MUR_READ_ONLY
#include "world.glsl"
#include "edit_layout.h"

layout(local_size_x = 32) in;
layout(push_constant) uniform Push {
    PickPush push;
};
layout(buffer_reference, std430, buffer_reference_align = 4) writeonly buffer PickAt {
    Pick pick;
};

const int MAX_STEPS = 8192;

ivec3 worldSize() {
    return ivec3(WORLD_SIZE_X, WORLD_SIZE_Y, WORLD_SIZE_Z);
}

// The colour of a voxel; if it is 0, how large an empty cell is around it.
uint probe(ivec3 voxel, out int emptySize) {
    uvec3 place = uvec3(voxel);
    uint color = 0u;
    uint bricks;
    emptySize = 64;
    if (mur_find(push.world.regions, brickKey(place >> REGION_SHIFT), bricks)) {
        uint value = findBrick(push.world, place >> BRICK_SHIFT);
        if (brickHasVoxels(value)) {
            uint number = voxelNumber(place & 7u);
            uint word = BrickPool(push.world.pool).bricks[value].palette[number >> 2];
            color = word >> (8u * (number & 3u)) & 255u;
            emptySize = 1;
        } else {
            color = brickUniform(value) ? brickColor(value) : 0u;
            emptySize = 8;
        }
    }
    return color;
}

Pick sendRay(vec3 origin, vec3 direction, float limit) {
    Pick pick = Pick(0u, 0, 0, 0, 0, 0, 0, 0u);
    vec3 d = mix(direction, vec3(1e-7), lessThan(abs(direction), vec3(1e-7)));
    vec3 inverse = 1.0 / d;
    ivec3 forward = ivec3(greaterThan(d, vec3(0.0)));
    // Into the world's box, if the ray starts outside of it.
    vec3 a = -origin * inverse;
    vec3 b = (vec3(worldSize()) - origin) * inverse;
    vec3 near = min(a, b);
    vec3 far = max(a, b);
    float t = max(0.0, max(near.x, max(near.y, near.z)));
    float end = min(limit, min(far.x, min(far.y, far.z)));
    bvec3 face = equal(near, vec3(t)); // none if it starts inside
    ivec3 voxel = clamp(ivec3(floor(origin + d * t)), ivec3(0), worldSize() - 1);
    bool going = t <= end;
    for (int i = 0; i < MAX_STEPS && going; ++i) {
        int size;
        uint color = probe(voxel, size);
        if (color != 0u) {
            ivec3 normal = mix(ivec3(0), 1 - 2 * forward, face);
            pick = Pick(1u, voxel.x, voxel.y, voxel.z, normal.x, normal.y, normal.z, color);
            going = false;
        } else {
            ivec3 low = voxel & -size;
            vec3 to = (vec3(low + forward * size) - origin) * inverse;
            t = min(to.x, min(to.y, to.z));
            face = bvec3(to.x == t, to.x != t && to.y == t, to.x != t && to.y != t);
            ivec3 along = clamp(ivec3(floor(origin + d * t)), low, low + (size - 1));
            voxel = mix(along, low - 1 + forward * (size + 1), face);
            going = t < end;
        }
    }
    return pick;
}

void main() {
    if (gl_LocalInvocationIndex == 0u) {
        PickAt(push.pick).pick = sendRay(vec3(push.x, push.y, push.z),
                                         vec3(push.dx, push.dy, push.dz), push.limit);
    }
}
