#version 450
#extension GL_GOOGLE_include_directive : require
// Third dispatch of an edit that smooths. A voxel of the brush becomes solid if at least 14 of the
// 27 voxels around it are, itself counted; a new one takes the colour of the first neighbour that
// is solid. Two bricks a workgroup, whose voxels and one more on each side are in shared memory.
// SPDX-License-Identifier: MIT
#include "edit.glsl"

const uint GROUP_BRICKS = 2u;
layout(local_size_x = 64) in;
#include "edit_bricks.glsl"

const uint SIDE = 10u;
shared uint around[GROUP_BRICKS][SIDE * SIDE * SIDE];
shared uint neighbours[GROUP_BRICKS][27];

void loadNeighbours(uvec3 brick, bool there) {
    if (lane() < 27u) {
        neighbours[laneBrick()][lane()] = there ? aroundBrick(push.world, brick, lane())
                                                : BRICK_ABSENT;
    }
}

void loadVoxels() {
    for (uint i = lane(); i < SIDE * SIDE * SIDE; i += BRICK_LANES) {
        uvec3 v = uvec3(i % SIDE, i / SIDE % SIDE, i / (SIDE * SIDE)) + 7u; // from one brick before
        uvec3 brick = v >> 3;
        uint value = neighbours[laneBrick()][(brick.z * 3u + brick.y) * 3u + brick.x];
        around[laneBrick()][i] = valueColor(push.world, value, v);
    }
}

// x, y, z: in the brick.
uint smoothed(uvec3 v, uint old) {
    uint solid = 0u;
    uint color = 0u;
    for (uint z = 0u; z < 3u; ++z) {
        for (uint y = 0u; y < 3u; ++y) {
            uint row = ((v.z + z) * SIDE + v.y + y) * SIDE + v.x;
            for (uint x = 0u; x < 3u; ++x) {
                uint other = around[laneBrick()][row + x];
                solid += other != 0u ? 1u : 0u;
                color = color != 0u ? color : other;
            }
        }
    }
    return solid < 14u ? 0u : old != 0u ? old : color;
}

void smoothVoxels(Edit edit, inout BrickWork work) {
    ivec3 low = ivec3(keyBrick(work.item.xy) * BRICK_WIDTH);
    uvec3 at = numberVoxel(16u * lane());
    for (uint y = 0u; y < 4u; ++y) {
        uint to = work.from[y];
        for (uint x = 0u; x < 4u; ++x) {
            uvec3 v = at + uvec3(x, y, 0u);
            ivec3 place = low + ivec3(v);
            if (brushHas(edit, place.x, place.y, place.z)) {
                uint color = smoothed(v, to >> (8u * x) & 255u);
                to = bitfieldInsert(to, color, int(8u * x), 8);
                ++work.looked;
            }
        }
        work.to[y] = to;
    }
}

void newVoxels(BlockAt at, Edit edit, inout BrickWork work) {
    loadNeighbours(keyBrick(work.item.xy), work.there);
    barrier();
    loadVoxels();
    barrier();
    if (work.there) {
        work.from = valueVoxels(work.item.z);
        work.to = work.from;
        smoothVoxels(edit, work);
    }
}
