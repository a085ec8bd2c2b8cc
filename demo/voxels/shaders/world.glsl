// The voxel world in shaders: bricks, keys, lookups and, unless MUR_READ_ONLY is defined, writes.
//
// A brick's 512 voxels are numbered so that each cube of 4 x 4 x 4 has 64 consecutive numbers,
// that is, two words of occupancy bits: a ray skips an empty cube by one test.
//
// SPDX-License-Identifier: MIT

#include "murmuration.glsl"
#include "shapes.h"
#include "world_layout.h"

#ifdef MUR_READ_ONLY
struct Brick {
    uvec2 occupancy[8];  // a bit a voxel; a cube of 4 x 4 x 4 each
    uint palette[128];   // a byte a voxel, 0 where there is none
};
layout(buffer_reference, std430, buffer_reference_align = 8) readonly buffer BrickPool {
    Brick bricks[];
};
#else
struct Brick {
    uint occupancy[16]; // the same in single words, for atomics
    uint palette[128];
};
layout(buffer_reference, std430, buffer_reference_align = 8) buffer BrickPool {
    Brick bricks[];
};
layout(buffer_reference, std430, buffer_reference_align = 4) buffer WorldState {
    uint words[];
};
#endif

uint brickKey(uvec3 brick) {
    return brick.x | brick.y << WORLD_KEY_SHIFT_Y | brick.z << WORLD_KEY_SHIFT_Z;
}

uvec3 keyBrick(uint key) {
    uvec3 fields = uvec3(key, key >> WORLD_KEY_SHIFT_Y, key >> WORLD_KEY_SHIFT_Z);
    return fields & uvec3(0x7FFu, 0x3FFu, 0x7FFu);
}

// Number of a voxel in its brick.
uint voxelNumber(uvec3 voxel) {
    uvec3 cube = (voxel >> 2) & 1u;
    uvec3 rest = voxel & 3u;
    return cube.z << 8 | cube.y << 7 | cube.x << 6 | rest.z << 4 | rest.y << 2 | rest.x;
}

// The reverse.
uvec3 numberVoxel(uint number) {
    uvec3 cube = (uvec3(number) >> uvec3(6u, 7u, 8u)) & 1u;
    uvec3 rest = (uvec3(number) >> uvec3(0u, 2u, 4u)) & 3u;
    return cube << 2 | rest;
}

#ifndef MUR_READ_ONLY

bool brickAllocated(uint index) {
    return index != BRICK_ABSENT && index != BRICK_CLAIMED;
}

// Has an allocated brick no voxel?
bool brickHollow(WorldRef world, uint index) {
    BrickPool pool = BrickPool(world.pool);
    uint any = 0u;
    for (uint i = 0u; i < 16u; ++i) {
        any |= pool.bricks[index].occupancy[i];
    }
    return any == 0u;
}

// First dispatch of an edit: wants a brick. Whoever is told that it is new puts its slot on the
// list.
void claimBrick(WorldRef world, uvec3 brick) {
    uint slot;
    uint status = mur_insert(world.bricks, brickKey(brick), BRICK_CLAIMED, slot);
    WorldState state = WorldState(world.state);
    if (status == MUR_INSERTED) {
        uint at = atomicAdd(state.words[STATE_NEW], 1u);
        state.words[STATE_WORDS + state.words[STATE_POOL] + at] = slot;
    } else if (status == MUR_FULL) {
        atomicAdd(state.words[STATE_TABLE_FULL], 1u);
    }
}

// Word of the state where a region's masks begin, by its slot in the region table.
uint regionMask(WorldRef world, uint regionSlot) {
    uint slots = STATE_WORDS + WorldState(world.state).words[STATE_POOL];
    return ((slots + world.bricks.slotCount + 1u + 15u) & ~15u) + MASK_WORDS * regionSlot;
}

// The bit of a brick in its region's mask.
void setMask(WorldRef world, uvec3 brick, uint regionSlot) {
    uint number = voxelNumber(brick & 7u);
    uint word = regionMask(world, regionSlot) + (number >> 5);
    atomicOr(WorldState(world.state).words[word], 1u << (number & 31u));
}

void clearMask(WorldRef world, uvec3 brick, uint regionSlot) {
    uint number = voxelNumber(brick & 7u);
    uint word = regionMask(world, regionSlot) + (number >> 5);
    atomicAnd(WorldState(world.state).words[word], ~(1u << (number & 31u)));
}

// Third dispatch: the pool index of a brick, or BRICK_ABSENT.
uint findBrick(WorldRef world, uvec3 brick) {
    uint index;
    mur_find(world.bricks, brickKey(brick), index);
    return index;
}

// Sets four voxels along x, one word of palette indices; an index of 0 leaves a voxel as it is.
// Each word of palette indices has one writer, but a word of occupancy has eight.
void paintVoxels(WorldRef world, uint brick, uint word, uvec4 colors) {
    uint bits = 0u;
    uint bytes = 0u;
    uint mask = 0u;
    for (uint i = 0u; i < 4u; ++i) {
        if (colors[i] != 0u) {
            bits |= 1u << i;
            bytes |= colors[i] << (8u * i);
            mask |= 255u << (8u * i);
        }
    }
    if (bits != 0u) {
        BrickPool pool = BrickPool(world.pool);
        atomicOr(pool.bricks[brick].occupancy[word >> 3], bits << (4u * (word & 7u)));
        pool.bricks[brick].palette[word] = (pool.bricks[brick].palette[word] & ~mask) | bytes;
    }
}

// Removes voxels of such a word. bits: which of the four.
void clearVoxels(WorldRef world, uint brick, uint word, uint bits) {
    uint mask = 0u;
    for (uint i = 0u; i < 4u; ++i) {
        mask |= (bits & (1u << i)) != 0u ? 255u << (8u * i) : 0u;
    }
    BrickPool pool = BrickPool(world.pool);
    atomicAnd(pool.bricks[brick].occupancy[word >> 3], ~(bits << (4u * (word & 7u))));
    pool.bricks[brick].palette[word] &= ~mask;
}

#endif
