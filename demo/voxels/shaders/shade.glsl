// How a hit looks: sun with one hard shadow ray, sky with occlusion by the voxels around. A fine
// picture (VIEW_FINE) also asks how much sky a face sees and what water reflects, a ray each.
//
// SPDX-License-Identifier: MIT

const float SHADOW_REACH = 1500.0;

float unit(uint hash) {
    return float(hash >> 8) / 16777216.0;
}

bool isFine() {
#ifdef TRACE_FINE // only shaders that can do it pay for it
    return (viewFlags & VIEW_FINE) != 0u;
#else
    return false;
#endif
}

// Two directions that span the plane of a face.
void tangents(ivec3 normal, out ivec3 u, out ivec3 v) {
    u = normal.x != 0 ? ivec3(0, 1, 0) : ivec3(1, 0, 0);
    v = normal.z != 0 ? ivec3(0, 1, 0) : ivec3(0, 0, 1);
}

// Occlusion by the eight voxels around the one before the face, from the face's corners inwards.
// What the cache held before stays in it, but for the counts: the next ray starts there.
// Source: the per-vertex method that Mikola Lysenko described for block worlds.
float cornerOcclusion(inout Cache cache, ivec3 voxel, ivec3 normal, vec3 position) {
    ivec3 u, v;
    tangents(normal, u, v);
    ivec3 before = voxel + normal;
    if (any(lessThan(before, boxLow - 1)) || any(greaterThan(before, boxHigh))) {
        return 1.0; // the ground, away from all voxels
    }
    // u along the rows; where a row would leave the brick, v, so that bricks are left but once.
    int along = (before.x * u.x + before.y * u.y + before.z * u.z) & 7;
    if (along == 0 || along == 7) {
        ivec3 w = u;
        u = v;
        v = w;
    }
    Cache aside = cache;
    uint around = 0u; // bit 3 * row + column
    [[dont_unroll]] for (int i = 0; i < 9; ++i) {
        int row = i / 3;
        ivec3 at = before + u * (i - 3 * row - 1) + v * (row - 1);
        if (i != 4 && isSolid(aside, at)) {
            around |= 1u << i;
        }
    }
    cache.lookups = aside.lookups;
    vec4 corners;
    [[unroll]] for (uint i = 0u; i < 4u; ++i) {
        uint column = 2u * (i & 1u);
        uint row = 2u * (i >> 1);
        uint side = (around >> (3u + column) & 1u) + (around >> (3u * row + 1u) & 1u);
        uint corner = around >> (3u * row + column) & 1u;
        corners[i] = side == 2u ? 3.0 : float(side + corner);
    }
    vec3 inside = clamp(position - vec3(voxel), 0.0, 1.0);
    vec2 f = vec2(dot(inside, vec3(u)), dot(inside, vec3(v)));
    vec2 rows = mix(corners.xz, corners.yw, f.x);
    return 1.0 - 0.2 * mix(rows.x, rows.y, f.y);
}

// How much sky a face sees, by one ray from its middle: the same for every pixel of a face, so
// that it shades voxels and makes no noise. Samples of a pixel take different rays.
float openSky(inout Cache cache, ivec3 voxel, ivec3 normal, uint salt) {
    uvec3 place = uvec3(voxel + viewBase.xyz);
    uint hash = placeHash(place.x, place.y, place.z, 11u);
    float turn = 6.2831853 * fract(unit(hash) + 0.25 * float(salt) + 0.11 * float(normal.y));
    float height = 0.2 + 0.6 * fract(unit(mur_hash(hash, 12u)) + 0.25 * float(salt));
    ivec3 u, v;
    tangents(normal, u, v);
    float level = sqrt(1.0 - height * height);
    vec3 direction = vec3(normal) * height + level * (cos(turn) * vec3(u) + sin(turn) * vec3(v));
    vec3 middle = vec3(voxel) + 0.5 + 0.501 * vec3(normal);
    Hit hit = march(cache, middle, direction, voxel + normal, 0.0, 40.0);
    return hit.found ? 0.25 * hit.t / 40.0 : 1.0;
}

// Is the sun seen? The samples of a pixel look at different parts of it, which softens the shadow.
float sunlight(inout Cache cache, vec3 position, ivec3 before, vec3 normal, uint salt) {
    vec3 aim = viewSun.xyz;
    if (dot(aim, normal) <= 0.0) {
        return 0.0;
    }
    if (isFine()) {
        vec3 side = normalize(cross(aim, vec3(0.3, 1.0, 0.2)));
        float turn = 1.5707963 * float(salt) + 0.6;
        aim = normalize(aim + viewSun.w * (cos(turn) * side + sin(turn) * cross(side, aim)));
    }
    Hit hit = march(cache, position + 1e-3 * normal, aim, before, 0.0, SHADOW_REACH);
    return hit.found ? 0.0 : 1.0;
}

