/* The voxel world on the GPU: two tables, a pool of bricks, and the edits that change them.
 *
 * worldCmd... functions record into gpu->cmd, between gpuBegin and gpuSubmit, and leave a barrier
 * behind them, so that they can follow one another. They allocate nothing and wait for nothing: an
 * interactive program records edits and a frame in one submission.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MURVOXELS_WORLD_H
#define MURVOXELS_WORLD_H

#include "common/gpu.h"
#include "shaders/world_layout.h"

typedef enum WorldKernel {
    WORLD_ALLOCATE,
    WORLD_COUNT,
    WORLD_LIST_CLAIM,
    WORLD_LIST_WRITE,
    WORLD_SETTLE,
    WORLD_SPHERE_CLAIM,
    WORLD_SPHERE_WRITE,
    WORLD_SWEEP,
    WORLD_TERRAIN_CLAIM,
    WORLD_TERRAIN_COLUMNS,
    WORLD_TERRAIN_WRITE,
    WORLD_KERNELS
} WorldKernel;

typedef struct World {
    Gpu *gpu;
    uint32_t maxBricks;
    uint32_t capacity; /* of the brick table */
    MurTable bricks;
    MurTable regions;
    GpuBuffer tables[2]; /* their memory */
    GpuBuffer pool;
    GpuBuffer state;    /* STATE_WORDS words, lists of free bricks and new slots, masks */
    GpuBuffer found;    /* keys and values that a count extracts */
    GpuBuffer stats;    /* a MurStats for each table */
    GpuBuffer readback; /* state words and statistics, for the host */
    GpuKernel kernels[WORLD_KERNELS];
    WorldRef ref; /* for push constants */
} World;

bool worldCreate(Gpu *gpu, uint32_t maxBricks, uint32_t tableCapacity, World *world);
void worldDestroy(World *world);

/* Where the masks of the regions' bricks are, for shaders that only read. */
VkDeviceAddress worldMasks(const World *world);

/* Bytes of GPU memory that the world has. */
uint64_t worldBytes(const World *world);

/* Empties the world. */
bool worldCmdClear(World *world);

/* Edits. scratch of a terrain: worldTerrainBytes long, all zero at first. */
uint64_t worldTerrainBytes(uint32_t size);
void worldCmdTerrain(World *world, uint32_t size, uint32_t seed, const uint32_t origin[3],
                     const GpuBuffer *scratch);
void worldCmdList(World *world, const GpuBuffer *voxels, uint32_t count, const uint32_t origin[3]);
void worldCmdSphere(World *world, const Sphere *sphere);

/* What a count finds. */
typedef struct WorldCount {
    uint32_t solid;
    uint32_t sumLow, sumHigh;
    uint32_t bricks;   /* entries of the brick table */
    uint32_t hollow;   /* of those, without a voxel or with an impossible index: must be 0 */
    uint32_t taken;    /* pool bricks that are in use: must equal bricks */
    uint32_t regional; /* bricks that the region table counts: must equal bricks */
    uint32_t tableFull, poolFull, regionsFull; /* failures since the world was cleared */
    MurStats stats;
} WorldCount;

/* Records a count of everything; worldCounted reads it after gpuSubmit. */
bool worldCmdCount(World *world);
void worldCounted(const World *world, WorldCount *count);

#endif
