#version 450
#extension GL_GOOGLE_include_directive : require
// First pass of the terrain: an invocation a column, and the first ones also a tree each. The
// tops start as zero.
// SPDX-License-Identifier: MIT
#define PUSH TerrainPush
#include "edit.glsl"
#include "terrain.glsl"

layout(local_size_x = 64) in;

void column(uint item) {
    uint x = item % push.size;
    uint z = item / push.size;
    TerrainColumn c = terrainColumn(int(x), int(z), int(push.size), push.seed);
    columns().columns[item] = c;
    raiseTop(x, z, max((c.height + c.overhang) / 16 + 2, TERRAIN_SEA + 1));
}

void tree(uint item) {
    uint cells = treeCells();
    TerrainTree t = terrainTree(int(item % cells), int(item / cells), int(push.size), push.seed);
    trees().trees[item] = t;
    if (t.kind != 0) {
        for (uint corner = 0u; corner < 4u; ++corner) {
            uint x = uint(t.x) + (corner & 1u) * 8u - 4u;
            uint z = uint(t.z) + (corner >> 1) * 8u - 4u;
            raiseTop(x, z, t.base + 17);
        }
    }
}

void main() {
    uint item = groupIndex() * gl_WorkGroupSize.x + gl_LocalInvocationIndex;
    if (item < push.size * push.size) {
        column(item);
    }
    if (item < treeCells() * treeCells()) {
        tree(item);
    }
}
