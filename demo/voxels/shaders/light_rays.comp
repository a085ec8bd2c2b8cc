#version 450
#extension GL_GOOGLE_include_directive : require
// A ray for each cell of the list, from the face of it that was met last.
// SPDX-License-Identifier: MIT
#include "trace.glsl"
#include "light.glsl"

layout(local_size_x = LIGHT_GROUP) in;

void main() {
    readView();
    uint item = gl_GlobalInvocationID.x;
    uint slot = MUR_NO_SLOT;
    uvec2 key;
    if (item < LightCountList(viewLight.counts).counts[viewLight.frame & 1u].listed) {
        slot = LightList(viewLight.list).slots[item];
    }
    Cache cache = emptyCache();
    if (slot != MUR_NO_SLOT && mur_slot_entry(viewLight.cells, slot, key)) {
        LightCells payload = LightCells(viewLight.payload);
        Surface s = lightFace(key, payload.cells[slot].state >> LIGHT_WHERE);
        uint salt = mur_hash(key.x ^ mur_hash(key.y, 7u), 9u);
        ivec3 u, v;
        tangents(s.normal, u, v);
        vec2 within = even(viewLight.frame, salt + 2u) - 0.5;
        s.position += within.x * vec3(u) + within.y * vec3(v);
        Path path = Path(s.position + 1e-3 * vec3(s.normal),
                         cosineLaw(s.normal, even(viewLight.frame, salt)), s.voxel + s.normal, 0.0,
                         false, false, salt);
        payload.cells[slot].given = 1.0 + follow(cache, path, s);
    }
    count(cache);
}
