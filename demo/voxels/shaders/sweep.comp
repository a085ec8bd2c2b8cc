#version 450
#extension GL_GOOGLE_include_directive : require
// Last dispatch of an edit: bricks of a box that have no voxel left are erased from the table and
// go to the list of free ones, all zero as they are.
// SPDX-License-Identifier: MIT
#include "world.glsl"
#include "group.glsl"

layout(local_size_x = 4, local_size_y = 4, local_size_z = 4) in;
layout(push_constant) uniform Push {
    WorldRef world;
    BrickBox box;
};

void main() {
    uvec3 brick;
    if (!invocationBrick(box, brick)) {
        return;
    }
    uint index = findBrick(world, brick);
    if (!brickAllocated(index) || !brickHollow(world, index)) {
        return;
    }
    if (mur_erase(world.bricks, brickKey(brick)) == MUR_ERASED) {
        WorldState state = WorldState(world.state);
        uint at = atomicAdd(state.words[STATE_FREE], 1u);
        state.words[STATE_WORDS + at] = index;
        uint regionSlot;
        mur_add(world.regions, brickKey(brick >> 3), 0xFFFFFFFFu, regionSlot); // at zero it is gone
        clearMask(world, brick, regionSlot);
    }
}
