// Paths of light: from an eye, or from a cell of the cache, by way of faces. From each of these a
// ray goes to the sun, and then on.
//
// Include after light.glsl.
//
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

// One loop, so that marching and looking up stand in a shader once: shorter code is faster, too.
// An eye that moves does not wait for much light if the cache has none. first: the face that
// is met.
vec3 follow(inout Cache cache, Path path, out Surface first) {
    vec3 sum = vec3(0.0);
    vec3 share = vec3(1.0);
    vec3 sun = vec3(0.0);  // the light of this ray without a hit; zero: it is not to the sun
    vec3 next = vec3(0.0); // direction after that; zero: no further
    bool going = true;
    uint faces = 0u;
    while (going) {
        Surface s = meet(cache, path.origin, path.direction, path.start, path.from);
        bool eye = path.eye;
        if (sun != vec3(0.0)) {
            sum += s.found ? vec3(0.0) : sun;
            sun = vec3(0.0);
            going = next != vec3(0.0);
            path.direction = next;
            continue;
        }
        first = faces == 0u ? s : first;
        if (!s.found) {
            sum += share * (eye ? skyColor(path.direction) : skyLight(path.direction));
        }
        if (!s.found || !path.lit) {
            break;
        }
        uint salt = path.salt + 4u * faces;
        vec4 known = lightOn(cache, s, eye);
        bool water = eye && isWater(s); // only places above are mirrored
        bool waits = path.moves || (viewFlags & VIEW_CACHED) != 0u;
        bool scatters = !water && (eye ? !waits || known.w < 2.0 : known.w == 0.0);
        float mirrored = water ? waterShare(path.direction) : 0.0;
        vec3 aim = towardsSun(path.moves ? vec2(0.0) : even(viewLight.frame, salt));
        vec3 shown = share * (1.0 - mirrored);
        sum += shown * (emission(s) + (scatters ? vec3(0.0) : albedo(s) * known.rgb));
        sun = shown * albedo(s) * viewSunLight.rgb * max(dot(aim, vec3(s.normal)), 0.0);
        share *= water ? vec3(mirrored) : albedo(s);
        ++faces;
        bool on = (water || scatters) && faces < (path.moves ? 2u : 4u);
        next = !on ? vec3(0.0)
               : water ? waterMirror(s, path.direction)
                       : cosineLaw(s.normal, even(viewLight.frame, salt + 1u));
        bool toSun = sun != vec3(0.0);
        going = toSun || on;
        path.eye = water;
        path.direction = toSun ? aim : next;
        path.origin = s.position + 1e-3 * vec3(s.normal);
        path.start = s.voxel + s.normal;
        path.from = 0.0;
    }
    return sum;
}