vec3 albedo(uint index, ivec3 voxel) {
    uint packed = ViewBlock(push.view).view.palette[index];
    vec3 color = vec3(packed & 255u, packed >> 8 & 255u, packed >> 16 & 255u) / 255.0;
    uvec3 place = uvec3(voxel + viewBase.xyz);
    uint hash = placeHash(place.x, place.y, place.z, 13u);
    return pow(color, vec3(2.2)) * (0.96 + 0.08 * unit(hash));
}

// How much light a colour gives, 0 to 1.
float glow(uint index) {
    return float(ViewBlock(push.view).view.palette[index] >> 24) / 100.0;
}

// What water shows: the sky, or, in a fine picture, what a further ray meets. Waves that a pixel's
// rays cannot tell apart, far away and at grazing angles, lie still.
vec3 waterReflection(inout Cache cache, vec3 position, vec3 direction, ivec3 before) {
    vec2 wave = position.xz + vec2(viewBase.xz);
    float pixel = length(position - VIEW.eye.xyz) * length(VIEW.up.xyz) / float(viewSize.y);
    float height = 0.03 * (1.0 - smoothstep(0.1, 0.8, pixel / max(-direction.y, 0.02)));
    vec3 normal = normalize(vec3(height * sin(0.9 * wave.x + 1.7 * sin(0.31 * wave.y)), 1.0,
                                 height * sin(1.1 * wave.y + 1.3 * sin(0.27 * wave.x))));
    vec3 mirrored = reflect(direction, normal);
    mirrored.y = abs(mirrored.y);
    vec3 color = skyColor(mirrored);
    if (isFine()) {
        vec3 from = position + vec3(0.0, 1e-3, 0.0);
        Hit seen = march(cache, from, mirrored, before, 0.0, 1e6);
        if (seen.found) {
            float sun = max(dot(vec3(seen.normal), viewSun.xyz), 0.0);
            color = albedo(colorOf(cache, seen.voxel), seen.voxel) *
                    (0.7 * SUN_LIGHT * sun + 0.7 * ambientLight(vec3(seen.normal)));
        }
    }
    return color;
}

// What light reaches a face that rays have met, of a voxel or of the ground.
struct Light {
    float corner; // 1: nothing stands around
    float open;   // how much of the sky it sees
    float sun;
};

// before: the voxel on the light's side. usual: how much sky a face sees if nobody looks.
Light lightOn(inout Cache cache, ivec3 voxel, ivec3 normal, vec3 position, ivec3 before,
              float usual, uint salt) {
    Light light;
    light.corner = cornerOcclusion(cache, voxel, normal, position);
    light.open = isFine() ? openSky(cache, voxel, normal, salt) : usual;
    light.sun = sunlight(cache, position, before, vec3(normal), salt);
    return light;
}

vec3 shadeVoxel(inout Cache cache, Hit hit, uint index, Light light, vec3 position,
                vec3 direction) {
    vec3 normal = vec3(hit.normal);
    vec3 color = albedo(index, hit.voxel);
    color *= SUN_LIGHT * light.sun * max(dot(normal, viewSun.xyz), 0.0) *
                 (0.6 + 0.4 * light.corner) +
             ambientLight(normal) * light.corner * (0.45 + 0.55 * light.open);
    if (viewWater != 0u && index - viewWater < 8u && hit.normal.y > 0) {
        float fresnel = 0.06 + 0.94 * pow(1.0 - max(-direction.y, 0.0), 5.0);
        vec3 mirrored = waterReflection(cache, position, direction, hit.voxel + hit.normal);
        color = mix(color, mirrored, fresnel);
    }
    color = mix(color, 1.3 * albedo(index, hit.voxel), glow(index));
    return mix(color, HAZE, 1.0 - exp(-0.10 * hit.t / viewGround.w));
}

// The plane that the scene stands on; it fades into the horizon.
vec3 shadeGround(Light light, vec3 position, vec3 direction) {
    vec3 seen = SUN_LIGHT * light.sun * viewSun.y +
                ambientLight(vec3(0.0, 1.0, 0.0)) * light.corner * (0.6 + 0.4 * light.open);
    float away = length(position.xz - viewGround.xz) / viewGround.w;
    vec3 horizon = skyColor(vec3(direction.x, 0.0, direction.z));
    return mix(vec3(0.20, 0.23, 0.27) * seen, horizon, smoothstep(0.35, 1.0, away));
}

// The ground at this distance, or, if it is less than 0, what was hit.
vec3 shade(inout Cache cache, Hit hit, float ground, vec3 origin, vec3 direction, uint salt) {
    bool onGround = ground > 0.0;
    vec3 position = origin + direction * (onGround ? ground : hit.t);
    uint index = onGround ? 0u : colorOf(cache, hit.voxel);
    ivec3 normal = hit.normal;
    ivec3 before = hit.voxel + normal;
    if (onGround) {
        normal = ivec3(0, 1, 0);
        before = ivec3(floor(position));
        before.y = int(viewGround.y);
    }
    Light light = lightOn(cache, before - normal, normal, position, before, onGround ? 0.9 : 0.85,
                          salt);
    return onGround ? shadeGround(light, position, direction)
                    : shadeVoxel(cache, hit, index, light, position, direction);
}
