// Rays through the world. One loop walks cells of four sizes: an absent region of 64 voxels a
// side, an absent brick of 8, an empty cube of 4, or one voxel. A cell is left through the
// nearest of its faces; the cell behind is found in integers along that axis, so that no ray
// slips between two cells.
//
// Source of the method: the grid traversal of Amanatides and Woo, over cells of changing size.
//
// Positions are relative to the view's corner, which is a region's.
//
// SPDX-License-Identifier: MIT

// What the last lookups gave: neighbouring steps mostly want the same again.
struct Cache {
    uint regionKey;
    uint bricksThere; // in that region
    uint key;
    uint brick; // index in the pool, or BRICK_ABSENT
};

struct Hit {
    ivec3 voxel;
    ivec3 normal; // of the face; zero if the ray started in the voxel
    float t;
    uint color; // palette index, 0: nothing was hit
};

const int MAX_STEPS = 4096;

Cache emptyCache() {
    return Cache(0xFFFFFFFFu, 0u, 0xFFFFFFFFu, BRICK_ABSENT); // keys that no region, no brick has
}

ivec3 viewSize() {
    return ivec3(view.sizeX, view.sizeY, view.sizeZ);
}

bool isInside(ivec3 voxel) {
    return all(greaterThanEqual(voxel, ivec3(0))) && all(lessThan(voxel, viewSize()));
}

// The brick of a voxel that is inside, or BRICK_ABSENT; and how large a cell around the voxel is
// empty.
uint lookUp(inout Cache cache, ivec3 voxel, out int emptySize) {
    uvec3 place = uvec3(voxel) + uvec3(view.lowX, view.lowY, view.lowZ);
    uint regionKey = brickKey(place >> REGION_SHIFT);
    if (regionKey != cache.regionKey) {
        cache.regionKey = regionKey;
        mur_find(push.world.regions, regionKey, cache.bricksThere);
    }
    emptySize = 64;
    if (cache.bricksThere == 0u) {
        return BRICK_ABSENT;
    }
    uint key = brickKey(place >> BRICK_SHIFT);
    if (key != cache.key) {
        cache.key = key;
        mur_find(push.world.bricks, key, cache.brick);
    }
    emptySize = int(BRICK_WIDTH);
    return cache.brick;
}

uint colorOf(uint brick, uint number) {
    uint word = BrickPool(push.world.pool).bricks[brick].palette[number >> 2];
    return word >> (8u * (number & 3u)) & 255u;
}

bool isSolid(inout Cache cache, ivec3 voxel) {
    if (!isInside(voxel)) {
        return false;
    }
    int size;
    uint brick = lookUp(cache, voxel, size);
    if (brick == BRICK_ABSENT) {
        return false;
    }
    uint number = voxelNumber(uvec3(voxel) & 7u);
    uvec2 cube = BrickPool(push.world.pool).bricks[brick].occupancy[number >> 6];
    uint word = (number & 32u) == 0u ? cube.x : cube.y;
    return (word & (1u << (number & 31u))) != 0u;
}

// Is the voxel solid? If not, how large an empty cell is around it. number: of the voxel in its
// brick.
bool probe(inout Cache cache, ivec3 voxel, out int emptySize, out uint number) {
    uint brick = lookUp(cache, voxel, emptySize);
    number = voxelNumber(uvec3(voxel) & 7u);
    if (brick == BRICK_ABSENT) {
        return false;
    }
    uvec2 cube = BrickPool(push.world.pool).bricks[brick].occupancy[number >> 6];
    uint word = (number & 32u) == 0u ? cube.x : cube.y;
    emptySize = (cube.x | cube.y) == 0u ? 4 : 1;
    return (word & (1u << (number & 31u))) != 0u;
}

// Where a ray enters the box of the view: the distance, 0 if it starts inside, and the axis of
// the face.
bool enterBox(vec3 origin, vec3 inverse, out float t, out int axis) {
    vec3 a = -origin * inverse;
    vec3 b = (vec3(viewSize()) - origin) * inverse;
    vec3 near = min(a, b);
    vec3 far = max(a, b);
    axis = near.x >= near.y && near.x >= near.z ? 0 : near.y >= near.z ? 1 : 2;
    t = max(near[axis], 0.0);
    return t <= min(far.x, min(far.y, far.z));
}

// The first voxel that a ray meets before distance limit. A ray that starts inside of the box
// starts in voxel start, which its origin may lie on the edge of.
Hit march(inout Cache cache, vec3 origin, vec3 direction, ivec3 start, float limit) {
    Hit hit = Hit(start, ivec3(0), 0.0, 0u);
    vec3 d = mix(direction, vec3(1e-7), lessThan(abs(direction), vec3(1e-7)));
    vec3 inverse = 1.0 / d;
    ivec3 forward = ivec3(greaterThan(d, vec3(0.0)));
    float t;
    int axis;
    bool going = enterBox(origin, inverse, t, axis) && t < limit;
    ivec3 voxel = start;
    ivec3 normal = ivec3(0);
    if (t > 0.0) {
        voxel = clamp(ivec3(floor(origin + d * t)), ivec3(0), viewSize() - 1);
        voxel[axis] = forward[axis] != 0 ? 0 : viewSize()[axis] - 1;
        normal[axis] = 1 - 2 * forward[axis];
    }
    for (int i = 0; i < MAX_STEPS && going; ++i) {
        if (!isInside(voxel) || t >= limit) {
            going = false;
        } else {
            int size;
            uint number;
            if (probe(cache, voxel, size, number)) {
                hit = Hit(voxel, normal, t, colorOf(cache.brick, number));
                going = false;
            } else {
                ivec3 low = voxel & -size;
                vec3 to = (vec3(low + forward * size) - origin) * inverse;
                axis = to.x <= to.y && to.x <= to.z ? 0 : to.y <= to.z ? 1 : 2;
                t = to[axis];
                voxel = clamp(ivec3(floor(origin + d * t)), low, low + (size - 1));
                voxel[axis] = forward[axis] != 0 ? low[axis] + size : low[axis] - 1;
                normal = ivec3(0);
                normal[axis] = 1 - 2 * forward[axis];
            }
        }
    }
    return hit;
}
