// Finding marks: a workgroup a brick, an invocation a row of 8 voxels along x, which is z * 8 + y.
// Declare push, with world, before the include.
// SPDX-License-Identifier: MIT
#include "marks.glsl"

shared uint rows[64]; // marks

// The voxels of a row that can be marked. Marks of a face stay in its layer: the voxels before
// it are empty, and those behind it are covered.
uint matchingRow(FloodAt at, uvec3 brick, uint value, uint row) {
    uint target = at.flood.target;
    uint bits = 0u;
    for (uint x = 0u; x < 8u; ++x) {
        uvec3 v = brick * BRICK_WIDTH + uvec3(x, row & 7u, row >> 3);
        uint color = valueColor(push.world, value, v);
        bool match = color != 0u && (target == 0u || color == target);
        if (match && at.flood.kind == MARK_FACE) {
            Spot to = spotBefore(at.flood.side, Spot(int(v.x), int(v.y), int(v.z)));
            match = voxelColor(push.world, ivec3(to.x, to.y, to.z)) == 0u;
        }
        bits |= match ? 1u << x : 0u;
    }
    return bits;
}

// Counts the marks of a row that are new. Few change the box, so it is read before.
void countMarks(FloodAt at, uvec3 brick, uint row, uint fresh) {
    uvec3 low = brick * BRICK_WIDTH + uvec3(findLSB(fresh), row & 7u, row >> 3);
    uvec3 high = low + uvec3(findMSB(fresh) - findLSB(fresh), 0u, 0u);
    for (uint i = 0u; i < 3u && fresh != 0u; ++i) {
        if (low[i] < at.flood.low[i]) {
            atomicMin(at.flood.low[i], low[i]);
        }
        if (high[i] > at.flood.high[i]) {
            atomicMax(at.flood.high[i], high[i]);
        }
    }
    if (fresh != 0u) {
        atomicAdd(at.flood.voxels, bitCount(fresh));
    }
}

// The brick's marks, which are in rows.
void storeMarks(FloodAt at, uint slot, uint row) {
    if (row < FLOOD_MASK_WORDS) {
        Words(at.flood.reached).words[slot * FLOOD_MASK_WORDS + row] =
            rows[4u * row] | rows[4u * row + 1u] << 8 | rows[4u * row + 2u] << 16 |
            rows[4u * row + 3u] << 24;
    }
}

// Stores the colour of the first voxel, and its brick for the next step.
void begin(FloodAt flood) {
    ivec3 v = ivec3(flood.flood.x, flood.flood.y, flood.flood.z);
    uint color = voxelColor(push.world, v);
    if (color == 0u) {
        return; // nothing leads anywhere
    }
    flood.flood.target = flood.flood.kind == MARK_SAME ? color : 0u;
    uint slot;
    mur_insert(flood.flood.table, brickKey(uvec3(v) >> BRICK_SHIFT), 2u, slot);
    uint row = (uint(v.z) & 7u) * 8u + (uint(v.y) & 7u);
    Words(flood.flood.wanted).words[slot * FLOOD_MASK_WORDS + (row >> 2)] =
        1u << (8u * (row & 3u) + (uint(v.x) & 7u));
    Words(flood.flood.lists[1]).words[0] = slot;
    flood.flood.counts[1] = 1u;
    flood.flood.bricks = 1u;
}
