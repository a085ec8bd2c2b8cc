/* What concerns the whole world and may wait: making, loading, saving and counting it.
 *
 * SPDX-License-Identifier: MIT */
#include "world_internal.h"

#include "common/say.h"
#include "shaders/terrain_trees.h"

#include <stdlib.h>
#include <string.h>

enum { BATCH = 32768 }; /* bricks that go between host and device at a time: 16 MiB */

static const Edit placing = {.tool = TOOL_PLACE, .shape = SHAPE_CUBOID, .flags = EDIT_NO_UNDO};

bool worldClear(World *world) {
    Gpu *gpu = world->gpu;
    const uint32_t state[STATE_WORDS] = {
        [STATE_POOL] = world->poolBricks,
        [STATE_LOW_X] = UINT32_MAX,
        [STATE_LOW_X + 1] = UINT32_MAX,
        [STATE_LOW_X + 2] = UINT32_MAX,
    };
    const FloodBlock flood = {.state = FLOOD_DONE};
    if (!gpuBegin(gpu)) {
        return false;
    }
    worldGrow(world, 0);
    if (!gpuCheck(murCmdClear(gpu->cmd, world->bricks), "clearing the brick table") ||
        !gpuCheck(murCmdClear(gpu->cmd, world->regions), "clearing the region table")) {
        return false;
    }
    vkCmdUpdateBuffer(gpu->cmd, world->buffers[WORLD_STATE].buffer, 0, sizeof state, state);
    vkCmdUpdateBuffer(gpu->cmd, world->buffers[WORLD_FLOOD].buffer, 0, sizeof flood, &flood);
    vkCmdFillBuffer(gpu->cmd, world->buffers[WORLD_RECORDS].buffer, 0, VK_WHOLE_SIZE, 0);
    vkCmdFillBuffer(gpu->cmd, world->buffers[WORLD_MASKS].buffer, 0, VK_WHOLE_SIZE, 0);
    vkCmdFillBuffer(gpu->cmd, world->buffers[WORLD_PICKED].buffer, 0, VK_WHOLE_SIZE, 0);
    worldBarrier(world);
    world->oldest = world->next = world->newest = 0;
    world->coming = 0;
    world->last = (EditResult){0};
    world->flooding = world->probing = world->probed = false;
    memset(world->work, 0, sizeof world->work);
    memset(world->clip, 0, sizeof world->clip);
    if (!gpuSubmit(gpu)) {
        return false;
    }
    worldIsIdle(world);
    return true;
}

/* Between gpuBegin and gpuSubmit: an edit by kernels of its own, for which there is no undo.
 * Pushes are made after it. */
static EditBlock beginWhole(World *world, uint64_t bricks) {
    worldGrow(world, bricks);
    worldMakeRoom(world, &placing, bricks);
    EditBlock block = worldBlock(world, OPERATION_EDIT, &placing, world->next);
    block.sequence = 1;
    block.result = worldResultAddress(world);
    return block;
}

/* Submits it; says what did not fit. */
static bool finishWhole(World *world, uint64_t bricks, const char *what) {
    const Readback *readback = (const Readback *)world->buffers[WORLD_READBACK].mapped + GPU_FRAMES;
    worldKeepRecord(world, &placing, bricks, 0);
    worldBarrier(world);
    gpuHostBarrier(world->gpu);
    if (!gpuSubmit(world->gpu)) {
        return false;
    }
    worldIsIdle(world);
    const EditResult *result = &readback->results[0];
    world->last = *result;
    if (result->poolFailed) {
        return sayError("%s: the brick pool is full: %u bricks found no room (more: --pool-mib)",
                        what, result->poolFailed);
    }
    return !result->tableFailed ||
           sayError("%s: the brick table is full: %u bricks found no slot (more: --table-slots)",
                    what, result->tableFailed);
}

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
    Gpu *gpu = world->gpu;
    const uint64_t columns = (uint64_t)(push->size / BRICK_WIDTH) * rows;
    const uint64_t bricks = columns * (TERRAIN_HEIGHT / BRICK_WIDTH);
    if (!gpuBegin(gpu)) {
        return false;
    }
    EditBlock block = beginWhole(world, bricks);
    block.highZ = push->slab + rows;
    push->world = world->ref;
    gpuTimestamp(gpu, 0);
    worldBegin(world, &block);
    worldDispatchItems(world, WORLD_TERRAIN_PLAN, push, columns);
    worldFinishEdit(world, WORLD_TERRAIN_VOXELS, push, bricks);
    gpuTimestamp(gpu, 1);
    if (!finishWhole(world, bricks, "the terrain")) {
        return false;
    }
    *milliseconds += gpuMilliseconds(gpu, 0, 1);
    push->slab += rows;
    return true;
}

