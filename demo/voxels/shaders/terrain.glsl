// Columns and trees of the built-in terrain on the GPU. One buffer has the columns, the trees,
// and the number of voxels below the top of each column of bricks.
// SPDX-License-Identifier: MIT
#include "terrain.h"
#include "terrain_trees.h"

layout(buffer_reference, std430, buffer_reference_align = 16) buffer Columns {
    TerrainColumn columns[];
};
layout(buffer_reference, std430, buffer_reference_align = 16) buffer Trees {
    TerrainTree trees[];
};

// Bricks along x or z.
uint terrainBricks() {
    return push.size / BRICK_WIDTH;
}

// Cells of trees along x or z.
uint treeCells() {
    return (push.size + TREE_CELL - 1u) / TREE_CELL;
}

Columns columns() {
    return Columns(push.columns);
}

Trees trees() {
    return Trees(mur_offset(push.columns, push.size * push.size, 4u));
}

Words tops() {
    return Words(mur_offset(push.columns, push.size * push.size + treeCells() * treeCells(), 4u));
}

void raiseTop(uint x, uint z, int height) {
    uint brick = z / BRICK_WIDTH * (push.size / BRICK_WIDTH) + x / BRICK_WIDTH;
    atomicMax(tops().words[brick], uint(clamp(height, 1, terrainTop(int(push.size)))));
}
