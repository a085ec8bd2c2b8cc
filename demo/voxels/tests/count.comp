#version 450
#extension GL_GOOGLE_include_directive : require
// Counts all bricks and voxels. A workgroup reads 128 slots of the brick table at a time. Then all
// its invocations together count the voxels of each brick in these slots.
// SPDX-License-Identifier: MIT
#include "world.glsl"
#include "count_layout.h"

layout(local_size_x = 128) in;
layout(push_constant) uniform Push {
    CountPush push;
};

shared uint found;
shared BrickKey keys[128];
shared uint values[128];
shared uint sums[COUNT_WORDS];
shared uint solid;
shared uint mixedBits; // of the brick at hand: colours that it has, as bits, or'ed
shared uint sameBits;  // and'ed

void countVoxels(uvec3 brick, uint value, inout uint low, inout uint high) {
    uint lane = gl_LocalInvocationIndex;
    uint word = brickColor(value) * 0x01010101u;
    uint bits = 15u;
    if (brickHasVoxels(value)) {
        word = BrickPool(push.world.pool).bricks[value].palette[lane >> 2][lane & 3u];
        uvec4 occupied = BrickPool(push.world.pool).bricks[value].occupancy[lane >> 5];
        bits = occupied[lane >> 3 & 3u] >> (4u * (lane & 7u)) & 15u;
    }
    uvec3 voxel = brick * BRICK_WIDTH + numberVoxel(4u * lane) -
                  uvec3(WORLD_ORIGIN_X, WORLD_ORIGIN_Y, WORLD_ORIGIN_Z);
    uint colors = 0u;
    for (uint i = 0u; i < 4u; ++i) {
        uint color = word >> (8u * i) & 255u;
        colors |= color != 0u ? 1u << i : 0u;
        if ((bits & (1u << i)) != 0u) {
            low += voxelSum(voxel.x + i, voxel.y, voxel.z, color, 1u);
            high += voxelSum(voxel.x + i, voxel.y, voxel.z, color, 2u);
        }
        atomicOr(mixedBits, color);
        atomicAnd(sameBits, color);
    }
    if (colors != bits) { // occupancy and palette indices disagree
        atomicAdd(sums[COUNT_WRONG], 1u);
    }
    atomicAdd(solid, bitCount(bits));
}

// Counts invalid bricks: without a voxel, listed voxel by voxel though uniform, or impossible.
void checkBrick(uint value) {
    bool right = brickHasVoxels(value) ? mixedBits != sameBits
                                       : brickUniform(value) && brickColor(value) != 0u &&
                                             value <= (BRICK_UNIFORM | 255u);
    if (!right) {
        atomicAdd(sums[COUNT_WRONG], 1u);
    }
    atomicAdd(sums[COUNT_BRICKS], 1u);
    if (brickHasVoxels(value)) {
        atomicAdd(sums[COUNT_PAYLOADS], 1u);
    }
}

void countBricks(inout uint low, inout uint high) {
    uint lane = gl_LocalInvocationIndex;
    uint pool = Words(push.world.state).words[STATE_POOL];
    for (uint i = 0u; i < found; ++i) {
        uint value = values[i];
        bool known = !brickHasVoxels(value) || value < pool;
        if (lane == 0u) {
            mixedBits = 0u;
            sameBits = 255u;
        }
        barrier();
        if (known) {
            countVoxels(keyBrick(keys[i]), value, low, high);
        }
        barrier();
        if (lane == 0u) {
            checkBrick(known ? value : BRICK_VOID);
        }
        barrier();
    }
}

// One slot of the region table counts up to 512 bricks.
void countRegions() {
    uint stride = gl_NumWorkGroups.x * gl_WorkGroupSize.x;
    MurTableRef regions = push.world.regions;
    for (uint slot = gl_GlobalInvocationID.x; slot <= regions.slotCount; slot += stride) {
        atomicAdd(sums[COUNT_REGIONAL], mur_slot_value(regions, slot));
    }
}

void main() {
    uint lane = gl_LocalInvocationIndex;
    MurTableRef bricks = push.world.bricks;
    uint low = 0u;
    uint high = 0u;
    if (lane < COUNT_WORDS) {
        sums[lane] = 0u;
    }
    uint stride = gl_NumWorkGroups.x * 128u;
    for (uint base = gl_WorkGroupID.x * 128u; base <= bricks.slotCount; base += stride) {
        if (lane == 0u) {
            found = 0u;
            solid = 0u;
        }
        barrier();
        BrickKey key;
        uint value;
        if (mur_slot_entry(bricks, base + lane, key, value)) {
            uint i = atomicAdd(found, 1u);
            keys[i] = key;
            values[i] = value;
        }
        barrier();
        countBricks(low, high);
        if (lane == 0u && solid != 0u) { // a 64-bit sum
            Words total = Words(push.sums);
            uint before = atomicAdd(total.words[COUNT_SOLID_LOW], solid);
            atomicAdd(total.words[COUNT_SOLID_HIGH], before + solid < before ? 1u : 0u);
        }
        barrier();
    }
    countRegions();
    atomicAdd(sums[COUNT_SUM_LOW], low);
    atomicAdd(sums[COUNT_SUM_HIGH], high);
    barrier();
    if (lane >= COUNT_SUM_LOW && lane < COUNT_WORDS) {
        atomicAdd(Words(push.sums).words[lane], sums[lane]);
    }
}
