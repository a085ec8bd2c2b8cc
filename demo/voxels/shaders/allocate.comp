#version 450
#extension GL_GOOGLE_include_directive : require
// Second dispatch of an edit: gives each new slot a brick, from the list of free ones first, and
// counts and marks it in its region. A slot that gets none is erased again. Free bricks and those never
// used are all zero, so nothing is cleared here.
// SPDX-License-Identifier: MIT
#include "world.glsl"

layout(local_size_x = 64) in;
layout(push_constant) uniform Push {
    WorldRef world;
};

// A new region widens the box of all regions.
void widen(WorldState state, uvec3 region) {
    for (uint i = 0u; i < 3u; ++i) {
        atomicMin(state.words[STATE_LOW_X + i], region[i]);
        atomicMax(state.words[STATE_HIGH_X + i], region[i]);
    }
}

void allocate(WorldState state, uint i) {
    uint pool = state.words[STATE_POOL];
    uint free = state.words[STATE_FREE];
    uint slot = state.words[STATE_WORDS + pool + i];
    uint index = i < free ? state.words[STATE_WORDS + free - 1u - i]
                          : state.words[STATE_TOP] + (i - free);
    if (index >= pool) {
        atomicAdd(state.words[STATE_POOL_FULL], 1u);
        mur_slot_exchange(world.bricks, slot, BRICK_ABSENT);
        return;
    }
    uint key, value;
    mur_slot_entry(world.bricks, slot, key, value);
    mur_slot_exchange(world.bricks, slot, index);
    uvec3 brick = keyBrick(key);
    uint regionSlot;
    uint status = mur_add(world.regions, brickKey(brick >> 3), 1u, regionSlot);
    if (status == MUR_FULL) {
        atomicAdd(state.words[STATE_REGIONS_FULL], 1u);
        return;
    }
    setMask(world, brick, regionSlot);
    if (status == MUR_INSERTED) {
        widen(state, brick >> 3);
    }
}

void main() {
    WorldState state = WorldState(world.state);
    uint count = state.words[STATE_NEW];
    uint stride = gl_NumWorkGroups.x * gl_WorkGroupSize.x;
    for (uint i = gl_GlobalInvocationID.x; i < count; i += stride) {
        allocate(state, i);
    }
}
