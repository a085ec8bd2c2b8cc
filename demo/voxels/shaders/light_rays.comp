#version 450
#extension GL_GOOGLE_include_directive : require
// Rays for each cell of the list, from the face of it that was met last: one, and more if the
// budget allows it.
// SPDX-License-Identifier: MIT
#include "trace.glsl"
#include "light.glsl"
#include "follow.glsl"

layout(local_size_x = LIGHT_GROUP) in;

const uint YOUNG = 64u; // samples: until then a cell learns from those beside it

// The mean of the cells around, or the own sample.
vec3 around(vec3 own, Surface s, uint level) {
    ivec3 ways[2];
    vec4 sum = vec4(0.0);
    uint where;
    tangents(s.normal, ways[0], ways[1]);
    for (uint i = 0u; i < 4u; ++i) {
        Surface beside = s;
        beside.voxel += (1 - int(i & 2u)) * (1 << level) * ways[i & 1u];
        uint slot = mur_find_slot(viewLight.cells, lightKey(beside, level, where));
        if (slot != MUR_NO_SLOT) {
            LightCell cell = LightCells(viewLight.payload).cells[slot];
            sum += float(cell.state & 255u) * vec4(cell.slow, 1.0);
        }
    }
    return sum.a < 8.0 ? own : sum.rgb / sum.a;
}

void main() {
    readView();
    uint item = gl_GlobalInvocationID.x;
    uint slot = MUR_NO_SLOT;
    uvec2 key;
    uint listed = LightCountList(viewLight.counts).counts[viewLight.frame & 1u].listed;
    uint rays = lightRays(listed);
    if (item < listed) {
        slot = Words(viewLight.list).words[item];
    }
    Cache cache = emptyCache();
    if (slot != MUR_NO_SLOT && mur_slot_entry(viewLight.cells, slot, key)) {
        LightCells payload = LightCells(viewLight.payload);
        uint state = payload.cells[slot].state;
        Surface s = lightFace(key, state >> LIGHT_WHERE);
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
        sum = min(sum / float(rays), vec3(6e4));
        bool learns = (state & 255u) < YOUNG && (state & LIGHT_BIT) == 0u;
        vec3 beside = learns ? around(sum, s, key.y >> 20) : sum;
        payload.cells[slot].given = uvec3(packHalf2x16(sum.rg) | LIGHT_BIT,
                                          packHalf2x16(vec2(sum.b, beside.r)),
                                          packHalf2x16(beside.gb));
    }
    count(cache);
}
