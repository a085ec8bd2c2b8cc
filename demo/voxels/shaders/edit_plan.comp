#version 450
#extension GL_GOOGLE_include_directive : require
// Second dispatch of an edit: an invocation per brick of the brush's box. Bricks that change as a
// whole become changes right away; the other bricks become items for the next dispatch. A workgroup
// appends to the lists once for all its bricks.
// SPDX-License-Identifier: MIT
#include "edit.glsl"

layout(local_size_x = 4, local_size_y = 4, local_size_z = 4) in;

const uint LEAVE = 0u;
const uint CHANGE = 1u; // to a value
const uint LOOK = 2u;   // at its voxels

shared uint counts[3];
shared uint firsts[3];

// Would smoothing change nothing: is the brick, with all around it, empty or solid throughout?
bool smoothAlready(uvec3 brick, uint value) {
    if (brickHasVoxels(value)) {
        return false;
    }
    bool same = true;
    for (uint i = 0u; i < 27u; ++i) {
        uint other = aroundBrick(push.world, brick, i);
        same = same && !brickHasVoxels(other) && brickUniform(other) == brickUniform(value);
    }
    return same;
}

uint planAdd(Edit edit, bool whole, uint value, out uint wanted) {
    wanted = BRICK_UNIFORM | edit.colors & 255u;
    if (!brushOneColor(edit)) {
        return LOOK;
    }
    return value == wanted ? LEAVE : whole ? CHANGE : LOOK;
}

// Only existing bricks can be painted or dug.
uint planOthers(Edit edit, bool whole, uint value, out uint wanted) {
    wanted = BRICK_ABSENT;
    if (value == BRICK_ABSENT) {
        return LEAVE;
    }
    if (edit.tool == TOOL_DIG) {
        return whole ? CHANGE : LOOK;
    }
    wanted = BRICK_UNIFORM | edit.colors & 255u;
    if (!brushOneColor(edit) || brickHasVoxels(value)) {
        return LOOK;
    }
    return value == wanted ? LEAVE : whole ? CHANGE : LOOK;
}

uint plan(Edit edit, uvec3 brick, out uint value, out uint wanted) {
    ivec3 low = ivec3(brick * BRICK_WIDTH);
    value = BRICK_ABSENT;
    wanted = BRICK_ABSENT;
    if (!brushMeetsBrick(edit, low.x, low.y, low.z)) {
        return LEAVE;
    }
    value = findBrick(push.world, brick);
    bool whole = brushFillsBrick(edit, low.x, low.y, low.z);
    switch (edit.tool) {
    case TOOL_ADD:
        return planAdd(edit, whole, value, wanted);
    case TOOL_DIG:
    case TOOL_PAINT:
        return planOthers(edit, whole, value, wanted);
    case TOOL_SMOOTH:
        return smoothAlready(brick, value) ? LEAVE : LOOK;
    default:
        return LOOK;
    }
}

void main() {
    BlockAt at = BlockAt(push.block);
    uint lane = gl_LocalInvocationIndex;
    if (lane < 3u) {
        counts[lane] = 0u;
    }
    barrier();
    uvec3 low = uvec3(at.block.low[0], at.block.low[1], at.block.low[2]);
    uvec3 high = uvec3(at.block.high[0], at.block.high[1], at.block.high[2]);
    uvec3 brick = low + gl_GlobalInvocationID;
    uint verdict = LEAVE;
    uint value, wanted;
    if (all(lessThan(brick, high))) {
        verdict = plan(at.block.edit, brick, value, wanted);
    }
    uint place = verdict != LEAVE ? atomicAdd(counts[verdict], 1u) : 0u;
    barrier();
    uint record = at.block.record;
    Quads records = Quads(at.block.records);
    if (lane == CHANGE && counts[CHANGE] != 0u) {
        firsts[CHANGE] = atomicAdd(records.quads[record].y, counts[CHANGE]);
        atomicAdd(at.block.voxels, counts[CHANGE] * BRICK_VOXELS);
    }
    if (lane == LOOK && counts[LOOK] != 0u) {
        firsts[LOOK] = atomicAdd(at.block.itemCount, counts[LOOK]);
    }
    barrier();
    BrickKey key = brickKey(brick);
    if (verdict == CHANGE) {
        uint i = ringAt(records.quads[record].x, firsts[CHANGE] + place, at.block.ringSize);
        Quads(at.block.ring).quads[i] = uvec4(key, wanted, 0u);
    } else if (verdict == LOOK && firsts[LOOK] + place < EDIT_MAX_BRICKS) {
        Quads(at.block.items).quads[firsts[LOOK] + place] = uvec4(key, value, 0u);
    }
}
