#version 450
#extension GL_GOOGLE_include_directive : require
// The first voxel that a ray meets: one invocation. Cells of three sizes: an absent region, an
// absent brick, a voxel; each is left through its nearest face, and the cell behind is found in
// integers along that axis.
//
// Source of the method: the grid traversal of Amanatides and Woo, over cells of changing size.
// SPDX-License-Identifier: MIT
#define MUR_READ_ONLY
#include "world.glsl"
#include "edit_layout.h"

layout(local_size_x = 1) in;
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
    uint bricks;
    emptySize = 64;
    if (!mur_find(push.world.regions, brickKey(place >> REGION_SHIFT), bricks)) {
        return 0u;
    }
    uint value = findBrick(push.world, place >> BRICK_SHIFT);
    emptySize = 8;
    if (!brickHasVoxels(value)) {
        return brickUniform(value) ? brickColor(value) : 0u;
    }
    uint number = voxelNumber(place & 7u);
    uint word = BrickPool(push.world.pool).bricks[value].palette[number >> 2];
    emptySize = 1;
    return word >> (8u * (number & 3u)) & 255u;
}

// Where the ray enters the world's box; t is 0 if it starts inside.
bool enterWorld(vec3 origin, vec3 inverse, out float t, out int axis) {
    vec3 a = -origin * inverse;
    vec3 b = (vec3(worldSize()) - origin) * inverse;
    vec3 near = min(a, b);
    vec3 far = max(a, b);
    axis = near.x >= near.y && near.x >= near.z ? 0 : near.y >= near.z ? 1 : 2;
    t = max(near[axis], 0.0);
    return t <= min(far.x, min(far.y, far.z));
}

Pick sendRay(vec3 origin, vec3 direction, float limit) {
    Pick pick = Pick(0u, 0, 0, 0, 0, 0, 0, 0u);
    vec3 d = mix(direction, vec3(1e-7), lessThan(abs(direction), vec3(1e-7)));
    vec3 inverse = 1.0 / d;
    ivec3 forward = ivec3(greaterThan(d, vec3(0.0)));
    float t;
    int axis;
    bool going = enterWorld(origin, inverse, t, axis);
    ivec3 normal = ivec3(0);
    ivec3 voxel = clamp(ivec3(floor(origin + d * t)), ivec3(0), worldSize() - 1);
    if (t > 0.0) {
        voxel[axis] = forward[axis] != 0 ? 0 : worldSize()[axis] - 1;
        normal[axis] = 1 - 2 * forward[axis];
    }
    for (int i = 0; i < MAX_STEPS && going; ++i) {
        bool inside = all(greaterThanEqual(voxel, ivec3(0))) && all(lessThan(voxel, worldSize()));
        int size = 1;
        uint color = inside && t < limit ? probe(voxel, size) : 0u;
        if (color != 0u) {
            pick = Pick(1u, voxel.x, voxel.y, voxel.z, normal.x, normal.y, normal.z, color);
        }
        going = inside && t < limit && color == 0u;
        if (going) {
            ivec3 low = voxel & -size;
            vec3 to = (vec3(low + forward * size) - origin) * inverse;
            axis = to.x <= to.y && to.x <= to.z ? 0 : to.y <= to.z ? 1 : 2;
            t = to[axis];
            voxel = clamp(ivec3(floor(origin + d * t)), low, low + (size - 1));
            voxel[axis] = forward[axis] != 0 ? low[axis] + size : low[axis] - 1;
            normal = ivec3(0);
            normal[axis] = 1 - 2 * forward[axis];
        }
    }
    return pick;
}

void main() {
    PickAt(push.pick).pick = sendRay(vec3(push.x, push.y, push.z), vec3(push.dx, push.dy, push.dz),
                                  push.limit);
}
