/* SPDX-License-Identifier: MIT */
#include "whole.h"

#include "common/message.h"
#include "shaders/terrain_trees.h"
#include "step.h"

#include <string.h>

enum { BATCH = 32768 }; /* bricks that go between host and device at a time: 16 MiB */

/* ---- Terrain ------------------------------------------------------------------------------- */

static uint64_t treeCells(uint32_t size) {
    return (size + TREE_CELL - 1) / TREE_CELL;
}

static uint64_t terrainBytes(uint32_t size) {
    uint64_t columns = (uint64_t)size * size;
    uint64_t tops = columns / (BRICK_WIDTH * BRICK_WIDTH);
    return columns * sizeof(TerrainColumn) +
           treeCells(size) * treeCells(size) * sizeof(TerrainTree) + 4 * tops;
}

/* Rows of bricks along z that make one edit. */
static bool makeSlab(World *world, TerrainPush *push, uint32_t rows, double *milliseconds) {
    Store *store = &world->store;
    Gpu *gpu = store->gpu;
    const uint64_t columns = (uint64_t)(push->size / BRICK_WIDTH) * rows;
    const uint64_t bricks = columns * ((uint32_t)terrainTop((int)push->size) / BRICK_WIDTH);
    if (!gpuBegin(gpu)) {
        return false;
    }
    EditBlock block = worldBeginPlacing(world, bricks);
    block.high[2] = push->slab + rows;
    push->world = store->ref;
    gpuTimestamp(gpu, 0);
    stepBegin(store, &block);
    storeDispatchItems(store, WORLD_KERNEL_TERRAIN_PLAN, push, columns);
    if (!worldEndPlacing(world, WORLD_KERNEL_TERRAIN_VOXELS, push, bricks, "the terrain")) {
        return false;
    }
    *milliseconds += gpuMilliseconds(gpu, 0, 1);
    push->slab += rows;
    return true;
}

static bool makeColumns(Store *store, const TerrainPush *push, const GpuBuffer *scratch) {
    Gpu *gpu = store->gpu;
    if (!gpuBegin(gpu)) {
        return false;
    }
    vkCmdFillBuffer(gpu->cmd, scratch->buffer, 0, VK_WHOLE_SIZE, 0);
    gpuTransferBarrier(gpu);
    storeDispatchItems(store, WORLD_KERNEL_TERRAIN_COLUMNS, push,
                       (uint64_t)push->size * push->size);
    return gpuSubmit(gpu);
}

bool worldMakeTerrain(World *world, uint32_t size, uint32_t seed, const uint32_t origin[3],
                      double *milliseconds) {
    Store *store = &world->store;
    Gpu *gpu = store->gpu;
    GpuBuffer scratch = {0};
    const uint32_t across = size / BRICK_WIDTH;
    const uint32_t slab = EDIT_MAX_BRICKS /
                          (across * ((uint32_t)terrainTop((int)size) / BRICK_WIDTH));
    if (!gpuCreateBuffer(gpu, terrainBytes(size), GPU_DEVICE, "terrain columns", &scratch)) {
        return false;
    }
    TerrainPush push = {
        .world = store->ref,
        .block = store->buffers[WORLD_BLOCK].address,
        .columns = scratch.address,
        .lowX = origin[0] / BRICK_WIDTH,
        .lowY = origin[1] / BRICK_WIDTH,
        .lowZ = origin[2] / BRICK_WIDTH,
        .size = size,
        .seed = seed,
    };
    *milliseconds = gpu->timestampMask ? 0 : -1;
    bool done = makeColumns(store, &push, &scratch);
    while (done && push.slab < across) {
        uint32_t left = across - push.slab;
        done = makeSlab(world, &push, left < slab ? left : slab, milliseconds);
    }
    gpuDestroyBuffer(gpu, &scratch);
    return done;
}

/* ---- Bricks from the host ------------------------------------------------------------------ */

/* A batch: its items in the format of the kernels, then the voxels. */
static void fillBatch(const BrickSet *set, size_t first, uint32_t count, uint8_t *mapped) {
    uint32_t *items = (uint32_t *)(void *)mapped;
    uint8_t *voxels = mapped + 16 * (size_t)BATCH;
    for (uint32_t i = 0; i < count; ++i) {
        const HostBrick *brick = &set->bricks[first + i];
        const BrickKey key = brickKeyOf(brick->x, brick->y, brick->z);
        items[4 * i] = (uint32_t)key;
        items[4 * i + 1] = (uint32_t)(key >> 32);
        items[4 * i + 2] = BRICK_ABSENT;
        items[4 * i + 3] = i;
        if (brick->color) {
            memset(voxels + 512 * (size_t)i, (int)brick->color, 512);
        } else {
            memcpy(voxels + 512 * (size_t)i, set->voxels + brick->voxelsAt, 512);
        }
    }
}

