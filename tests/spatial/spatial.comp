#version 450
#extension GL_GOOGLE_include_directive : require
// Computes keys, their parents and children, and their decoded cells, for spatial_test.c.
// SPDX-License-Identifier: MIT
#include "murmuration/spatial.h"
#include "layout.h"

layout(local_size_x = 64) in;
layout(push_constant) uniform Push {
    uint count;
};
layout(set = 0, binding = 0, std430) readonly buffer Items {
    SpatialItem items[];
};
layout(set = 0, binding = 1, std430) writeonly buffer Answers {
    SpatialAnswer answers[];
};

void main() {
    uint i = gl_GlobalInvocationID.x;
    if (i >= count) {
        return;
    }
    SpatialItem it = items[i];
    uint face = mur_spatial_face(vec3(it.normalX, it.normalY, it.normalZ));
    uvec2 key = mur_spatial_key_at(vec3(it.x, it.y, it.z), it.cellsPerUnit, it.level, face);
    uvec2 parent = mur_spatial_parent(key);
    uvec2 child = mur_spatial_child(key, it.octant);
    ivec3 cell = mur_spatial_cell_of(key);
    uint level = mur_spatial_level_of(key);
    uvec2 again = mur_spatial_key(cell, it.level, mur_spatial_face_of(key));
    uvec3 center = floatBitsToUint(mur_spatial_center(key, it.cellsPerUnit));
    answers[i].words = uint[SPATIAL_WORDS](
        key.x, key.y, parent.x, parent.y, child.x, child.y, again.x, again.y,
        mur_spatial_level(it.ratio), uint(cell.x), uint(cell.y), uint(cell.z), level,
        mur_spatial_face_of(key), center.x, center.y, center.z);
}
