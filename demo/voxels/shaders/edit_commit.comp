#version 450
#extension GL_GOOGLE_include_directive : require
// Exchanges the values of a list of changes with those of the brick table: an edit, or its undo, or
// its redo. Keeps count of the bricks of regions, of the world, and of the pool bricks that the
// list holds from now on.
//
// Changes of neighbouring bricks are mostly neighbours on the list: of each 32, those that share the
// first one's region are counted together.
// SPDX-License-Identifier: MIT
#include "edit.glsl"

layout(local_size_x = 256) in;
layout(push_constant) uniform Push {
    EditPush push;
};

const uint TEAM = 32u;
shared BrickKey teamRegion[256u / TEAM];
shared uint teamBricks[256u / TEAM]; // more of them, modulo 2^32
shared uint allBricks;
shared uint held;

// Sets a brick's value and returns the old one, or BRICK_VOID: the table has no room.
uint exchangeBrick(BrickKey key, uint value) {
    uint old = BRICK_ABSENT;
    uint slot;
    if (value == BRICK_ABSENT) {
        mur_erase(push.world.bricks, key, old, slot);
        return old;
    }
    uint status = mur_insert(push.world.bricks, key, value, slot);
    if (status == MUR_EXISTED) {
        old = mur_slot_exchange(push.world.bricks, slot, value);
    }
    return status == MUR_FULL ? BRICK_VOID : old;
}

// The list's new value for a change, and how many bricks more the world has.
uint commit(BlockAt at, BrickKey key, uint value, out uint more) {
    more = 0u;
    if (value == BRICK_VOID) {
        return value;
    }
    uint old = exchangeBrick(key, value);
    if (old == BRICK_VOID) {
        atomicAdd(at.block.tableFailed, 1u);
        if (brickHasVoxels(value)) {
            giveBack(push.world, at, value);
        }
    } else {
        more = (value != BRICK_ABSENT ? 1u : 0u) - (old != BRICK_ABSENT ? 1u : 0u);
    }
    return old;
}

void addToRegion(BlockAt at, BrickKey region, uint more) {
    if (mur_add(push.world.regions, region, more) == MUR_FULL) {
        atomicAdd(at.block.tableFailed, 1u);
    }
}

void countRegion(BlockAt at, BrickKey region, uint more) {
    uint team = gl_LocalInvocationIndex / TEAM;
    if (more != 0u) {
        if (region == teamRegion[team]) {
            atomicAdd(teamBricks[team], more);
        } else {
            addToRegion(at, region, more);
        }
        atomicAdd(allBricks, more);
    }
}

void main() {
    BlockAt at = BlockAt(push.block);
    uint lane = gl_LocalInvocationIndex;
    uint record = at.block.record;
    uvec4 list = Quads(at.block.records).quads[record];
    uint stride = gl_NumWorkGroups.x * 256u;
    if (lane == 0u) {
        allBricks = 0u;
        held = 0u;
    }
    for (uint base = gl_WorkGroupID.x * 256u; base < list.y; base += stride) {
        uint i = ringAt(list.x, base + lane, at.block.ringSize);
        bool there = base + lane < list.y;
        uvec4 change = there ? Quads(at.block.ring).quads[i] : uvec4(0u);
        BrickKey key = wordsKey(change.xy);
        BrickKey region = brickKey(keyBrick(key) / REGION_WIDTH);
        if (lane % TEAM == 0u) {
            teamRegion[lane / TEAM] = region;
            teamBricks[lane / TEAM] = 0u;
        }
        barrier();
        if (there) {
            uint more;
            uint old = commit(at, key, change.z, more);
            Quads(at.block.ring).quads[i].z = old;
            countRegion(at, region, more);
            if (brickHasVoxels(old)) {
                atomicAdd(held, 1u);
            }
        }
        barrier();
        if (lane % TEAM == 0u && teamBricks[lane / TEAM] != 0u) {
            addToRegion(at, region, teamBricks[lane / TEAM]);
        }
        barrier();
    }
    barrier();
    if (lane == 0u) {
        if (allBricks != 0u) {
            atomicAdd(WorldState(push.world.state).words[STATE_BRICKS], allBricks);
        }
        if (held != 0u) {
            atomicAdd(Quads(at.block.records).quads[record].z, held);
        }
    }
}
