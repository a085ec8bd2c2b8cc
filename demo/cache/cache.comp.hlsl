// The cache of cache.comp in HLSL. SPDX-License-Identifier: MIT
#define MUR_KEYS_64
#define MUR_SETS
#define MUR_BUCKETS MUR_BUCKETS_ALL
#include "murmuration.hlsli"
#include "murmuration/spatial.h"
#include "cache.h"
#define vec2  float2
#define vec3  float3
#define uvec2 uint2
#define uvec4 uint4
#include "world.glsl"

[[vk::push_constant]] ConstantBuffer<CachePush> push;
[[vk::binding(0, 0)]] MUR_BUFFER table : register(u0); // murGetTableMemory
[[vk::binding(1, 0)]] RWStructuredBuffer<CacheCell> cells : register(u1); // by slot
[[vk::binding(2, 0)]] RWStructuredBuffer<uint> output : register(u2);     // counts, pixels

static const float3 NONE = float3(0.0, 0.0, 0.0);

// Returns the cached light, with w = 1 if there is any. For new cells also uses the parent, one
// level up.
float4 light_at(float3 p, float3 jitter) {
    uint2 key = key_of(p, jitter, push.frame);
    uint slot = mur_find_slot(table, push.cells, key);
    if (slot == MUR_NO_SLOT || cells[slot].history < 16u << 4u) {
        uint parent = mur_find_slot(table, push.cells, mur_spatial_parent(key));
        slot = parent != MUR_NO_SLOT ? parent : slot;
    }
    float4 light = float4(NONE, 0.0);
    if (slot != MUR_NO_SLOT) {
        light = float4(cells[slot].light, 1.0);
    }
    return light;
}

// Adds one sample for each of two path vertices. Samples without a slot are lost and counted.
void update(float3 p, uint path) {
    bool more = true;
    for (uint i = 0u; i < 2u && more; ++i) {
        uint slot;
        uint status = mur_insert(table, push.cells, key_of(p, NONE, push.frame), slot);
        float3 normal = normal_at(p);
        float3 dice = toss(mur_hash(2u * path + i, push.frame));
        float3 way = normalize(1.001 * normal + normalize(dice));
        float3 q;
        more = trace(p + 0.02 * normal, way, q);
        float3 incoming = sky(way);
        if (more) {
            incoming = shine(q, light_at(q, NONE).rgb);
        }
        uint3 light = uint3(FIXED * incoming);
        InterlockedAdd(output[status], 1u);
        if (slot != MUR_NO_SLOT) {
            InterlockedAdd(cells[slot].sum.x, light.x);
            InterlockedAdd(cells[slot].sum.y, light.y);
            InterlockedAdd(cells[slot].sum.z, light.z);
            InterlockedAdd(cells[slot].sum.w, 1u);
        }
        p = q;
    }
}

// Resolves, ages and evicts in one pass. A slot without an entry is cleared for the next entry. If
// too few slots of a bucket are vacant, its oldest entries are evicted early.
groupshared uint ages[CACHE_GROUP]; // 0: no entry; 1: used in this frame; more: older
groupshared uint vacant[CACHE_GROUP / 16u]; // slots of each bucket
void resolve(uint slot, bool inside, uint lane) {
    uint bucket = lane / 16u, older = 0u;
    uint2 key;
    bool entry = inside && mur_slot_entry(table, push.cells, slot, key);
    CacheCell cell = cells[inside ? slot : 0u];
    uint age = cell.sum.w != 0u ? 0u : (cell.history & 15u) + 1u;
    bool live = entry && age < CACHE_OLDEST;
    ages[lane] = live ? age + 1u : 0u;
    if (lane % 16u == 0u) {
        vacant[bucket] = 0u;
    }
    GroupMemoryBarrierWithGroupSync();
    if (!live) {
        InterlockedAdd(vacant[bucket], 1u);
    }
    GroupMemoryBarrierWithGroupSync();
    for (uint i = 16u * bucket; i < 16u * bucket + 16u && vacant[bucket] < push.reserved; ++i) {
        older += ages[i] > ages[lane] || (ages[i] == ages[lane] && i < lane) ? 1u : 0u;
    }
    live = live && (age == 0u || older + vacant[bucket] >= push.reserved);
    if (entry) {
        InterlockedAdd(output[live ? MUR_FOUND : MUR_ERASED], 1u);
        InterlockedAdd(output[CACHE_SAMPLES], cell.sum.w);
    }
    if (live) {
        mur_retain(table, push.cells.table, slot);
        cells[slot] = resolved(cell, age);
    } else if (inside) {
        mur_evict(table, push.cells.table, slot);
        cells[slot] = (CacheCell)0;
    }
}

// The picture: on the left the cells, then the light in them, then the scene drawn with it.
float3 query(float3 p, uint pixel) {
    uint third = 3u * (pixel % CACHE_WIDTH) / CACHE_WIDTH;
    uint2 key = key_of(p, NONE, push.frame);
    float3 dye = mur_find(table, push.cells, key) ? 0.5 + 0.5 * toss(mur_hash(key.x, key.y)) : NONE;
    float4 light = light_at(p, NONE);
    for (uint i = 0u; i < 8u && third == 2u; ++i) { // blends neighbours
        light += light_at(p, toss(mur_hash(8u * pixel + i, push.frame)));
    }
    light /= max(light.a, 1.0);
    return third == 0u ? dye : third == 1u ? light.rgb : shine(p, light.rgb);
}

[numthreads(CACHE_GROUP, 1, 1)]
void main(uint3 id : SV_DispatchThreadID, uint lane : SV_GroupIndex) {
    uint slots, size;
    cells.GetDimensions(slots, size);
    if (push.phase == CACHE_RESOLVE) {
        resolve(id.x, id.x < slots, lane);
        return;
    }
    bool updates = push.phase == CACHE_UPDATE;
    uint pixel = updates ? CACHE_RUN * id.x + mur_hash(id.x, push.frame) % CACHE_RUN : id.x;
    if (pixel >= CACHE_PIXELS) {
        return;
    }
    float3 p;
    float3 way = way_of(pixel);
    bool hit = trace(camera(push.frame), way, p);
    if (updates && hit) {
        update(p, id.x);
    } else if (!updates) {
        float3 color = sky(way);
        if (hit) {
            color = query(p, pixel);
        }
        uint3 bytes = uint3(255.0 * sqrt(color / (color + 0.4)) + 0.5);
        output[CACHE_COUNTS + pixel] = bytes.x | bytes.y << 8u | bytes.z << 16u;
    }
}