static bool makeColumns(World *world, const TerrainPush *push, const GpuBuffer *scratch) {
    Gpu *gpu = world->gpu;
    if (!gpuBegin(gpu)) {
        return false;
    }
    vkCmdFillBuffer(gpu->cmd, scratch->buffer, 0, VK_WHOLE_SIZE, 0);
    gpuTransferBarrier(gpu);
    worldDispatchItems(world, WORLD_TERRAIN_COLUMNS, push, (uint64_t)push->size * push->size);
    return gpuSubmit(gpu);
}

bool worldMakeTerrain(World *world, uint32_t size, uint32_t seed, const uint32_t origin[3],
                      double *milliseconds) {
    Gpu *gpu = world->gpu;
    GpuBuffer scratch = {0};
    const uint32_t across = size / BRICK_WIDTH;
    const uint32_t slab = EDIT_MAX_BRICKS / (across * (TERRAIN_HEIGHT / BRICK_WIDTH));
    if (!gpuCreateBuffer(gpu, terrainBytes(size), GPU_DEVICE, "terrain columns", &scratch)) {
        return false;
    }
    TerrainPush push = {
        .world = world->ref,
        .block = world->buffers[WORLD_BLOCK].address,
        .columns = scratch.address,
        .lowX = origin[0] / BRICK_WIDTH,
        .lowY = origin[1] / BRICK_WIDTH,
        .lowZ = origin[2] / BRICK_WIDTH,
        .size = size,
        .seed = seed,
    };
    *milliseconds = gpu->timestampMask ? 0 : -1;
    bool done = makeColumns(world, &push, &scratch);
    while (done && push.slab < across) {
        uint32_t left = across - push.slab;
        done = makeSlab(world, &push, left < slab ? left : slab, milliseconds);
    }
    gpuDestroyBuffer(gpu, &scratch);
    return done;
}

/* ---- Bricks from the host ------------------------------------------------------------------ */

/* A batch: its items as the kernels want them, then the voxels. */
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
    Gpu *gpu = world->gpu;
    if (!gpuBegin(gpu)) {
        return false;
    }
    EditBlock block = beginWhole(world, count);
    const EditPush push = worldPush(world);
    block.itemCount = count;
    block.source = staging->address + 16 * BATCH;
    const VkBufferCopy region = {.size = 16 * (VkDeviceSize)count};
    worldBarrier(world);
    vkCmdCopyBuffer(gpu->cmd, staging->buffer, world->buffers[WORLD_ITEMS].buffer, 1, &region);
    worldBegin(world, &block);
    worldFinishEdit(world, WORLD_VOXELS, &push, count);
    return finishWhole(world, count, "the file");
}

bool worldPut(World *world, const BrickSet *set) {
    GpuBuffer staging = {0};
    bool done = gpuCreateBuffer(world->gpu, (16 + 512) * (VkDeviceSize)BATCH, GPU_HOST, "staging",
                                &staging);
    for (size_t first = 0; first < set->count && done; first += BATCH) {
        size_t left = set->count - first;
        uint32_t count = left < BATCH ? (uint32_t)left : BATCH;
        fillBatch(set, first, count, staging.mapped);
        done = putBatch(world, &staging, count);
        sayProgress("loading", (uint32_t)first, (uint32_t)set->count);
    }
    sayProgress("loading", 1, 1);
    gpuDestroyBuffer(world->gpu, &staging);
    return done;
}

/* ---- Bricks for the host ------------------------------------------------------------------- */

/* The keys of the brick table, count of them, and from valuesAt() on their values. */
static uint64_t valuesAt(const World *world) {
    return 8 * ((uint64_t)world->last.bricks + 1);
}

/* How many bricks there are by now: reports of the last frames are still to come. */
static bool countBricks(World *world) {
    GpuBuffer number = {0};
    const VkBufferCopy region = {.srcOffset = 4 * STATE_BRICKS, .size = 4};
    bool done = gpuCreateBuffer(world->gpu, 4, GPU_HOST, "count", &number) && gpuBegin(world->gpu);
    if (done) {
        worldBarrier(world);
        vkCmdCopyBuffer(world->gpu->cmd, world->buffers[WORLD_STATE].buffer, number.buffer, 1,
                        &region);
        gpuHostBarrier(world->gpu);
        done = gpuSubmit(world->gpu);
    }
    if (done) {
        world->last.bricks = *(const uint32_t *)number.mapped;
    }
    gpuDestroyBuffer(world->gpu, &number);
    return done;
}

