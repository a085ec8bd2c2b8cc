// How a hit looks: sun with a shadow ray, ambient light with occlusion, water with a reflection.
//
// SPDX-License-Identifier: MIT

float unit(uint hash) {
    return float(hash >> 8) / 16777216.0;
}

// Two directions that span the plane of a face.
void tangents(ivec3 normal, out ivec3 u, out ivec3 v) {
    u = normal.x != 0 ? ivec3(0, 1, 0) : ivec3(1, 0, 0);
    v = normal.z != 0 ? ivec3(0, 1, 0) : ivec3(0, 0, 1);
}

// Occlusion by the eight voxels around the one before the face, from the face's corners inwards.
// Source: the per-vertex method that Mikola Lysenko described for block worlds.
float cornerOcclusion(inout Cache cache, ivec3 voxel, ivec3 normal, vec3 position) {
    ivec3 u, v;
    tangents(normal, u, v);
    ivec3 before = voxel + normal;
    uint around = 0u; // bit 3 * row + column
    for (uint i = 0u; i < 9u; ++i) {
        ivec3 at = before + u * (int(i % 3u) - 1) + v * (int(i / 3u) - 1);
        if (i != 4u && isSolid(cache, at)) {
            around |= 1u << i;
        }
    }
    float corners[4];
    for (uint i = 0u; i < 4u; ++i) {
        uint column = 2u * (i & 1u);
        uint row = 2u * (i >> 1);
        uint side = (around >> (3u + column) & 1u) + (around >> (3u * row + 1u) & 1u);
        uint corner = around >> (3u * row + column) & 1u;
        corners[i] = side == 2u ? 3.0 : float(side + corner);
    }
    vec3 inside = clamp(position - vec3(voxel), 0.0, 1.0);
    vec2 f = vec2(dot(inside, vec3(u)), dot(inside, vec3(v)));
    float closed = mix(mix(corners[0], corners[1], f.x), mix(corners[2], corners[3], f.x), f.y);
    return 1.0 - 0.2 * closed;
}

// How much sky a face sees, by one ray from its middle: the same for every pixel of a face, so
// that it shades voxels and makes no noise. Samples of a pixel take different rays.
float openSky(inout Cache cache, ivec3 voxel, ivec3 normal, uint salt) {
    uint hash = placeHash(uint(voxel.x), uint(voxel.y), uint(voxel.z), 11u);
    float turn = 6.2831853 * fract(unit(hash) + 0.25 * float(salt) + 0.11 * float(normal.y));
    float height = 0.2 + 0.6 * fract(unit(mur_hash(hash, 12u)) + 0.25 * float(salt));
    ivec3 u, v;
    tangents(normal, u, v);
    float level = sqrt(1.0 - height * height);
    vec3 direction = vec3(normal) * height + level * (cos(turn) * vec3(u) + sin(turn) * vec3(v));
    vec3 middle = vec3(voxel) + 0.5 + 0.501 * vec3(normal);
    Hit hit = march(cache, middle, direction, voxel + normal, 40.0);
    return hit.color == 0u ? 1.0 : 0.25 * hit.t / 40.0;
}

// Is the sun seen? The samples of a pixel look at different parts of it, which softens the shadow.
float sunlight(inout Cache cache, vec3 position, ivec3 before, vec3 normal, uint salt) {
    vec3 side = normalize(cross(viewSun.xyz, vec3(0.3, 1.0, 0.2)));
    float turn = 1.5707963 * float(salt) + 0.6;
    vec3 aim = viewSun.xyz +
               viewSun.w * (cos(turn) * side + sin(turn) * cross(side, viewSun.xyz));
    if (dot(viewSun.xyz, normal) <= 0.0) {
        return 0.0;
    }
    Hit hit = march(cache, position + 1e-3 * normal, normalize(aim), before, 1e6);
    return hit.color == 0u ? 1.0 : 0.0;
}

vec3 albedo(Hit hit) {
    uint packed = view.palette[hit.color];
    vec3 color = vec3(packed & 255u, packed >> 8 & 255u, packed >> 16 & 255u) / 255.0;
    uint hash = placeHash(uint(hit.voxel.x), uint(hit.voxel.y), uint(hit.voxel.z), 13u);
    return pow(color, vec3(2.2)) * (0.96 + 0.08 * unit(hash));
}

// A rough look without further rays: for what a reflection shows.
vec3 plainShade(Hit hit) {
    float sun = max(dot(vec3(hit.normal), viewSun.xyz), 0.0);
    return albedo(hit) * (0.7 * SUN_LIGHT * sun + 0.7 * ambientLight(vec3(hit.normal)));
}

vec3 waterReflection(inout Cache cache, vec3 position, vec3 direction, Hit hit) {
    vec2 wave = position.xz;
    vec3 normal = normalize(vec3(0.03 * sin(0.9 * wave.x + 1.7 * sin(0.31 * wave.y)), 1.0,
                                 0.03 * sin(1.1 * wave.y + 1.3 * sin(0.27 * wave.x))));
    vec3 mirrored = reflect(direction, normal);
    mirrored.y = abs(mirrored.y);
    Hit seen = march(cache, position + vec3(0.0, 1e-3, 0.0), mirrored, hit.voxel + hit.normal, 1e6);
    return seen.color == 0u ? skyColor(mirrored) : plainShade(seen);
}

vec3 shadeVoxel(inout Cache cache, Hit hit, vec3 origin, vec3 direction, uint salt) {
    vec3 position = origin + direction * hit.t;
    vec3 normal = vec3(hit.normal);
    float open = openSky(cache, hit.voxel, hit.normal, salt);
    float corner = cornerOcclusion(cache, hit.voxel, hit.normal, position);
    float sun = sunlight(cache, position, hit.voxel + hit.normal, normal, salt);
    vec3 light = SUN_LIGHT * sun * max(dot(normal, viewSun.xyz), 0.0) * (0.6 + 0.4 * corner) +
                 ambientLight(normal) * corner * (0.45 + 0.55 * open);
    vec3 color = albedo(hit) * light;
    bool water = view.waterFirst != 0u && hit.color >= view.waterFirst &&
                 hit.color < view.waterFirst + 8u;
    if (water && hit.normal.y > 0) {
        float fresnel = 0.06 + 0.94 * pow(1.0 - max(-direction.y, 0.0), 5.0);
        color = mix(color, waterReflection(cache, position, direction, hit), fresnel);
    }
    return color;
}

// The plane that the scene stands on; it fades into the horizon.
vec3 shadeGround(inout Cache cache, vec3 origin, vec3 direction, float t, uint salt) {
    vec3 position = origin + direction * t;
    ivec3 above = ivec3(floor(position));
    above.y = int(viewGround.y);
    ivec3 up = ivec3(0, 1, 0);
    float open = openSky(cache, above - up, up, salt);
    float corner = cornerOcclusion(cache, above - up, up, position);
    float sun = sunlight(cache, position, above, vec3(up), salt);
    vec3 light = SUN_LIGHT * sun * viewSun.y + ambientLight(vec3(up)) * corner * (0.6 + 0.4 * open);
    float away = length(position.xz - viewGround.xz) / viewGround.w;
    vec3 horizon = skyColor(vec3(direction.x, 0.0, direction.z));
    return mix(vec3(0.20, 0.23, 0.27) * light, horizon, smoothstep(0.35, 1.0, away));
}
