#version 450
#extension GL_GOOGLE_include_directive : require
// Path tracer for reference pictures: follows one path per pixel from face to face until a random
// end, and adds its light to the pixel's sum. It uses no cache and nothing of light.glsl; it shares
// only the scene and the sky with murvoxels.
// SPDX-License-Identifier: MIT
#include "trace.glsl"

layout(local_size_x = 8, local_size_y = 8) in;

const float TURN = 6.28318530718;
const uint LONGEST = 256u; // limit of faces of a path; only paths between white faces reach it

// Returns three random numbers from 0 to below 1 per pixel, path and call: Jarzynski and Olano's
// pcg3d.
vec3 throwDice(inout uvec3 dice) {
    ++dice.z;
    uvec3 x = dice * 1664525u + 1013904223u;
    for (uint i = 0u; i < 2u; ++i) {
        x.x += x.y * x.z;
        x.y += x.z * x.x;
        x.z += x.x * x.y;
        x ^= x >> 16u;
    }
    return vec3(x >> 8u) / 16777216.0;
}

// Returns a unit vector at an angle to the axis whose cosine is 1 - lack.
vec3 leaning(vec3 axis, float lack, float turn) {
    vec3 u = normalize(cross(axis, abs(axis.x) < 0.5 ? vec3(1.0, 0.0, 0.0) : vec3(0.0, 1.0, 0.0)));
    vec3 v = cross(axis, u);
    float away = sqrt(max(lack * (2.0 - lack), 0.0));
    return axis * (1.0 - lack) + away * (u * cos(TURN * turn) + v * sin(TURN * turn));
}

// Returns a direction by the cosine law: to a random point of the unit sphere touching the face.
vec3 scattered(vec3 normal, vec2 dice) {
    vec3 sum = normal + leaning(vec3(0.0, 1.0, 0.0), 2.0 * dice.x, dice.y);
    return dot(sum, sum) < 1e-8 ? normal : normalize(sum);
}

// Returns the sunlight on a white face, by a ray to a random point of the sun's disc.
vec3 sunshine(inout Cache cache, Surface s, vec3 origin, vec2 dice) {
    float size = viewSun.w * viewSun.w;
    vec3 aim = leaning(viewSun.xyz, dice.x * size / (1.0 + sqrt(1.0 - size)), dice.y);
    float lean = dot(aim, vec3(s.normal));
    if (lean <= 0.0 || viewSunLight.rgb == vec3(0.0) ||
        march(cache, origin, aim, s.voxel + s.normal, 0.0, 1e6).found) {
        return vec3(0.0);
    }
    return lean * viewSunLight.rgb;
}

vec3 pathLight(vec2 at, uvec3 dice) {
    Cache cache = emptyCache();
    vec3 origin = VIEW.eye.xyz;
    vec3 eyeDirection = rayDirection(at + throwDice(dice).xy);
    vec3 direction = eyeDirection;
    ivec3 start = ivec3(floor(origin));
    Surface first;
    vec3 sum = vec3(0.0);
    vec3 share = vec3(1.0);
    bool eye = true; // true until the light was scattered
    bool going = true;
    for (uint i = 0u; i < LONGEST && going; ++i) {
        Surface s = meet(cache, origin, direction, start, 0.0);
        if (i == 0u) {
            first = s;
        }
        if (!s.found) {
            sum += share * (eye ? skyColor(direction) : skyLight(direction));
            break;
        }
        vec3 chance = throwDice(dice);
        origin = s.position + 1e-3 * vec3(s.normal);
        start = s.voxel + s.normal;
        if (i == 0u && isWater(s) && chance.z < waterShare(direction)) {
            direction = waterMirror(s, direction);
            continue;
        }
        vec3 more = throwDice(dice);
        sum += share * emission(s);
        share *= albedo(s);
        sum += share * sunshine(cache, s, origin, more.xy);
        direction = scattered(vec3(s.normal), chance.xy);
        eye = false;
        float keep = i < 2u ? 1.0 : min(max(share.r, max(share.g, share.b)), 1.0);
        going = more.z < keep && s.normal != ivec3(0);
        share /= keep;
    }
    return first.found ? throughAir(sum, eyeDirection, first) : sum;
}

void main() {
    readView();
    uvec2 at = gl_GlobalInvocationID.xy + uvec2(0u, push.row);
    if (at.x >= viewSize.x || at.y >= viewSize.y) {
        return;
    }
    uint pixel = at.y * viewSize.x + at.x;
    SumList list = SumList(VIEW.sums);
    vec4 sum = list.sums[pixel];
    sum += vec4(pathLight(vec2(at), uvec3(at.x | at.y << 16u, push.path, 0u)), 1.0);
    list.sums[pixel] = sum;
    Words(VIEW.pixels).words[pixel] = packUnorm4x8(vec4(toneMap(sum.rgb / sum.w), 1.0));
}
