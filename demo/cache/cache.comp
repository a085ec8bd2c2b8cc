#version 450
#extension GL_GOOGLE_include_directive : require
// The cache. SPDX-License-Identifier: MIT
#define MUR_BUFFER_BINDING 0 // as in HLSL; a device address also works
#define MUR_KEYS_64
#define MUR_SETS
#define MUR_BUCKETS MUR_BUCKETS_ALL
#include "murmuration.glsl"
#include "murmuration/spatial.h"
#include "cache.h"
#include "world.glsl"
layout(local_size_x = CACHE_GROUP) in;
layout(push_constant) uniform Push { CachePush push; };
layout(binding = 1) buffer Cells { CacheCell cells[]; }; // by slot
layout(binding = 2) buffer Output { uint counts[CACHE_COUNTS], picture[]; };

// Returns the cached light, with w = 1 if there is any. For new cells also uses the parent, one
// level up.
vec4 light_at(vec3 p, vec3 jitter) {
    uvec2 key = key_of(p, jitter, push.frame);
    uint slot = mur_find_slot(push.cells, key);
    if (slot == MUR_NO_SLOT || cells[slot].history < 16u << 4u) {
        uint parent = mur_find_slot(push.cells, mur_spatial_parent(key));
        slot = parent != MUR_NO_SLOT ? parent : slot;
    }
    return slot != MUR_NO_SLOT ? vec4(cells[slot].light, 1.0) : vec4(0.0);
}

// Adds one sample for each of two path vertices. Samples without a slot are lost and counted.
void update(vec3 p, uint path) {
    bool more = true;
    for (uint i = 0u; i < 2u && more; ++i) {
        uint slot, status = mur_insert(push.cells, key_of(p, vec3(0.0), push.frame), slot);
        vec3 q, normal = normal_at(p), dice = toss(mur_hash(2u * path + i, push.frame));
        vec3 way = normalize(1.001 * normal + normalize(dice));
        more = trace(p + 0.02 * normal, way, q);
        uvec3 light = uvec3(FIXED * (more ? shine(q, light_at(q, vec3(0.0)).rgb) : sky(way)));
        atomicAdd(counts[status], 1u);
        if (slot != MUR_NO_SLOT) {
            atomicAdd(cells[slot].sum.x, light.x);
            atomicAdd(cells[slot].sum.y, light.y);
            atomicAdd(cells[slot].sum.z, light.z);
            atomicAdd(cells[slot].sum.w, 1u);
        }
        p = q;
    }
}

// Resolves, ages and evicts in one pass. A slot without an entry is cleared for the next entry. If
// too few slots of a bucket are vacant, its oldest entries are evicted early.
shared uint ages[CACHE_GROUP]; // 0: no entry; 1: used in this frame; more: older
shared uint vacant[CACHE_GROUP / 16u]; // slots of each bucket
void resolve(uint slot) {
    uint lane = gl_LocalInvocationIndex, bucket = lane / 16u, older = 0u;
    uvec2 key;
    bool inside = slot < cells.length(), entry = inside && mur_slot_entry(push.cells, slot, key);
    CacheCell cell = cells[inside ? slot : 0u];
    uint age = cell.sum.w != 0u ? 0u : (cell.history & 15u) + 1u;
    bool live = entry && age < CACHE_OLDEST;
    ages[lane] = live ? age + 1u : 0u;
    if (lane % 16u == 0u) {
        vacant[bucket] = 0u;
    }
    barrier();
    if (!live) {
        atomicAdd(vacant[bucket], 1u);
    }
    barrier();
    for (uint i = 16u * bucket; i < 16u * bucket + 16u && vacant[bucket] < push.reserved; ++i) {
        older += uint(ages[i] > ages[lane] || (ages[i] == ages[lane] && i < lane));
    }
    live = live && (age == 0u || older + vacant[bucket] >= push.reserved);
    if (entry) {
        atomicAdd(counts[live ? MUR_FOUND : MUR_ERASED], 1u);
        atomicAdd(counts[CACHE_SAMPLES], cell.sum.w);
    }
    if (live) {
        mur_retain(push.cells.table, slot);
        cells[slot] = resolved(cell, age);
    } else if (inside) {
        mur_evict(push.cells.table, slot);
        cells[slot] = CacheCell(uvec4(0u), vec3(0.0), 0u);
    }
}

// The picture: on the left the cells, then the light in them, then the scene drawn with it.
vec3 query(vec3 p, uint pixel) {
    uint third = 3u * (pixel % CACHE_WIDTH) / CACHE_WIDTH;
    uvec2 key = key_of(p, vec3(0.0), push.frame);
    vec3 dye = mur_find(push.cells, key) ? 0.5 + 0.5 * toss(mur_hash(key.x, key.y)) : vec3(0.0);
    vec4 light = light_at(p, vec3(0.0));
    for (uint i = 0u; i < 8u && third == 2u; ++i) { // blends neighbours
        light += light_at(p, toss(mur_hash(8u * pixel + i, push.frame)));
    }
    light /= max(light.a, 1.0);
    return third == 0u ? dye : third == 1u ? light.rgb : shine(p, light.rgb);
}

void main() {
    uint item = gl_GlobalInvocationID.x;
    bool updates = push.phase == CACHE_UPDATE;
    uint pixel = updates ? CACHE_RUN * item + mur_hash(item, push.frame) % CACHE_RUN : item;
    if (push.phase == CACHE_RESOLVE) {
        resolve(item);
    } else if (pixel < CACHE_PIXELS) {
        vec3 p, way = way_of(pixel);
        bool hit = trace(camera(push.frame), way, p);
        if (updates && hit) { update(p, item); }
        if (!updates) {
            vec3 color = hit ? query(p, pixel) : sky(way);
            picture[pixel] = packUnorm4x8(vec4(sqrt(color / (color + 0.4)), 1.0));
        }
    }
}
