// The scene for rays: voxels and the ground, the light that they emit and reflect, and whether the
// sun shines on them. All estimates of light use these functions.
// SPDX-License-Identifier: MIT

struct Surface {
    ivec3 voxel;  // relative to the view's base; of the ground, the one below it
    ivec3 normal; // zero: the ray began in the voxel
    vec3 position;
    float t;
    uint index; // into the palette, or GROUND, or SEA
    bool found;
};

const uint GROUND = 256u;
const uint SEA = 257u;
const vec3 GROUND_COLOR = vec3(0.34, 0.33, 0.31);

float unit(uint hash) {
    return float(hash >> 8) / 16777216.0;
}

// Two directions that span the plane of a face.
void tangents(ivec3 normal, out ivec3 u, out ivec3 v) {
    u = normal.x != 0 ? ivec3(0, 1, 0) : ivec3(1, 0, 0);
    v = normal.z != 0 ? ivec3(0, 1, 0) : ivec3(0, 0, 1);
}

// The first face that a ray meets; start, from: as in march.
Surface meet(inout Cache cache, vec3 origin, vec3 direction, ivec3 start, float from) {
    Hit hit = march(cache, origin, direction, start, from, 1e6);
    float ground = (viewFlags & VIEW_GROUND) != 0u && direction.y < 0.0
                       ? (viewGround.y - origin.y) / direction.y
                       : -1.0;
    vec2 place = abs(origin.xz + ground * direction.xz - viewGround.xz);
    bool onGround = ground > 0.0 && max(place.x, place.y) >= viewGround.w &&
                    (!hit.found || hit.t >= ground);
    Surface s = Surface(hit.voxel, hit.normal, vec3(0.0), onGround ? ground : hit.t, GROUND,
                        onGround || hit.found);
    s.position = origin + direction * s.t;
    if (onGround) {
        s.voxel = ivec3(floor(vec3(s.position.x, viewGround.y - 0.5, s.position.z)));
        s.normal = ivec3(0, 1, 0);
        s.index = viewGround.w > 0.0 ? SEA : GROUND;
    } else if (hit.found) {
        s.index = colorOf(cache, hit.voxel);
    }
    return s;
}

vec3 paletteColor(uint index) {
    uint packed = ViewBlock(push.view).view.palette[index];
    vec3 color = vec3(packed & 255u, packed >> 8 & 255u, packed >> 16 & 255u) / 255.0;
    return pow(color, vec3(2.2));
}

vec3 albedo(Surface s) {
    if (s.index >= GROUND) {
        return s.index == SEA ? paletteColor(viewWater + 7u) : GROUND_COLOR;
    }
    uvec3 place = uvec3(s.voxel + viewBase.xyz);
    float grain = unit(placeHash(place.x, place.y, place.z, 13u));
    return paletteColor(s.index) * (1.0 + viewZenith.w * (grain - 0.5));
}

// The light that a face gives by itself.
vec3 emission(Surface s) {
    uint given = s.index >= GROUND ? 0u : ViewBlock(push.view).view.palette[s.index] >> 24;
    return given == 0u ? vec3(0.0) : paletteColor(s.index) * (viewHorizon.w * float(given) / 100.0);
}

// The way to the part of the sun at dice, in a unit square.
vec3 towardsSun(vec2 dice) {
    vec3 side = normalize(cross(viewSun.xyz, vec3(0.3, 1.0, 0.2)));
    float away = viewSun.w * sqrt(dice.x);
    float turn = 6.2831853 * dice.y;
    return normalize(viewSun.xyz +
                     away * (cos(turn) * side + sin(turn) * cross(side, viewSun.xyz)));
}

// Water reflects, for eyes alone; to all other rays it is like any voxel.
bool isWater(Surface s) {
    return s.index == SEA || (viewWater != 0u && s.index - viewWater < 8u && s.normal.y > 0);
}

// The mirrored direction. Waves that a pixel cannot resolve, far away and at grazing angles, lie
// still. Their slope is that of calm water: steeper ones mirror places far apart.
vec3 waterMirror(Surface s, vec3 direction) {
    vec2 wave = s.position.xz + vec2(viewBase.xz);
    float pixel = s.t * length(VIEW.up.xyz) / float(viewSize.y);
    float height = 0.006 * (1.0 - smoothstep(0.1, 0.8, pixel / max(-direction.y, 0.02)));
    vec3 normal = normalize(vec3(height * sin(0.8 * wave.x + 0.3 * wave.y), 1.0,
                                 height * sin(1.1 * wave.y - 0.4 * wave.x)));
    vec3 mirrored = reflect(direction, normal);
    mirrored.y = abs(mirrored.y);
    return mirrored;
}

// The fraction of mirrored light.
float waterShare(vec3 direction) {
    return 0.06 + 0.94 * pow(1.0 - max(-direction.y, 0.0), 5.0);
}

// The light of a face after the air between it and the eye, which fades into the horizon, blue
// first. Air that is near adds nothing, so that there is none in rooms.
vec3 throughAir(vec3 color, vec3 direction, Surface s) {
    float far = max(s.t / viewSunLight.w - 0.15, 0.0);
    vec3 air = skyLight(normalize(vec3(direction.x, 0.0, direction.z)));
    return mix(air, color, exp(-far * vec3(0.7, 1.0, 1.4)));
}
