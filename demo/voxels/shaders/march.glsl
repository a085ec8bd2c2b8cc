// Rays through the world. One loop walks cells of seven sizes: an absent region of 64 voxels a
// side, down to one voxel. A cell is left through the nearest of its faces; the cell behind is
// found in integers along that axis, so that no ray slips between two cells.
//
// A lookup is made when a ray enters another region, and when it enters another brick whose bit in
// its region's mask is set. The rest are bits: of bricks in a region, of voxels in a brick, both
// numbered alike, so that the same test finds empty cubes of 4, 2 and 1 of either.
//
// Source of the method: the grid traversal of Amanatides and Woo, over cells of changing size.
//
// Positions are relative to the view's base.
// SPDX-License-Identifier: MIT

// The results of the last lookups: neighbouring steps mostly need the same again.
struct Cache {
    BrickKey regionKey;
    uint regionSlot; // of that region, or MUR_NO_SLOT
    BrickKey key;
    uint brick; // its value in the table
    uint lookups;
    uint steps;
    uint rays;
    uint found, inserted, refused; // cells of light
};

struct Hit {
    ivec3 voxel;
    ivec3 normal; // of the face; zero if the ray started in the voxel
    float t;
    bool found;
};

layout(buffer_reference, std430, buffer_reference_align = 8) readonly buffer MaskList {
    uvec2 cubes[]; // 8 a region
};
layout(buffer_reference, std430, buffer_reference_align = 16) readonly buffer StateBlock {
    uvec4 words[];
};

const int MAX_STEPS = 4096;

// The box that all voxels lie in; empty if there are none.
ivec3 boxLow;
ivec3 boxHigh; // excluded

void readBox() {
    StateBlock state = StateBlock(push.world.state);
    uvec4 low = state.words[STATE_LOW_X / 4u];
    uvec4 high = state.words[STATE_HIGH_X / 4u];
    bool empty = low.x > high.x;
    boxLow = empty ? ivec3(0) : ivec3(low.xyz << REGION_SHIFT) - viewBase.xyz;
    boxHigh = empty ? ivec3(0) : ivec3((high.xyz + 1u) << REGION_SHIFT) - viewBase.xyz;
}

Cache emptyCache() {
    // Keys that no region and no brick has.
    BrickKey none = BrickKey(0xFFFFFFFFu);
    return Cache(none, MUR_NO_SLOT, none, BRICK_ABSENT, 0u, 0u, 0u, 0u, 0u, 0u);
}

// The side of the empty cube around an element of a 4 x 4 x 4 cube of bits; 0: its bit is set.
int emptyAround(uvec2 cube, uint number) {
    uint word = (number & 32u) == 0u ? cube.x : cube.y;
    bool alone = (word >> (number & 10u) & 0x00330033u) != 0u;
    int size = alone ? 1 : (cube.x | cube.y) != 0u ? 2 : 4;
    return (word >> (number & 31u) & 1u) != 0u ? 0 : size;
}

void findRegion(inout Cache cache, BrickKey key, uvec3 region) {
    const uvec3 across = uvec3(WORLD_SIZE_X, WORLD_SIZE_Y, WORLD_SIZE_Z) >> REGION_SHIFT;
    cache.regionKey = key;
    cache.regionSlot = MUR_NO_SLOT;
    if (all(lessThan(region, across))) {
        uint bricks;
        cache.regionSlot = mur_find_slot(push.world.regions, key, bricks);
        ++cache.lookups;
    }
}

// The side of the empty cell of whole bricks around a voxel: 64, 32, 16 or 8; 0: there is a
// brick.
int emptyBricks(inout Cache cache, ivec3 voxel) {
    uvec3 place = uvec3(voxel + viewBase.xyz);
    BrickKey key = brickKey(place >> REGION_SHIFT);
    if (key != cache.regionKey) {
        findRegion(cache, key, place >> REGION_SHIFT);
    }
    if (cache.regionSlot == MUR_NO_SLOT) {
        return 64;
    }
    uint number = voxelNumber(place >> BRICK_SHIFT);
    uvec2 cube = MaskList(viewMasks).cubes[8u * cache.regionSlot + (number >> 6)];
    return emptyAround(cube, number) << BRICK_SHIFT;
}

