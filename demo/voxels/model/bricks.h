/* Bricks on the host: the form in which worlds are read and written, and go to the GPU and come
 * back. Nothing of Vulkan.
 * SPDX-License-Identifier: MIT */
#ifndef MURVOXELS_BRICKS_H
#define MURVOXELS_BRICKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The radiance of a white face whose colour glows by 100 hundredths. */
#define GLOW_RADIANCE 8

/* One brick: its place, in bricks of the world, and its voxels. */
typedef struct HostBrick {
    uint32_t x, y, z;
    uint32_t color;  /* all voxels have it; 0: they are listed */
    size_t voxelsAt; /* byte of BrickSet.voxels, of 512: a palette index each, by number */
} HostBrick;

typedef struct BrickSet {
    HostBrick *bricks; /* no two at the same place */
    size_t count, capacity;
    uint8_t *voxels;
    size_t voxelBytes, voxelCapacity; /* the second: in bricks */
    uint8_t palette[256][4];          /* red, green, blue, alpha */
    uint8_t glow[256][2];             /* as in VoxScene */
} BrickSet;

/* The result of exporting bricks. TOO_MANY: more than the format can hold, or none. */
typedef enum BricksWritten { BRICKS_WRITTEN, BRICKS_NOT_WRITTEN, BRICKS_TOO_MANY } BricksWritten;

void brickSetFree(BrickSet *set);
/* The same colours, without a brick. */
BrickSet brickSetLike(const BrickSet *set);
/* Adds a brick of 512 palette indices, which may turn out uniform; one that is empty is left out.
 * False: no memory. */
bool brickSetAdd(BrickSet *set, uint32_t x, uint32_t y, uint32_t z, const uint8_t voxels[512]);
/* The same for a brick of one colour. */
bool brickSetAddUniform(BrickSet *set, uint32_t x, uint32_t y, uint32_t z, uint32_t color);
/* Sorts by z, then y, then x. */
void brickSetSort(BrickSet *set);
/* Of sorted bricks the one at this place; NULL: there is none. */
const HostBrick *brickSetFind(const BrickSet *set, const uint32_t at[3]);
/* Palette index of voxel number of a brick. */
uint8_t brickSetVoxel(const BrickSet *set, const HostBrick *brick, uint32_t number);

#endif
