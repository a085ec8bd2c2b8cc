#version 450
#extension GL_GOOGLE_include_directive : require
// Computes the keys of a world-space cache in one frame. A camera flies over a city of blocks
// between streets. The rays of its pixels continue in a random direction from the surface that they
// hit. A key is the cell and face of a surface. The level of a cell is the logarithm of its
// distance.
// SPDX-License-Identifier: MIT
#define MUR_READ_ONLY
#define PUSH CacheKeysPush
#include "murmuration.glsl"
#include "item.glsl"
#include "cell.glsl"

const float BLOCK = 16.0, HIGHEST = 66.0; // metres
const vec3 NORMALS[5] = vec3[](vec3(-1, 0, 0), vec3(1, 0, 0), vec3(0, 1, 0), vec3(0, 0, -1),
                               vec3(0, 0, 1));

float random(inout uint state) {
    state = mur_hash(state + 0x9E3779B9u, 0u);
    return float(state >> 8u) / 16777216.0;
}

float height(ivec2 block) {
    float tall = float(mur_hash(uint(block.x), mur_hash(uint(block.y), 1u)) >> 8u) / 16777216.0;
    return block.x % 4 == 0 || block.y % 5 == 0 ? 0.0 : 6.0 + (HIGHEST - 6.0) * tall * tall * tall;
}

// Follows a ray block by block. It hits the side of a block where it enters, or the roof.
bool trace(vec3 from, vec3 ray, out vec3 hit, out uint face) {
    ivec2 block = ivec2(floor(from.xz / BLOCK)), way = ivec2(sign(ray.xz));
    vec2 stride = BLOCK / abs(ray.xz);
    vec2 next = (vec2(block + max(way, ivec2(0))) * BLOCK - from.xz) / ray.xz;
    float at = 0.0;
    face = 2u;
    for (uint i = 0u; i < 128u; ++i) {
        float roof = height(block), leave = min(next.x, next.y);
        hit = from + at * ray;
        if (i > 0u && hit.y < roof) {
            return true;
        }
        float down = (roof - from.y) / ray.y;
        if (ray.y < 0.0 && down >= at && down <= leave) {
            hit = vec3(from.x + down * ray.x, roof, from.z + down * ray.z);
            face = 2u;
            return true;
        }
        if (ray.y > 0.0 && hit.y > HIGHEST) {
            return false;
        }
        bool x = next.x < next.y;
        at = leave;
        block += x ? ivec2(way.x, 0) : ivec2(0, way.y);
        next += x ? vec2(stride.x, 0.0) : vec2(0.0, stride.y);
        face = x ? (way.x > 0 ? 0u : 1u) : way.y > 0 ? 3u : 4u;
    }
    return false;
}

uvec2 key_of(vec3 hit, uint face, vec3 eye, inout uint state) {
    uint level = uint(log2(max(distance(hit, eye) / BLOCK, 1.0)));
    float fine = push.fine * (random(state) < push.burst ? 16.0 : 1.0);
    Cell cell = Cell(uvec3(floor(hit * fine / float(1u << level))), face, level);
    return push.narrow != 0u ? cell_narrow_key(cell) : cell_key(cell);
}

// Returns a direction whose components are not 0.
vec3 direction(vec3 towards) {
    return normalize(towards + vec3(equal(towards, vec3(0.0))) * 1e-6);
}

void main() {
    uint i = item(), paths = push.both != 0u ? push.count / 2u : push.count;
    if (i >= paths) {
        return;
    }
    uint state = mur_hash(i, push.frame * 2u + push.both);
    // Items are tiles of 8 x 4 pixels, because neighbours then have similar rays, as in a renderer.
    uint wide = uint(findMSB(paths) + 1) / 2u, tile = i >> 5u;
    uint across = tile & (1u << wide - 3u) - 1u, down = tile >> wide - 3u;
    vec2 pixel = vec2(across * 8u + (i & 7u), down * 4u + (i >> 3u & 3u));
    vec2 size = vec2(1u << wide, paths >> wide);
    vec2 view = (2.0 * (pixel + vec2(random(state), random(state))) - size) / size.y;
    float time = float(push.frame), turn = 0.2 * sin(0.02 * time);
    vec3 eye = vec3(4000.0 + 0.4 * time, 120.0, 4000.0 + 0.3 * time), hit, next;
    vec3 ahead = vec3(cos(turn), -0.5, sin(turn)), side = vec3(-sin(turn), 0.0, cos(turn));
    uvec2 seen = uvec2(0u), bounced = uvec2(0u);
    uint face, nextFace;
    if (trace(eye, direction(ahead + 0.7 * (view.x * side - view.y * vec3(0, 1, 0))), hit, face)) {
        seen = key_of(hit, face, eye, state);
        float z = 2.0 * random(state) - 1.0, a = 6.2831853 * random(state);
        vec3 ball = vec3(sqrt(1.0 - z * z) * vec2(cos(a), sin(a)), z);
        if (trace(hit + 0.01 * NORMALS[face], direction(1.001 * NORMALS[face] + ball), next,
                  nextFace)) {
            bounced = key_of(next, nextFace, eye, state);
        }
    }
    Key(mur_offset(push.keys, i, 3u)).key = push.both != 0u ? seen : bounced;
    if (push.both != 0u) {
        Key(mur_offset(push.keys, i + paths, 3u)).key = bounced;
    }
}
