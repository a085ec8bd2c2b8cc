// Paths of light: from an eye, or from a cell of the cache, by way of faces. From each of these a
// ray goes to the sun, and then on.
//
// Include after light.glsl.
// SPDX-License-Identifier: MIT

// The light along a ray. Each face on its way adds its own light and the sun's. A face with cached
// light also adds that and ends the ray. The ray of an eye that does not move goes on nevertheless.
struct Path {
    vec3 origin, direction;
    ivec3 start; // the voxel that it begins in
    float from;  // nothing is nearer
    bool eye;    // nothing has scattered it yet
    bool moves;  // of an eye that moves
    bool lit;    // else the ray ends at its first hit
    uint salt;   // of its random numbers, which differ each frame
};

// A camera ray shows more detail than the cache. If few rays meet much light, for example from a
// lamp of one voxel, they would leave bright dots. Therefore the share of these rays falls from 1
// to 0 while the deviation of samples grows from SALT means to twice as much, and their light is at
// most SALT_MOST times the cached light. With 6 in place of 16, pictures of sunlit rooms were 5%
// too dark.
const float SALT = 2.0;
const float SALT_MOST = 16.0;
const float SALT_KNOWN = 8.0; // samples that a cell has before

void add(bool scattered, vec3 light, inout vec3 sums[2]) {
    if (scattered) {
        sums[1] += light;
    } else {
        sums[0] += light;
    }
}

// One loop, so that marching and looking up stand in a shader once: shorter code is faster, too.
// An eye that moves does not wait for much light if the cache has none. first: the face that
// is met.
vec3 follow(inout Cache cache, Path path, out Surface first) {
    vec3 sums[2] = vec3[](vec3(0.0), vec3(0.0)); // the second: of an eye's ray that has scattered,
    float most = 1e9;                            // its luminance at most
    bool own = false, owns = false; // the ray is past the face that scattered it; it will be
    vec3 share = vec3(1.0);
    vec3 sun = vec3(0.0);  // the light of this ray without a hit; zero: it is not to the sun
    vec3 next = vec3(0.0); // direction after that; zero: no further
    bool going = true;
    uint faces = 0u;
    while (going) {
        Surface s = meet(cache, path.origin, path.direction, path.start, path.from);
        bool eye = path.eye;
        if (sun != vec3(0.0)) {
            add(own, s.found ? vec3(0.0) : sun, sums);
            sun = vec3(0.0);
            going = next != vec3(0.0);
            path.direction = next;
            own = owns;
            continue;
        }
        first = faces == 0u ? s : first;
        if (!s.found) {
            add(own, share * (eye ? skyColor(path.direction) : skyLight(path.direction)), sums);
        }
        if (!s.found || !path.lit) {
            break;
        }
        uint salt = path.salt + 4u * faces;
        float spread;
        vec4 known = lightOn(cache, s, eye, spread);
        bool water = eye && isWater(s); // only places above are mirrored
        bool waits = path.moves || (viewFlags & VIEW_CACHED) != 0u;
        bool scatters = !water && (eye ? !waits || known.w < 2.0 : known.w == 0.0);
        bool limits = scatters && eye && known.w >= SALT_KNOWN;
        float cached = limits ? clamp(spread / SALT - 1.0, 0.0, 1.0) : float(!scatters);
        float mirrored = water ? waterShare(path.direction) : 0.0;
        vec3 aim = towardsSun(path.moves ? vec2(0.0) : even(viewLight.frame, salt));
        vec3 shown = share * (1.0 - mirrored);
        add(own, shown * (emission(s) + albedo(s) * known.rgb * cached), sums);
        sun = shown * albedo(s) * viewSunLight.rgb * max(dot(aim, vec3(s.normal)), 0.0);
        share *= water ? vec3(mirrored) : albedo(s) * (1.0 - cached);
        owns = owns || (eye && scatters);
        most = limits ? SALT_MOST * luminance(share * known.rgb) : most;
        ++faces;
        bool on = (water || (scatters && cached < 1.0)) && faces < (path.moves ? 2u : 4u);
        next = !on ? vec3(0.0)
               : water ? waterMirror(s, path.direction)
                       : cosineLaw(s.normal, even(viewLight.frame, salt + 1u));
        bool toSun = sun != vec3(0.0);
        going = toSun || on;
        own = toSun ? own : owns;
        path.eye = water;
        path.direction = toSun ? aim : next;
        path.origin = s.position + 1e-3 * vec3(s.normal);
        path.start = s.voxel + s.normal;
        path.from = 0.0;
    }
    return sums[0] + sums[1] * min(1.0, most / max(luminance(sums[1]), 1e-9));
}
