#version 450
#extension GL_GOOGLE_include_directive : require
// Exchanges the values of a list of changes with those of the brick table: an edit, or its undo, or
// its redo. Keeps count of the bricks of regions, of the world, and of the pool bricks that the
// list holds from now on.
//
// A brick that is to appear is counted in its region before: if the region table has no room,
// the brick is left out. Neighbours on the list are mostly neighbours in the world: of each 32,
// those that share the first one's region are counted together.
// SPDX-License-Identifier: MIT
#include "edit.glsl"

layout(local_size_x = 256) in;

const uint TEAM = 32u;
shared BrickKey teamRegion[256u / TEAM];
shared uint teamSlot[256u / TEAM];
shared uint teamCount[256u / TEAM];  // of bricks that are to appear
shared uint teamExcess[256u / TEAM]; // modulo 2^32: of those, that did not; and that vanished
shared uint appeared;                // modulo 2^32, less those that vanished
shared uint held;

// The box of all regions has this one too.
void widen(uvec3 region) {
    Words state = Words(push.world.state);
    for (uint i = 0u; i < 3u; ++i) {
        atomicMin(state.words[STATE_LOW_X + i], region[i]);
        atomicMax(state.words[STATE_HIGH_X + i], region[i]);
    }
}

// Counts bricks that are to appear in a region. The region's slot, or MUR_NO_SLOT: no room.
uint reserve(BrickKey region, uint bricks) {
    uint slot;
    if (bricks == 0u) {
        return mur_find_slot(push.world.regions, region, slot);
    }
    if (mur_add(push.world.regions, region, bricks, slot) == MUR_INSERTED) {
        widen(keyBrick(region));
    }
    return slot;
}

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

void setMask(BlockAt at, uint regionSlot, uvec3 brick, bool there) {
    uint number = voxelNumber(brick & 7u);
    uint word = MASK_WORDS * regionSlot + (number >> 5);
    uint bit = 1u << (number & 31u);
    if (there) {
        atomicOr(Words(at.block.masks).words[word], bit);
    } else {
        atomicAnd(Words(at.block.masks).words[word], ~bit);
    }
}

// Makes a change and returns the new value for its list. excess: how many bricks fewer the
// region has than were reserved.
uint commit(BlockAt at, BrickKey key, uint value, uint regionSlot, out uint excess) {
    bool there = value != BRICK_ABSENT;
    uint old = there && regionSlot == MUR_NO_SLOT ? BRICK_VOID : exchangeBrick(key, value);
    bool was = old != BRICK_ABSENT;
    excess = was ? 1u : 0u;
    if (old == BRICK_VOID) {
        atomicAdd(at.block.tableFailed, 1u);
        if (brickHasVoxels(value)) {
            giveBack(push.world, at, value);
        }
    } else if (there != was) {
        setMask(at, regionSlot, keyBrick(key), there);
        atomicAdd(appeared, there ? 1u : 0xFFFFFFFFu);
    }
    return old;
}

// One change per invocation; value is BRICK_VOID for none. The leader of a team counts for all
// members in the leader's region; members in other regions count for themselves.
uint commitTeam(BlockAt at, BrickKey key, uint value) {
    uint team = gl_LocalInvocationIndex / TEAM;
    bool leads = gl_LocalInvocationIndex % TEAM == 0u;
    BrickKey region = brickKey(keyBrick(key) / REGION_WIDTH);
    uint wanted = value < BRICK_VOID ? 1u : 0u;
    if (leads) {
        teamRegion[team] = region;
        teamCount[team] = 0u;
        teamExcess[team] = 0u;
    }
    barrier();
    bool member = region == teamRegion[team];
    if (member && wanted != 0u) {
        atomicAdd(teamCount[team], 1u);
    }
    barrier();
    uint slot = MUR_NO_SLOT;
    if (leads || (!member && value != BRICK_VOID)) {
        slot = reserve(region, leads ? teamCount[team] : wanted);
    }
    if (leads) {
        teamSlot[team] = slot;
    }
    barrier();
    slot = member ? teamSlot[team] : slot;
    uint old = BRICK_VOID;
    uint excess = 0u;
    if (value != BRICK_VOID) {
        old = commit(at, key, value, slot, excess);
        excess = slot != MUR_NO_SLOT ? excess : 0u;
    }
    if (member && excess != 0u) {
        atomicAdd(teamExcess[team], 1u);
    }
    barrier();
    excess = leads ? teamExcess[team] : member ? 0u : excess;
    if (excess != 0u) {
        mur_add(push.world.regions, region, 0u - excess);
    }
    return old;
}

void main() {
    BlockAt at = BlockAt(push.block);
    uint lane = gl_LocalInvocationIndex;
    uint record = at.block.record;
    uvec4 list = Quads(at.block.records).quads[record];
    uint stride = gl_NumWorkGroups.x * 256u;
    if (lane == 0u) {
        appeared = 0u;
        held = 0u;
    }
    for (uint base = gl_WorkGroupID.x * 256u; base < list.y; base += stride) {
        uint i = ringAt(list.x, min(base + lane, list.y - 1u), at.block.ringSize);
        bool there = base + lane < list.y;
        uvec4 change = Quads(at.block.ring).quads[i];
        barrier();
        uint old = commitTeam(at, change.xy, there ? change.z : BRICK_VOID);
        if (there) {
            Quads(at.block.ring).quads[i].z = old;
            if (brickHasVoxels(old)) {
                atomicAdd(held, 1u);
            }
        }
    }
    barrier();
    if (lane == 0u) {
        if (appeared != 0u) {
            atomicAdd(Words(push.world.state).words[STATE_BRICKS], appeared);
        }
        if (held != 0u) {
            atomicAdd(Quads(at.block.records).quads[record].z, held);
        }
    }
}
