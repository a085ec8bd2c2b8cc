// The voxel world in shaders: bricks, keys, lookups. With WORLD_READ for rays; without it for
// kernels that edit.
//
// A brick's 512 voxels are numbered so that each cube of 4 x 4 x 4 has 64 consecutive numbers,
// that is, two words of occupancy bits: a ray skips an empty cube by one test.
// SPDX-License-Identifier: MIT

#define MUR_KEYS_64
#include "murmuration.glsl"
#include "shapes.h"
#include "world_layout.h"

#ifdef WORLD_READ
struct Brick {
    uvec2 occupancy[8];  // a bit a voxel; a cube of 4 x 4 x 4 each
    uint palette[128];   // a byte per voxel, 0 if it is empty
};
layout(buffer_reference, std430, buffer_reference_align = 8) readonly buffer BrickPool {
    Brick bricks[];
};
#else
struct Brick {
    uvec4 occupancy[4];
    uvec4 palette[32]; // 16 voxels each
};
layout(buffer_reference, std430, buffer_reference_align = 16) buffer BrickPool {
    Brick bricks[];
};
#endif
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Words {
    uint words[];
};

BrickKey brickKey(uvec3 brick) {
    return brickKeyOf(brick.x, brick.y, brick.z);
}

uvec3 keyBrick(BrickKey key) {
    return uvec3(keyBrickX(key), keyBrickY(key), keyBrickZ(key));
}

// Number of a voxel in its brick.
uint voxelNumber(uvec3 voxel) {
    return voxelNumberOf(voxel.x, voxel.y, voxel.z);
}

// The reverse.
uvec3 numberVoxel(uint number) {
    uvec3 cube = (uvec3(number) >> uvec3(6u, 7u, 8u)) & 1u;
    uvec3 rest = (uvec3(number) >> uvec3(0u, 2u, 4u)) & 3u;
    return cube << 2 | rest;
}

bool isInWorld(ivec3 voxel) {
    return all(lessThan(uvec3(voxel), uvec3(WORLD_SIZE_X, WORLD_SIZE_Y, WORLD_SIZE_Z)));
}

// The meaning of a value of the brick table.
bool brickHasVoxels(uint value) { // look them up in the pool
    return value < BRICK_UNIFORM;
}

bool brickUniform(uint value) { // all solid and of colour brickColor(value)
    return value != BRICK_ABSENT && (value & BRICK_UNIFORM) != 0u;
}

uint brickColor(uint value) {
    return value & 255u;
}

// The brick table's value for a brick.
uint findBrick(WorldRef world, uvec3 brick) {
    uint value;
    mur_find(world.bricks, brickKey(brick), value);
    return value;
}
