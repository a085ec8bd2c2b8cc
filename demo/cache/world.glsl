// Shared by GLSL and HLSL: the payload of a cell, and a world of ground and endless rows of balls,
// half of which glow. SPDX-License-Identifier: MIT
#define FIXED 1024.0

struct CacheCell { // light that a cell receives
    uvec4 sum;     // of this frame's samples, in 1 / FIXED, and their number
    vec3 light;    // of previous frames
    uint history;  // weight of previous frames; lowest 4 bits: age
};

// Merges the samples.
CacheCell resolved(CacheCell cell, uint age) {
    float taken = float(cell.sum.w);
    float samples = min(float(cell.history >> 4u) + taken, max(taken, 128.0));
    cell.light += (vec3(cell.sum.xyz) / FIXED - taken * cell.light) / max(samples, 1.0);
    cell.history = uint(samples) << 4u | age;
    cell.sum = uvec4(0u, 0u, 0u, 0u);
    return cell;
}

vec3 camera(uint frame) { return vec3(2.4, 3.0, 0.15 * float(frame)); }
vec3 way_of(uint pixel) {
    vec2 at = vec2(pixel % CACHE_WIDTH, pixel / CACHE_WIDTH) / float(CACHE_HEIGHT);
    return normalize(vec3(at.x - 0.89, 0.2 - at.y, 1.0));
}
vec3 ball(vec3 p) { return vec3(p.xz - 8.0 * floor(p.xz / 8.0 + 0.5), p.y - 1.2).xzy; }
vec3 normal_at(vec3 p) { return p.y < 0.004 ? vec3(0.0, 1.0, 0.0) : normalize(ball(p)); }

bool trace(vec3 from, vec3 way, out vec3 p) {
    float near = 1.0;
    p = from;
    for (uint i = 0u; i < 96u && p.y < 9.0 && near > 0.002; ++i) {
        near = min(p.y, length(ball(p)) - 1.5);
        p += near * way;
    }
    return near <= 0.002;
}

// Cells are 1/6 wide up to a distance of 12, then twice as wide, and so on.
uvec2 key_of(vec3 p, vec3 jitter, uint frame) {
    uint level = mur_spatial_level(distance(p, camera(frame)) / 6.0);
    vec3 at = p + jitter * float(1u << level) / 6.0;
    return mur_spatial_key_at(at, 6.0, level, mur_spatial_face(normal_at(p)));
}

vec3 sky(vec3 way) { return vec3(0.1, 0.09, 0.12) - max(way.y, 0.0) * vec3(0.1, 0.08, 0.04); }
// Returns the light that a point emits, given the light that it receives.
vec3 shine(vec3 p, vec3 around) {
    int kind = int(dot(floor(p.xz / 8.0 + 0.5), vec2(1.0, 2.0))) & 3; // of the ball
    vec3 glow = kind == 0 ? vec3(6.0, 2.0, 0.4) : vec3(0.3, 1.8, 4.0);
    return p.y > 0.004 && kind < 2 ? glow : 0.7 * around;
}
// A point in a cube with edge 2.
vec3 toss(uint d) { return vec3(d, mur_hash(d, 1u), mur_hash(d, 2u)) / 2147483648.0 - 1.0; }