static bool extract(World *world, GpuBuffer *list, uint32_t *count) {
    Gpu *gpu = world->gpu;
    const uint32_t most = world->last.bricks;
    GpuBuffer number = {0};
    const VkDeviceSize size = valuesAt(world);
    bool done = gpuCreateBuffer(gpu, size + size / 2, GPU_HOST, "extracted bricks", list) &&
                gpuCreateBuffer(gpu, 4, GPU_HOST, "count", &number) && gpuBegin(gpu);
    if (done) {
        const MurExtract info = {
            .maxCount = most,
            .countAddress = number.address,
            .keys = {list->address, size},
            .values = {list->address + size, size / 2},
        };
        worldBarrier(world);
        done = gpuCheck(murCmdExtract(gpu->cmd, world->bricks, &info), "extracting bricks");
        gpuHostBarrier(gpu);
        done = done && gpuSubmit(gpu);
    }
    *count = done ? *(const uint32_t *)number.mapped : 0;
    gpuDestroyBuffer(gpu, &number);
    return done && (*count <= most || sayError("the world has %u bricks, not %u", *count, most));
}

static bool gatherBatch(World *world, VkDeviceAddress values, uint32_t first, uint32_t count,
                        const GpuBuffer *staging) {
    Gpu *gpu = world->gpu;
    const GatherPush push = {
        .world = world->ref,
        .values = values,
        .target = staging->address,
        .first = first,
        .count = count,
    };
    if (!gpuBegin(gpu)) {
        return false;
    }
    worldBarrier(world);
    worldDispatch(world, WORLD_GATHER, &push, count, 1, 1);
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
    GpuBuffer list = {0};
    GpuBuffer staging = {0};
    uint32_t count = 0;
    bool done = countBricks(world) && extract(world, &list, &count) &&
                gpuCreateBuffer(world->gpu, 512 * (VkDeviceSize)BATCH, GPU_HOST, "staging",
                                &staging);
    for (uint32_t first = 0; first < count && done; first += BATCH) {
        uint32_t part = count - first < BATCH ? count - first : BATCH;
        const BrickKey *keys = list.mapped;
        const uint32_t *values = (const uint32_t *)(const void *)(keys + valuesAt(world) / 8);
        done = gatherBatch(world, list.address + valuesAt(world), first, part, &staging) &&
               takeBatch(keys + first, values + first, part, staging.mapped, set);
    }
    if (done) {
        brickSetSort(set);
    }
    gpuDestroyBuffer(world->gpu, &staging);
    gpuDestroyBuffer(world->gpu, &list);
    return done;
}

/* ---- Counting ------------------------------------------------------------------------------ */

static bool countOnGpu(World *world, const GpuBuffer *sums) {
    Gpu *gpu = world->gpu;
    const CountPush push = {.world = world->ref, .sums = sums->address};
    const VkBufferCopy state = {.size = 4 * STATE_WORDS, .dstOffset = 4 * COUNT_WORDS};
    const VkBufferCopy records = {.size = 16 * EDIT_RECORDS,
                                  .dstOffset = 4 * (COUNT_WORDS + STATE_WORDS)};
    if (!gpuBegin(gpu)) {
        return false;
    }
    worldBarrier(world);
    worldDispatch(world, WORLD_COUNT, &push, worldGroups(world->ref.bricks.slotCount, 128), 1, 1);
    gpuTransferBarrier(gpu);
    vkCmdCopyBuffer(gpu->cmd, world->buffers[WORLD_STATE].buffer, sums->buffer, 1, &state);
    vkCmdCopyBuffer(gpu->cmd, world->buffers[WORLD_RECORDS].buffer, sums->buffer, 1, &records);
    gpuHostBarrier(gpu);
    return gpuSubmit(gpu);
}

bool worldCountAll(World *world, WorldCount *count) {
    GpuBuffer sums = {0};
    bool done = gpuCreateBuffer(world->gpu, 4 * (COUNT_WORDS + STATE_WORDS + 4 * EDIT_RECORDS),
                                GPU_HOST, "sums", &sums);
    if (done) {
        memset(sums.mapped, 0, 4 * COUNT_WORDS);
        done = countOnGpu(world, &sums);
    }
    if (done) {
        const uint32_t *words = sums.mapped;
        const uint32_t *state = words + COUNT_WORDS;
        *count = (WorldCount){
            .solid = words[COUNT_SOLID_LOW] | (uint64_t)words[COUNT_SOLID_HIGH] << 32,
            .sum = words[COUNT_SUM_LOW] | (uint64_t)words[COUNT_SUM_HIGH] << 32,
            .bricks = words[COUNT_BRICKS],
            .payloads = words[COUNT_PAYLOADS],
            .taken = state[STATE_TOP] - state[STATE_FREE],
            .wrong = words[COUNT_WRONG],
            .regional = words[COUNT_REGIONAL],
            .booked = state[STATE_BRICKS],
        };
    }
    for (uint64_t i = world->oldest; i < world->newest && done; ++i) {
        const uint32_t *records = (const uint32_t *)sums.mapped + COUNT_WORDS + STATE_WORDS;
        count->retained += records[4 * (i % EDIT_RECORDS) + 2];
    }
    gpuDestroyBuffer(world->gpu, &sums);
    return done;
}
