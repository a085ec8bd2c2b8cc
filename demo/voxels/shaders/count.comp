#version 450
#extension GL_GOOGLE_include_directive : require
// Counts: a workgroup takes bricks from what murCmdExtract found, an invocation a word of palette
// indices, and then slots of the region table. Sums meet in shared memory and are added once.
// SPDX-License-Identifier: MIT
#include "world.glsl"

layout(local_size_x = 128) in;
layout(push_constant) uniform Push {
    CountPush push;
};

layout(buffer_reference, std430, buffer_reference_align = 4) readonly buffer Words {
    uint words[];
};

shared uint sums[STATE_REGION_SUM + 1u];

uint countWord(uvec3 brick, uint index, uint word, inout uint low, inout uint high) {
    BrickPool pool = BrickPool(push.world.pool);
    uint bits = pool.bricks[index].occupancy[word >> 3] >> (4u * (word & 7u)) & 15u;
    uint bytes = pool.bricks[index].palette[word];
    uvec3 voxel = brick * BRICK_WIDTH + numberVoxel(4u * word);
    for (uint i = 0u; i < 4u; ++i) {
        if ((bits & (1u << i)) != 0u) {
            uint color = bytes >> (8u * i) & 255u;
            low += voxelSum(voxel.x + i, voxel.y, voxel.z, color, 1u);
            high += voxelSum(voxel.x + i, voxel.y, voxel.z, color, 2u);
        }
    }
    return bitCount(bits);
}

void countBricks(WorldState state) {
    uint pool = state.words[STATE_POOL];
    uint count = min(state.words[STATE_EXTRACTED], pool);
    uint solid = 0u;
    uint low = 0u;
    uint high = 0u;
    uint wrong = 0u;
    for (uint i = gl_WorkGroupID.x; i < count; i += gl_NumWorkGroups.x) {
        uint index = Words(push.values).words[i];
        if (index < pool) {
            uvec3 brick = keyBrick(Words(push.keys).words[i]);
            solid += countWord(brick, index, gl_LocalInvocationIndex, low, high);
            wrong += gl_LocalInvocationIndex == 0u && brickHollow(push.world, index) ? 1u : 0u;
        } else {
            wrong += gl_LocalInvocationIndex == 0u ? 1u : 0u;
        }
    }
    atomicAdd(sums[STATE_SOLID], solid);
    atomicAdd(sums[STATE_SUM_LOW], low);
    atomicAdd(sums[STATE_SUM_HIGH], high);
    atomicAdd(sums[STATE_HOLLOW], wrong);
}

void countRegions() {
    uint stride = gl_NumWorkGroups.x * gl_WorkGroupSize.x;
    uint bricks = 0u;
    MurTableRef regions = push.world.regions;
    for (uint slot = gl_GlobalInvocationID.x; slot <= regions.slotCount; slot += stride) {
        bricks += mur_slot_value(regions, slot); // 0 where there is none
    }
    atomicAdd(sums[STATE_REGION_SUM], bricks);
}

void main() {
    WorldState state = WorldState(push.world.state);
    uint lane = gl_LocalInvocationIndex;
    if (lane <= STATE_REGION_SUM) {
        sums[lane] = 0u;
    }
    barrier();
    countBricks(state);
    countRegions();
    barrier();
    if (lane >= STATE_SOLID && lane <= STATE_REGION_SUM) {
        atomicAdd(state.words[lane], sums[lane]);
    }
}
