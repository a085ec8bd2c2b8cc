#version 450
#extension GL_GOOGLE_include_directive : require
// Rays for each cell of the list, from the face of it that was met last: one, and more where the
// budget has some left.
// SPDX-License-Identifier: MIT
#include "trace.glsl"
#include "light.glsl"

layout(local_size_x = LIGHT_GROUP) in;

void main() {
    readView();
    uint item = gl_GlobalInvocationID.x;
    uint slot = MUR_NO_SLOT;
    uvec2 key;
    uint listed = LightCountList(viewLight.counts).counts[viewLight.frame & 1u].listed;
    uint rays = clamp(viewLight.budget / max(listed, 1u), 1u, LIGHT_MOST_RAYS);
    if (item < listed) {
        slot = LightList(viewLight.list).slots[item];
    }
    Cache cache = emptyCache();
    if (slot != MUR_NO_SLOT && mur_slot_entry(viewLight.cells, slot, key)) {
        LightCells payload = LightCells(viewLight.payload);
        Surface s = lightFace(key, payload.cells[slot].state >> LIGHT_WHERE);
        vec3 normal = vec3(s.normal), sum = vec3(0.0);
        ivec3 u, v;
        tangents(s.normal, u, v);
        uint salt = mur_hash(key.x ^ mur_hash(key.y, 7u), 9u);
        for (uint i = 0u; i < rays; ++i) {
            uint n = viewLight.frame * LIGHT_MOST_RAYS + i;
            vec2 within = even(n, salt + 2u) - 0.5;
            vec3 origin = s.position + within.x * vec3(u) + within.y * vec3(v) + 1e-3 * normal;
            Surface first;
            Path path = Path(origin, cosineLaw(s.normal, even(n, salt)), s.voxel + s.normal, 0.0,
                             false, false, true, salt + 16u * i);
            sum += follow(cache, path, first);
        }
        payload.cells[slot].given = 1.0 + sum / float(rays);
    }
    count(cache);
}
