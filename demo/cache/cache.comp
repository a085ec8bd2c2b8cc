#version 450
#extension GL_GOOGLE_include_directive : require
// SPDX-License-Identifier: MIT
#define MUR_KEYS_64
#define MUR_AGES
#include "murmuration.glsl"
#include "murmuration/spatial.h"
#include "cache.h"

layout(local_size_x = CACHE_GROUP) in;
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Words { uint words[]; };
layout(buffer_reference, std430, buffer_reference_align = 16) buffer Lights { vec4 lights[]; };
layout(push_constant) uniform Push { CachePush push; };
#define WORD(buffer, i) Words(push.at[buffer]).words[i]
#define LIGHT(slot)     Lights(push.at[CACHE_LIGHT]).lights[slot]

const float CELLS_PER_UNIT = 4.0;
const float NEAR = 4.0; // cells are the finest up to twice as far
const vec3 SUN = vec3(0.48, 0.6, -0.64);
#define CAMERA vec3(2.0, 2.5, 0.2 * float(push.frame))

// ---- A world: ground, and balls in rows without end.

vec3 ball(vec3 p) { return vec3(mod(p.x + 4.0, 8.0) - 4.0, p.y - 1.2, mod(p.z + 4.0, 8.0) - 4.0); }

float space(vec3 p) { return min(p.y, length(ball(p)) - 1.5); }

vec3 normal_at(vec3 p) { return p.y < 0.004 ? vec3(0.0, 1.0, 0.0) : normalize(ball(p)); }

bool trace(vec3 from, vec3 way, out vec3 p) {
    float far = 0.0, near = 1.0;
    for (uint i = 0u; i < 96u && far < 120.0 && near > 0.002; ++i) {
        p = from + far * way;
        near = space(p);
        far += near;
    }
    return near <= 0.002;
}

vec3 sky(vec3 way) { return mix(vec3(0.7, 0.75, 0.8), vec3(0.2, 0.4, 0.8), max(way.y, 0.0)); }

// Light that leaves a point, with what falls onto it from all over.
vec3 shine(vec3 p, vec3 normal, vec3 around) {
    vec3 end;
    bool lit = !trace(p + 0.02 * normal, SUN, end);
    bool red = p.y > 0.004 && mod(p.x + 4.0, 16.0) < 8.0;
    vec3 color = red ? vec3(0.9, 0.3, 0.1) : vec3(0.6);
    return color * (around + (lit ? 2.0 * max(dot(normal, SUN), 0.0) : 0.0));
}

// ---- The cache.

uvec2 key_of(vec3 p, vec3 normal) {
    uint level = mur_spatial_level(distance(p, CAMERA) / NEAR);
    return mur_spatial_key_at(p, CELLS_PER_UNIT, level, mur_spatial_face(normal));
}

// A new cell starts from its parent. If that is new, too, it is empty, or has in part what it
// starts from itself: good enough for a guess.
uint look(vec3 p) {
    uint slot;
    uvec2 key = key_of(p, normal_at(p));
    uint status = mur_insert(push.table, key, 1u, slot); // the value is not used
    mur_touch(push.at[CACHE_AGES], slot, push.frame);
    atomicAdd(WORD(CACHE_COUNTS, status), 1u);
    if (status == MUR_INSERTED) {
        uint parent = mur_find_slot(push.table, mur_spatial_parent(key));
        if (parent != MUR_NO_SLOT) {
            LIGHT(slot) = min(LIGHT(parent), vec4(1e3, 1e3, 1e3, 4.0));
            atomicAdd(WORD(CACHE_COUNTS, 0u), 1u);
        }
    }
    return slot;
}

void update(uint slot) {
    uvec2 key;
    uint value;
    mur_slot_entry(push.table, slot, key, value);
    uint face = mur_spatial_face_of(key);
    vec3 normal = vec3(0.0);
    normal[face / 2u] = (face & 1u) == 0u ? 1.0 : -1.0;
    float turn = 6.2831853 * float(mur_hash(slot, push.frame)) / 4294967296.0;
    float height = 2.0 * float(mur_hash(slot, ~push.frame)) / 4294967296.0 - 1.0;
    vec3 dice = vec3(sqrt(1.0 - height * height) * vec2(cos(turn), sin(turn)), height);
    vec3 p, from = mur_spatial_center(key, 1.0 / CELLS_PER_UNIT);
    vec3 way = normalize(normal * 1.001 + dice);
    vec3 light = sky(way);
    if (trace(from + normal * max(0.02, 0.02 - space(from)), way, p)) {
        vec3 there = normal_at(p); // what falls there is in the cache, if anybody looked
        uint seen = mur_find_slot(push.table, key_of(p, there));
        light = shine(p, there, seen != MUR_NO_SLOT ? LIGHT(seen).rgb : vec3(0.1));
    }
    float count = min(LIGHT(slot).a + 1.0, 64.0);
    LIGHT(slot) = vec4(mix(LIGHT(slot).rgb, light, 1.0 / count), count);
}

void main() {
    uint item = gl_GlobalInvocationID.x;
    vec2 at = (vec2(item % CACHE_WIDTH, item / CACHE_WIDTH) + 0.5) / float(CACHE_HEIGHT);
    vec3 p, way = normalize(vec3(at.x - 0.89, 0.35 - at.y, 1.0));
    if (push.phase == CACHE_LOOK && item < CACHE_PIXELS) {
        WORD(CACHE_SEEN, item) = trace(CAMERA, way, p) ? look(p) : MUR_NO_SLOT;
    } else if (push.phase == CACHE_CLEAR && item < WORD(CACHE_RESULT, MUR_AGE_ERASED)) {
        LIGHT(WORD(CACHE_ERASED, item)) = vec4(0.0);
    } else if (push.phase == CACHE_UPDATE) {
        uint entry = item * CACHE_PARTS + push.frame % CACHE_PARTS;
        if (entry < WORD(CACHE_RESULT, MUR_AGE_LIVE)) { update(WORD(CACHE_LIVE, entry)); }
    } else if (push.phase == CACHE_SHADE && item < CACHE_PIXELS) {
        uint slot = WORD(CACHE_SEEN, item);
        vec3 around = slot != MUR_NO_SLOT ? LIGHT(slot).rgb : vec3(0.0);
        vec3 color = trace(CAMERA, way, p) ? shine(p, normal_at(p), around) : sky(way);
        WORD(CACHE_PICTURE, item) = packUnorm4x8(vec4(sqrt(color / (color + 0.6)), 1.0));
    }
}
