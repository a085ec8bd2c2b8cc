/* Each voxel of the source and of the added sphere is looked at once and counted in each state that
 * it exists in, so nothing has to be stored.
 *
 * SPDX-License-Identifier: MIT */
#include "reference.h"

#include "common/say.h"
#include "shaders/shapes.h"
#include "shaders/terrain_trees.h"

#include <stdlib.h>
#include <string.h>

static bool isIn(const Sphere *sphere, uint32_t x, uint32_t y, uint32_t z) {
    return sphereHas((int)x - (int)sphere->x, (int)y - (int)sphere->y, (int)z - (int)sphere->z,
                     (int)sphere->radius);
}

static void tally(VoxelCount *count, uint32_t low, uint32_t high) {
    ++count->solid;
    count->sumLow += low;
    count->sumHigh += high;
}

/* A voxel of the source, in world coordinates. */
static void sourceVoxel(const Source *source, VoxelCount *counts, uint32_t x, uint32_t y,
                        uint32_t z, uint32_t color) {
    uint32_t low = voxelSum(x, y, z, color, 1);
    uint32_t high = voxelSum(x, y, z, color, 2);
    tally(&counts[REFERENCE_BUILT], low, high);
    if (!isIn(&source->add, x, y, z)) { /* the sphere replaces what it covers */
        tally(&counts[REFERENCE_ADDED], low, high);
        if (!isIn(&source->dig, x, y, z)) {
            tally(&counts[REFERENCE_DUG], low, high);
        }
    }
}

static void countSphere(const Source *source, VoxelCount *counts) {
    const Sphere *sphere = &source->add;
    uint32_t radius = sphere->radius;
    for (uint32_t z = sphere->z - radius; z <= sphere->z + radius; ++z) {
        for (uint32_t y = sphere->y - radius; y <= sphere->y + radius; ++y) {
            for (uint32_t x = sphere->x - radius; x <= sphere->x + radius; ++x) {
                if (!isIn(sphere, x, y, z)) {
                    continue;
                }
                uint32_t color = sphereColor(x, y, z, (int)(y - sphere->y), radius, sphere->colors);
                uint32_t low = voxelSum(x, y, z, color, 1);
                uint32_t high = voxelSum(x, y, z, color, 2);
                tally(&counts[REFERENCE_ADDED], low, high);
                if (!isIn(&source->dig, x, y, z)) {
                    tally(&counts[REFERENCE_DUG], low, high);
                }
            }
        }
    }
}

static void countColumn(const Source *source, const TerrainTree *tree, int x, int z,
                        VoxelCount *counts) {
    int size = (int)source->terrainSize;
    TerrainColumn column = terrainColumn(x, z, size, source->seed);
    for (int y = 0; y < TERRAIN_HEIGHT; ++y) {
        int color = terrainVoxel(column, x, y, z, source->seed);
        color = color ? color : treeVoxel(*tree, x, y, z, source->seed);
        if (color) {
            sourceVoxel(source, counts, source->origin[0] + (uint32_t)x,
                        source->origin[1] + (uint32_t)y, source->origin[2] + (uint32_t)z,
                        (uint32_t)color);
        }
    }
}

static bool countTerrain(const Source *source, VoxelCount *counts) {
    int size = (int)source->terrainSize;
    int cells = (size + TREE_CELL - 1) / TREE_CELL;
    TerrainTree *trees = malloc((size_t)cells * sizeof *trees);
    if (!trees) {
        return sayError("no memory to count voxels on the CPU");
    }
    for (int z = 0; z < size; ++z) {
        if (z % TREE_CELL == 0) {
            for (int i = 0; i < cells; ++i) {
                trees[i] = terrainTree(i, z / TREE_CELL, size, source->seed);
            }
        }
        for (int x = 0; x < size; ++x) {
            countColumn(source, &trees[x / TREE_CELL], x, z, counts);
        }
        sayProgress("counting on the CPU", (uint32_t)z, (uint32_t)size);
    }
    sayProgress("counting on the CPU", 1, 1);
    free(trees);
    return true;
}

bool referenceCount(const Source *source, VoxelCount counts[REFERENCE_STATES]) {
    memset(counts, 0, REFERENCE_STATES * sizeof *counts);
    countSphere(source, counts);
    if (source->isTerrain) {
        return countTerrain(source, counts);
    }
    for (size_t i = 0; i < source->scene.voxelCount; ++i) {
        const VoxVoxel *voxel = &source->scene.voxels[i];
        sourceVoxel(source, counts, source->origin[0] + voxel->position[0],
                    source->origin[1] + voxel->position[1], source->origin[2] + voxel->position[2],
                    voxel->color);
    }
    return true;
}
