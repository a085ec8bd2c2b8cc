// Finding marks: a workgroup a brick, an invocation a row of 8 voxels along x, which is z * 8 + y.
// Declare push, with world, before the include.
//
// SPDX-License-Identifier: MIT
#include "marks.glsl"

shared uint rows[64]; // marks
shared uint marked;
shared uvec3 markedLow;
shared uvec3 markedHigh;

// Of a row's voxels, those in the layer of the face that have nothing before it.
uint openRow(FloodAt at, uvec3 brick, uint row, uint bits) {
    uint axis = at.flood.side >> 1;
    ivec3 start = ivec3(at.flood.x, at.flood.y, at.flood.z);
    ivec3 normal = ivec3(0);
    normal[axis] = (at.flood.side & 1u) != 0u ? 1 : -1;
    for (uint x = 0u; x < 8u; ++x) {
        ivec3 v = ivec3(brick * BRICK_WIDTH + uvec3(x, row & 7u, row >> 3));
        bool open = v[axis] == start[axis] && voxelColor(push.world, v + normal) == 0u;
        bits = open ? bits : bits & ~(1u << x);
    }
    return bits;
}

// The voxels of a row that can be marked.
uint matchingRow(FloodAt at, uvec3 brick, uint value, uint row) {
    uint target = at.flood.target;
    uint bits = 0u;
    for (uint x = 0u; x < 8u; ++x) {
        uint color = valueColor(push.world, value, uvec3(x, row & 7u, row >> 3));
        bits |= color != 0u && (target == 0u || color == target) ? 1u << x : 0u;
    }
    return at.flood.kind == MARK_FACE && bits != 0u ? openRow(at, brick, row, bits) : bits;
}

// Counts the marks of a row that are new. All invocations of the workgroup do.
void countMarks(FloodAt at, uvec3 brick, uint row, uint fresh) {
    if (row == 0u) {
        marked = 0u;
        markedLow = uvec3(0xFFFFFFFFu);
        markedHigh = uvec3(0u);
    }
    barrier();
    if (fresh != 0u) {
        uvec3 low = brick * BRICK_WIDTH + uvec3(findLSB(fresh), row & 7u, row >> 3);
        uvec3 high = low + uvec3(findMSB(fresh) - findLSB(fresh), 0u, 0u);
        atomicAdd(marked, bitCount(fresh));
        for (uint i = 0u; i < 3u; ++i) {
            atomicMin(markedLow[i], low[i]);
            atomicMax(markedHigh[i], high[i]);
        }
    }
    barrier();
    if (row == 0u && marked != 0u) {
        atomicAdd(at.flood.voxels, marked);
        for (uint i = 0u; i < 3u; ++i) {
            atomicMin(at.flood.low[i], markedLow[i]);
            atomicMax(at.flood.high[i], markedHigh[i]);
        }
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
