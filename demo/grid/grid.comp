#version 450
#extension GL_GOOGLE_include_directive : require
// The cells of points, and the joins. SPDX-License-Identifier: MIT
#define MUR_READ_ONLY
#include "murmuration.glsl" // mur_find, mur_group
#include "grid.h"
layout(local_size_x = 64) in;

layout(push_constant) uniform Push {
    GridPush push;
};
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Words {
    uint words[];
};
layout(buffer_reference, std430, buffer_reference_align = 8) buffer Pairs {
    uint count;
    uint pad;
    uvec2 pairs[];
};

ivec3 position(uint point) {
    return ivec3(point, point >> 10, point >> 20) & int(GRID_AXIS - 1u);
}

uint key_of(ivec3 cell) {
    return uint(cell.x + int(GRID_CELLS) * (cell.y + int(GRID_CELLS) * cell.z));
}

void add(uvec2 list, uint i, uint j) {
    uint n = atomicAdd(Pairs(list).count, 1u);
    if (n < push.maxPairs) {
        Pairs(list).pairs[n] = uvec2(i, j);
    }
}

// Joins with all points of a cell.
void join(uint i, ivec3 at, ivec3 cell) {
    uint first;
    if (!mur_find(push.cells, key_of(cell), first)) {
        return;
    }
    uint end = first + mur_group(push.groups, first);
    for (uint n = first + 1u; n <= end; ++n) {
        uint j = Words(push.groups).words[n];
        ivec3 way = position(Words(push.others).words[j]) - at;
        if (cell == at >> int(GRID_SHIFT)) {
            add(push.same, i, j);
        }
        if (way.x * way.x + way.y * way.y + way.z * way.z <= int(GRID_CELL * GRID_CELL)) {
            add(push.close, i, j);
        }
    }
}

void main() {
    uint i = gl_GlobalInvocationID.x;
    if (i >= push.count) {
        return;
    }
    ivec3 at = position(Words(push.points).words[i]);
    ivec3 cell = at >> int(GRID_SHIFT);
    if (push.phase == GRID_PHASE_CELLS) {
        Words(push.keys).words[i] = key_of(cell);
        Words(push.indices).words[i] = i;
        return;
    }
    for (int n = 0; n < 27; ++n) {
        ivec3 neighbour = cell + ivec3(n % 3, n / 3 % 3, n / 9) - 1;
        if (all(greaterThanEqual(neighbour, ivec3(0))) &&
            all(lessThan(neighbour, ivec3(GRID_CELLS)))) {
            join(i, at, neighbour);
        }
    }
}
