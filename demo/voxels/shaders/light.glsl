// The cache of light: the light that reaches the faces of voxels, except the sun's, in a table of
// cells in buckets. A cell is a face, or if that is below two pixels 2^level voxels of its
// plane; the plane itself is never rounded, so a floor and a ceiling share none.
//
// Cells appear when a ray meets them, of an eye or of another cell. In each frame some get a ray
// (light_rays.comp); its sample is added at the frame's end (light_learn.comp). Rays read the state
// at the beginning of the frame, so frames do not depend on the order of invocations.
// SPDX-License-Identifier: MIT

struct LightCell {
    vec3 slow;    // mean of about 256 samples, read by eyes
    uint state;   // samples, up to 255; age << 8, in frames from 1 on; a bit; whereabouts << 16
    vec3 fast;    // of about 8, read by other cells, so that light bounces soon
    uint scatter; // two half floats: variance of a ray's luminance, drift of late samples
    uvec3 given;  // a sample, the mean of cells beside it, as half floats; a bit: there is one
    uint touched; // in this frame; whereabouts of one face that was met
};
layout(buffer_reference, std430, buffer_reference_align = 16) buffer LightCells {
    LightCell cells[];
};
layout(buffer_reference, std430, buffer_reference_align = 16) buffer LightCountList {
    LightCounts counts[2];
};

const uint LIGHT_WHERE = 16u; // bits of whereabouts: the voxel's place in its cell
const uint LIGHT_BIT = 0x8000u; // of a state: the light has changed, cells beside may be late

// The largest cells that are below two pixels, as seen from the eye.
uint lightLevel(vec3 position) {
    float pixel = length(position - VIEW.eye.xyz) * 2.0 * length(VIEW.up.xyz) / float(viewSize.y);
    return uint(clamp(log2(2.0 * pixel), 0.0, float(LIGHT_MOST_LEVEL)));
}

// Key: x and z, y and normal and level, each of the cell. x of the whereabouts: in the cell.
uvec2 lightKey(Surface s, uint level, out uint where) {
    uvec3 place = uvec3(s.voxel + viewBase.xyz);
    uvec3 across = uvec3(equal(s.normal, ivec3(0)));
    uvec3 inside = place & (across * ((1u << level) - 1u));
    uvec3 cell = place >> (across * level);
    uint face = s.normal.x != 0 ? 0u : s.normal.y != 0 ? 2u : 4u;
    face += uint(s.normal.x + s.normal.y + s.normal.z < 0);
    where = s.normal.x != 0 ? inside.y | inside.z << 8
                            : inside.x | (s.normal.y != 0 ? inside.z : inside.y) << 8;
    return uvec2(cell.x | cell.z << 16, cell.y | face << 16 | level << 20);
}

// The reverse: a face of a cell, the middle of it.
Surface lightFace(uvec2 key, uint where) {
    uint face = key.y >> 16 & 15u;
    uint level = key.y >> 20;
    ivec3 normal = ivec3(equal(uvec3(face >> 1), uvec3(0u, 1u, 2u))) * (1 - 2 * int(face & 1u));
    uvec3 across = uvec3(equal(normal, ivec3(0)));
    uvec3 cell = uvec3(key.x & 0xFFFFu, key.y & 0xFFFFu, key.x >> 16);
    uint first = where & 255u, second = where >> 8;
    uvec3 inside = normal.x != 0   ? uvec3(0u, first, second)
                   : normal.y != 0 ? uvec3(first, 0u, second)
                                   : uvec3(first, second, 0u);
    Surface s;
    s.voxel = ivec3((cell << (across * level)) | inside) - viewBase.xyz;
    s.normal = normal;
    s.position = vec3(s.voxel) + 0.5 + 0.5 * vec3(normal);
    s.found = true;
    return s;
}

// The slot of a face's cell; MUR_NO_SLOT: there is none, no room, or no world. Eyes make one; rays
// that meet faces far and wide do so at times, so that the cells are those which many meet.
uint lightSlot(inout Cache cache, Surface s, bool eye, out uint where, out bool makes) {
    where = 0u;
    makes = false;
    if (s.normal == ivec3(0) || !isInWorld(s.voxel + viewBase.xyz)) {
        return MUR_NO_SLOT;
    }
    uvec2 key = lightKey(s, lightLevel(s.position), where);
    uint slot = MUR_NO_SLOT;
    makes = eye || (mur_hash(key.x ^ mur_hash(key.y, viewLight.frame), 17u) & 63u) == 0u;
    if (makes) {
        uint status = mur_insert(viewLight.cells, key, slot);
        cache.inserted += uint(status == MUR_INSERTED);
        cache.refused += uint(status == MUR_FULL);
    } else {
        slot = mur_find_slot(viewLight.cells, key);
    }
    cache.found += uint(slot != MUR_NO_SLOT);
    return slot;
}

// Notes that the cell is seen; of all faces that are met in a frame chance keeps one, the same in
// every order.
void lightTouch(uint slot, Surface s, uint where) {
    uvec3 place = uvec3(s.voxel + viewBase.xyz);
    uint chance = placeHash(place.x, place.y, place.z, viewLight.frame);
    uint mark = 0x80000000u | (chance >> 1 & 0x7FFF0000u) | where;
    LightCells payload = LightCells(viewLight.payload);
    if (payload.cells[slot].touched < mark) {
        atomicMax(payload.cells[slot].touched, mark);
    }
}

float luminance(vec3 x) {
    return dot(x, vec3(0.2126, 0.7152, 0.0722));
}

// Returns the number of rays per sample, if this number of cells get rays in a frame.
uint lightRays(uint listed) {
    return clamp(viewLight.budget / max(listed, 1u), 1u, LIGHT_MOST_RAYS);
}

// The light that a white face reflects, except the sun's, and in w the number of samples. Whether a
// ray finds a cell that another ray makes in the same frame is chance: it has no effect. spread:
// the deviation of single rays, per mean.
vec4 lightOn(inout Cache cache, Surface s, bool eye, out float spread) {
    uint where;
    bool makes;
    spread = 0.0;
    uint slot = lightSlot(cache, s, eye, where, makes);
    if (slot == MUR_NO_SLOT) {
        return vec4(0.0);
    }
    LightCells payload = LightCells(viewLight.payload);
    uint state = payload.cells[slot].state;
    if (makes || state != 0u) {
        lightTouch(slot, s, where);
    }
    vec3 slow = payload.cells[slot].slow;
    float variance = unpackHalf2x16(payload.cells[slot].scatter).x;
    spread = sqrt(variance) / max(luminance(slow), 1e-6);
    return vec4(eye ? slow : payload.cells[slot].fast, float(state & 255u));
}

// The n-th of a sequence that fills a unit square evenly, each salt another one. Source: the R2
// sequence of Martin Roberts.
vec2 even(uint n, uint salt) {
    uvec2 at = uvec2(mur_hash(salt, 3u), mur_hash(salt, 5u)) + n * uvec2(3242174889u, 2447445414u);
    return vec2(unit(at.x), unit(at.y));
}

// A direction by the cosine law.
vec3 cosineLaw(ivec3 normal, vec2 dice) {
    ivec3 u, v;
    tangents(normal, u, v);
    float turn = 6.2831853 * dice.y;
    return sqrt(1.0 - dice.x) * vec3(normal) +
           sqrt(dice.x) * (cos(turn) * vec3(u) + sin(turn) * vec3(v));
}
