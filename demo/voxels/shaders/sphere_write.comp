#version 450
#extension GL_GOOGLE_include_directive : require
// Adds or digs a sphere: a workgroup a brick of the box, an invocation a word of palette indices.
// SPDX-License-Identifier: MIT
#include "world.glsl"
#include "group.glsl"

layout(local_size_x = 128) in;
layout(push_constant) uniform Push {
    SpherePush push;
};

void main() {
    uvec3 brick = groupBrick(push.box);
    uint index = findBrick(push.world, brick);
    if (!brickAllocated(index)) {
        return;
    }
    uint word = gl_LocalInvocationIndex;
    uvec3 voxel = brick * BRICK_WIDTH + numberVoxel(4u * word);
    ivec3 away = ivec3(voxel) - ivec3(push.sphere.x, push.sphere.y, push.sphere.z);
    uvec4 colors = uvec4(0u);
    uint bits = 0u;
    for (uint i = 0u; i < 4u; ++i) {
        ivec3 to = away + ivec3(i, 0, 0);
        if (sphereHas(to.x, to.y, to.z, int(push.sphere.radius))) {
            bits |= 1u << i;
            colors[i] = sphereColor(voxel.x + i, voxel.y, voxel.z, to.y, push.sphere.radius,
                                    push.sphere.colors);
        }
    }
    if (bits == 0u) {
        return;
    }
    if (push.sphere.operation == SPHERE_ADD) {
        paintVoxels(push.world, index, word, colors);
    } else {
        clearVoxels(push.world, index, word, bits);
    }
}
