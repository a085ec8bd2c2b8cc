/* SPDX-License-Identifier: MIT */
#include "bricks.h"

#include "common/array.h"
#include "shaders/world_layout.h"

#include <stdlib.h>
#include <string.h>

void brickSetFree(BrickSet *set) {
    free(set->bricks);
    free(set->voxels);
    memset(set, 0, sizeof *set);
}

BrickSet brickSetLike(const BrickSet *set) {
    BrickSet like = *set;
    like.bricks = NULL;
    like.voxels = NULL;
    like.count = like.capacity = like.voxelBytes = like.voxelCapacity = 0;
    return like;
}

static bool addBrick(BrickSet *set, const HostBrick *brick) {
    if (!growItems(&set->bricks, set->count, &set->capacity, sizeof *brick)) {
        return false;
    }
    set->bricks[set->count++] = *brick;
    return true;
}

bool brickSetAddUniform(BrickSet *set, uint32_t x, uint32_t y, uint32_t z, uint32_t color) {
    const HostBrick brick = {.x = x, .y = y, .z = z, .color = color};
    return addBrick(set, &brick);
}

bool brickSetAdd(BrickSet *set, uint32_t x, uint32_t y, uint32_t z, const uint8_t voxels[512]) {
    if (memcmp(voxels, voxels + 1, 511) == 0) { /* all are as the one before */
        return voxels[0] == 0 || brickSetAddUniform(set, x, y, z, voxels[0]);
    }
    if (!growItems(&set->voxels, set->voxelBytes / 512, &set->voxelCapacity, 512)) {
        return false;
    }
    const HostBrick brick = {.x = x, .y = y, .z = z, .voxelsAt = set->voxelBytes};
    memcpy(set->voxels + set->voxelBytes, voxels, 512);
    set->voxelBytes += 512;
    return addBrick(set, &brick);
}

static int compareBricks(const void *a, const void *b) {
    const HostBrick *brick = a;
    const HostBrick *other = b;
    const BrickKey one = brickKeyOf(brick->x, brick->y, brick->z);
    const BrickKey two = brickKeyOf(other->x, other->y, other->z);
    return one < two ? -1 : one > two;
}

void brickSetSort(BrickSet *set) {
    if (set->count > 0) {
        qsort(set->bricks, set->count, sizeof *set->bricks, compareBricks);
    }
}

const HostBrick *brickSetFind(const BrickSet *set, const uint32_t at[3]) {
    const HostBrick wanted = {.x = at[0], .y = at[1], .z = at[2]};
    return set->count == 0
               ? NULL
               : bsearch(&wanted, set->bricks, set->count, sizeof wanted, compareBricks);
}

uint8_t brickSetVoxel(const BrickSet *set, const HostBrick *brick, uint32_t number) {
    return brick->color ? (uint8_t)brick->color : set->voxels[brick->voxelsAt + number];
}