static bool putBatch(World *world, const GpuBuffer *staging, uint32_t count) {
    Store *store = &world->store;
    Gpu *gpu = store->gpu;
    if (!gpuBegin(gpu)) {
        return false;
    }
    EditBlock block = worldBeginPlacing(world, count);
    const EditPush push = stepPush(store);
    block.itemCount = count;
    block.source = staging->address + 16 * BATCH;
    storeBarrier(store);
    gpuCopy(gpu, staging, 0, &store->buffers[WORLD_ITEMS], 0, 16 * (VkDeviceSize)count);
    stepBegin(store, &block);
    return worldEndPlacing(world, WORLD_KERNEL_VOXELS, &push, count, "the file");
}

bool worldPut(World *world, const BrickSet *set) {
    Store *store = &world->store;
    GpuBuffer staging = {0};
    bool done = gpuCreateBuffer(store->gpu, (16 + 512) * (VkDeviceSize)BATCH, GPU_HOST, "staging",
                                &staging);
    for (size_t first = 0; first < set->count && done; first += BATCH) {
        size_t left = set->count - first;
        uint32_t count = left < BATCH ? (uint32_t)left : BATCH;
        fillBatch(set, first, count, staging.mapped);
        done = putBatch(world, &staging, count);
        sayProgress("loading", (uint32_t)first, (uint32_t)set->count);
    }
    sayProgress("loading", 1, 1);
    gpuDestroyBuffer(store->gpu, &staging);
    return done;
}

/* ---- Bricks for the host ------------------------------------------------------------------- */

/* The keys of the brick table, from size on their values, after these their count. most: how many
 * there are. */
static bool extract(Store *store, GpuBuffer *list, VkDeviceSize size, uint32_t most,
                    uint32_t *count) {
    Gpu *gpu = store->gpu;
    const VkDeviceSize bytes = size + size / 2;
    bool done = gpuCreateBuffer(gpu, bytes + 4, GPU_HOST, "extracted bricks", list) &&
                gpuBegin(gpu);
    if (done) {
        const MurExtract info = {
            .maxCount = most,
            .countAddress = list->address + bytes,
            .keys = {list->address, size},
            .values = {list->address + size, size / 2},
        };
        storeBarrier(store);
        done = gpuCheck(murCmdExtract(gpu->cmd, store->bricks, &info), "extracting bricks");
        gpuHostBarrier(gpu);
        done = done && gpuSubmit(gpu);
    }
    *count = done ? ((const uint32_t *)list->mapped)[bytes / 4] : 0;
    return done && (*count <= most || sayError("the world has %u bricks, not %u", *count, most));
}

static bool gatherBatch(Store *store, VkDeviceAddress values, uint32_t first, uint32_t count,
                        const GpuBuffer *staging) {
    Gpu *gpu = store->gpu;
    const GatherPush push = {
        .world = store->ref,
        .values = values,
        .target = staging->address,
        .first = first,
        .count = count,
    };
    if (!gpuBegin(gpu)) {
        return false;
    }
    storeBarrier(store);
    storeDispatch(store, WORLD_KERNEL_GATHER, &push, count, 1, 1);
    gpuHostBarrier(gpu);
    return gpuSubmit(gpu);
}

static bool takeBatch(const BrickKey *keys, const uint32_t *values, uint32_t count,
                      const uint8_t *voxels, BrickSet *set) {
    for (uint32_t i = 0; i < count; ++i) {
        uint32_t x = keyBrickX(keys[i]);
        uint32_t y = keyBrickY(keys[i]);
        uint32_t z = keyBrickZ(keys[i]);
        bool added = values[i] < BRICK_UNIFORM ? brickSetAdd(set, x, y, z, voxels + 512 * (size_t)i)
                                               : brickSetAddUniform(set, x, y, z, values[i] & 255);
        if (!added) {
            return sayError("no memory for the world's bricks");
        }
    }
    return true;
}

bool worldGet(World *world, BrickSet *set) {
    Store *store = &world->store;
    GpuBuffer list = {0};
    GpuBuffer staging = {0};
    uint32_t count = 0;
    const uint32_t most = world->traffic.last.bricks;
    const VkDeviceSize size = 8 * ((VkDeviceSize)most + 1);
    bool done = extract(store, &list, size, most, &count) &&
                gpuCreateBuffer(store->gpu, 512 * (VkDeviceSize)BATCH, GPU_HOST, "staging",
                                &staging);
    for (uint32_t first = 0; first < count && done; first += BATCH) {
        uint32_t part = count - first < BATCH ? count - first : BATCH;
        const BrickKey *keys = list.mapped;
        const uint32_t *values = (const uint32_t *)(const void *)(keys + size / 8);
        done = gatherBatch(store, list.address + size, first, part, &staging) &&
               takeBatch(keys + first, values + first, part, staging.mapped, set);
    }
    if (done) {
        brickSetSort(set);
    }
    gpuDestroyBuffer(store->gpu, &staging);
    gpuDestroyBuffer(store->gpu, &list);
    return done;
}