// The side of the empty cell around a voxel: 64, 32, 16, 8, 4, 2 or 1; 0: the voxel is solid.
int emptyCell(inout Cache cache, ivec3 voxel) {
    int size = emptyBricks(cache, voxel);
    if (size != 0) {
        return size;
    }
    uvec3 place = uvec3(voxel + viewBase.xyz);
    BrickKey key = brickKey(place >> BRICK_SHIFT);
    if (key != cache.key) {
        cache.key = key;
        mur_find(push.world.bricks, key, cache.brick);
        ++cache.lookups;
    }
    if (cache.brick == BRICK_ABSENT) {
        return int(BRICK_WIDTH);
    }
    if (brickUniform(cache.brick)) {
        return 0;
    }
    uint number = voxelNumber(place);
    return emptyAround(BrickPool(push.world.pool).bricks[cache.brick].occupancy[number >> 6],
                       number);
}

// Palette index of a solid voxel that was just found.
uint colorOf(Cache cache, ivec3 voxel) {
    if (!brickHasVoxels(cache.brick)) {
        return brickColor(cache.brick);
    }
    uint number = voxelNumber(uvec3(voxel)); // the base is a multiple of a brick's width
    uint word = BrickPool(push.world.pool).bricks[cache.brick].palette[number >> 2];
    return word >> (8u * (number & 3u)) & 255u;
}

// A direction that can be divided by.
vec3 steep(vec3 direction) {
    return mix(direction, vec3(1e-7), lessThan(abs(direction), vec3(1e-7)));
}

// Distances at which a ray enters and leaves the box, made larger by a margin. Inside, it enters at
// 0 or less.
vec2 crossBox(vec3 origin, vec3 inverse, float margin, out bvec3 face) {
    vec3 a = (vec3(boxLow) - margin - origin) * inverse;
    vec3 b = (vec3(boxHigh) + margin - origin) * inverse;
    vec3 near = min(a, b);
    vec3 far = max(a, b);
    float t = max(near.x, max(near.y, near.z));
    face = bvec3(near.x == t, near.x != t && near.y == t, near.x != t && near.y != t);
    return vec2(t, min(far.x, min(far.y, far.z)));
}

// The first voxel that a ray meets between two distances. A ray that begins inside of the box at
// distance 0 begins in voxel start, which its origin may lie on the edge of.
Hit march(inout Cache cache, vec3 origin, vec3 direction, ivec3 start, float from, float limit) {
    vec3 d = steep(direction);
    vec3 inverse = 1.0 / d;
    ivec3 forward = ivec3(greaterThan(d, vec3(0.0)));
    bvec3 face;
    vec2 inside = crossBox(origin, inverse, 0.0, face);
    float t = max(inside.x, from);
    float end = min(inside.y, limit);
    Hit hit = Hit(start, ivec3(0), t, false);
    ivec3 voxel = start;
    if (t > 0.0) {
        voxel = clamp(ivec3(floor(origin + d * t)), boxLow, boxHigh - 1);
        if (t > from) {
            voxel = mix(voxel, mix(boxHigh - 1, boxLow, equal(forward, ivec3(1))), face);
        }
    }
    face = mix(bvec3(false), face, bvec3(inside.x > from));
    bool going = t < end;
    ++cache.rays;
    for (int i = 0; i < MAX_STEPS && going; ++i) {
        int size = emptyCell(cache, voxel);
        ++cache.steps;
        if (size == 0) {
            hit = Hit(voxel, mix(ivec3(0), 1 - 2 * forward, face), t, true);
            going = false;
        } else {
            ivec3 low = voxel & -size;
            vec3 to = (vec3(low + forward * size) - origin) * inverse;
            t = min(to.x, min(to.y, to.z));
            face = bvec3(to.x == t, to.x != t && to.y == t, to.x != t && to.y != t);
            ivec3 along = clamp(ivec3(floor(origin + d * t)), low, low + (size - 1));
            voxel = mix(along, low - 1 + forward * (size + 1), face);
            going = t < end;
        }
    }
    return hit;
}
