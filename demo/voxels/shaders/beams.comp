#version 450
#extension GL_GOOGLE_include_directive : require
// The start of the rays of a tile: a ball as wide as the tile's beam flies along its middle and
// stops where it may touch a brick. Only bricks' presence is looked at, not their voxels.
//
// Around a corner of the grid of cells of one size lie eight cells. If all are empty, so is a ball
// of half a cell's size around any place that is nearest to this corner.
// SPDX-License-Identifier: MIT
#include "trace.glsl"

layout(local_size_x = 8, local_size_y = 8) in;

const int MAX_BALLS = 96;

// Are the eight cells around a corner empty? size: of a cell, 8 to 64.
bool isClear(inout Cache cache, ivec3 corner, int size) {
    bool clear = true;
    for (uint i = 0u; i < 8u && clear; ++i) {
        ivec3 cell = corner - size * ivec3(i & 1u, i >> 1 & 1u, i >> 2);
        clear = emptyBricks(cache, cell) >= size;
    }
    return clear;
}

float flyBall(vec3 origin, vec3 direction, float spread) {
    Cache cache = emptyCache();
    bvec3 face;
    float far = length(max(abs(vec3(boxLow) - origin), abs(vec3(boxHigh) - origin)));
    vec2 inside = crossBox(origin, 1.0 / steep(direction), spread * far + 1.0, face);
    float t = max(inside.x, 0.0);
    bool going = inside.x < inside.y;
    for (int i = 0; i < MAX_BALLS && going; ++i) {
        vec3 at = origin + direction * t;
        float radius = spread * t + 0.5;
        float ahead = 0.0;
        for (int size = 64; size >= 8 && ahead <= 0.0; size >>= 1) {
            ivec3 corner = ivec3(floor(at / float(size) + 0.5)) * size;
            if (float(size) > 2.0 * radius && isClear(cache, corner, size)) {
                ahead = 0.5 * float(size) - radius;
            }
        }
        t += ahead;
        going = ahead > 0.25 && t < inside.y;
    }
    return t;
}

void main() {
    readView();
    uvec2 tiles = (viewSize + TILE - 1u) / TILE;
    uvec2 tile = gl_GlobalInvocationID.xy;
    if (any(greaterThanEqual(tile, tiles))) {
        return;
    }
    vec2 middle = (vec2(tile) + 0.5) * float(TILE);
    vec3 direction = rayDirection(middle);
    // Half of a tile's diagonal, at distance 1: pixels are square.
    float spread = 0.7072 * float(TILE) * 2.0 * length(VIEW.up.xyz) / float(viewSize.y);
    FloatList(VIEW.starts).floats[tile.y * tiles.x + tile.x] = flyBall(VIEW.eye.xyz, direction,
                                                                       spread);
}
