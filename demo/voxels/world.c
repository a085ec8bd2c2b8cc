/* The world's memory, its kernels, and counting.
 *
 * SPDX-License-Identifier: MIT */
#include "world.h"

#include "common/say.h"

#include <string.h>

#define WORLD_SPIRV(kernel) GPU_SPIRV(voxels_spv_##kernel);
WORLD_SPIRV(allocate)
WORLD_SPIRV(count)
WORLD_SPIRV(list_claim)
WORLD_SPIRV(list_write)
WORLD_SPIRV(settle)
WORLD_SPIRV(sphere_claim)
WORLD_SPIRV(sphere_write)
WORLD_SPIRV(sweep)
WORLD_SPIRV(terrain_claim)
WORLD_SPIRV(terrain_columns)
WORLD_SPIRV(terrain_write)

typedef struct KernelCode {
    const char *name;
    const uint32_t *code;
    const size_t *size;
    uint32_t pushSize;
} KernelCode;

#define WORLD_CODE(kernel, push) \
    { #kernel, voxels_spv_##kernel, &voxels_spv_##kernel##_size, (uint32_t)sizeof(push) }
static const KernelCode codes[WORLD_KERNELS] = {
    [WORLD_ALLOCATE] = WORLD_CODE(allocate, WorldRef),
    [WORLD_COUNT] = WORLD_CODE(count, CountPush),
    [WORLD_LIST_CLAIM] = WORLD_CODE(list_claim, ListPush),
    [WORLD_LIST_WRITE] = WORLD_CODE(list_write, ListPush),
    [WORLD_SETTLE] = WORLD_CODE(settle, WorldRef),
    [WORLD_SPHERE_CLAIM] = WORLD_CODE(sphere_claim, SpherePush),
    [WORLD_SPHERE_WRITE] = WORLD_CODE(sphere_write, SpherePush),
    [WORLD_SWEEP] = WORLD_CODE(sweep, SpherePush),
    [WORLD_TERRAIN_CLAIM] = WORLD_CODE(terrain_claim, TerrainPush),
    [WORLD_TERRAIN_COLUMNS] = WORLD_CODE(terrain_columns, TerrainPush),
    [WORLD_TERRAIN_WRITE] = WORLD_CODE(terrain_write, TerrainPush),
};

_Static_assert(sizeof(WorldRef) == 80, "a WorldRef has no gaps");
_Static_assert(sizeof(SpherePush) == 128, "push constants fit what every device has");
_Static_assert(sizeof(TerrainPush) == 120, "push constants have no gaps");
_Static_assert(sizeof(ListPush) == 104, "push constants have no gaps");

/* A table in memory of our own, 32-bit atomics, so that the kernels need no optional feature. */
static bool createTable(World *world, uint32_t capacity, MurReservedValue reserved,
                        const char *name, GpuBuffer *memory, MurTable *table) {
    MurContext context = world->gpu->context;
    MurTableCreateInfo info = {
        .capacity = capacity,
        .seed = 0x9E3779B9u,
        .reservedValue = reserved,
        .atomicWidth = MUR_ATOMIC_WIDTH_32,
        .pName = name,
    };
    MurTableRequirements requirements;
    if (!gpuCheck(murGetTableRequirements(context, &info, &requirements), name) ||
        !gpuCreateBuffer(world->gpu, requirements.size, GPU_DEVICE, name, memory)) {
        return false;
    }
    info.memory = (MurBufferRange){memory->buffer, 0, memory->size};
    return gpuCheck(murCreateTable(context, &info, table), name);
}

/* Word of the state where the regions' masks begin; regionMask() in world.glsl says the same. */
static uint64_t maskStart(const World *world) {
    uint64_t slots = (uint64_t)murGetTableRef(world->bricks).slotCount + 1;
    return (STATE_WORDS + world->maxBricks + slots + 15) & ~(uint64_t)15;
}

VkDeviceAddress worldMasks(const World *world) {
    return world->state.address + 4 * maskStart(world);
}

static bool createBuffers(World *world) {
    Gpu *gpu = world->gpu;
    uint64_t bricks = world->maxBricks;
    uint64_t regions = (uint64_t)murGetTableRef(world->regions).slotCount + 1;
    return gpuCreateBuffer(gpu, bricks * BRICK_WORDS * 4, GPU_DEVICE, "brick pool", &world->pool) &&
           gpuCreateBuffer(gpu, 4 * (maskStart(world) + MASK_WORDS * regions), GPU_DEVICE,
                           "world state", &world->state) &&
           gpuCreateBuffer(gpu, 8 * bricks, GPU_DEVICE, "extracted bricks", &world->found) &&
           gpuCreateBuffer(gpu, 2 * sizeof(MurStats), GPU_DEVICE, "statistics", &world->stats) &&
           gpuCreateBuffer(gpu, 4 * STATE_WORDS + 2 * sizeof(MurStats), GPU_HOST, "readback",
                           &world->readback);
}

bool worldCreate(Gpu *gpu, uint32_t maxBricks, uint32_t tableCapacity, World *world) {
    memset(world, 0, sizeof *world);
    world->gpu = gpu;
    world->maxBricks = maxBricks;
    world->capacity = tableCapacity;
    /* Each brick may lie in a region of its own. */
    if (!createTable(world, tableCapacity, MUR_RESERVED_VALUE_MAX, "brick table", &world->tables[0],
                     &world->bricks) ||
        !createTable(world, maxBricks, MUR_RESERVED_VALUE_ZERO, "region table", &world->tables[1],
                     &world->regions) ||
        !createBuffers(world)) {
        return false;
    }
    for (uint32_t i = 0; i < WORLD_KERNELS; ++i) {
        if (!gpuCreateKernel(gpu, codes[i].name, codes[i].code, *codes[i].size, codes[i].pushSize,
                             &world->kernels[i])) {
            return false;
        }
        sayProgress("making pipelines", i + 1, WORLD_KERNELS);
    }
    world->ref = (WorldRef){
        .bricks = murGetTableRef(world->bricks),
        .regions = murGetTableRef(world->regions),
        .pool = world->pool.address,
        .state = world->state.address,
    };
    return true;
}

void worldDestroy(World *world) {
    if (!world->gpu) {
        return;
    }
    for (uint32_t i = 0; i < WORLD_KERNELS; ++i) {
        gpuDestroyKernel(world->gpu, &world->kernels[i]);
    }
    murDestroyTable(world->bricks);
    murDestroyTable(world->regions);
    gpuDestroyBuffer(world->gpu, &world->tables[0]);
    gpuDestroyBuffer(world->gpu, &world->tables[1]);
    gpuDestroyBuffer(world->gpu, &world->pool);
    gpuDestroyBuffer(world->gpu, &world->state);
    gpuDestroyBuffer(world->gpu, &world->found);
    gpuDestroyBuffer(world->gpu, &world->stats);
    gpuDestroyBuffer(world->gpu, &world->readback);
    memset(world, 0, sizeof *world);
}

uint64_t worldBytes(const World *world) {
    return world->tables[0].size + world->tables[1].size + world->pool.size + world->state.size +
           world->found.size + world->stats.size + world->readback.size;
}

bool worldCmdClear(World *world) {
    Gpu *gpu = world->gpu;
    gpuTransferBarrier(gpu); /* after whatever used the world before */
    if (!gpuCheck(murCmdClear(gpu->cmd, world->bricks), "clearing the brick table") ||
        !gpuCheck(murCmdClear(gpu->cmd, world->regions), "clearing the region table")) {
        return false;
    }
    vkCmdFillBuffer(gpu->cmd, world->pool.buffer, 0, VK_WHOLE_SIZE, 0);
    vkCmdFillBuffer(gpu->cmd, world->state.buffer, 0, 4 * STATE_POOL, 0);
    vkCmdFillBuffer(gpu->cmd, world->state.buffer, 4 * STATE_POOL, 4, world->maxBricks);
    vkCmdFillBuffer(gpu->cmd, world->state.buffer, 4 * (STATE_POOL + 1),
                    4 * (STATE_WORDS - STATE_POOL - 1), 0);
    gpuTransferBarrier(gpu);
    vkCmdFillBuffer(gpu->cmd, world->state.buffer, 4 * STATE_LOW_X, 12, UINT32_MAX);
    vkCmdFillBuffer(gpu->cmd, world->state.buffer, 4 * maskStart(world), VK_WHOLE_SIZE, 0);
    gpuTransferBarrier(gpu);
    return true;
}

/* Extracts the bricks from the table and counts their voxels. */
static bool countBricks(World *world) {
    Gpu *gpu = world->gpu;
    const VkDeviceSize bytes = 4 * (VkDeviceSize)world->maxBricks;
    const MurExtract extract = {
        .maxCount = world->maxBricks,
        .count = world->state.address + 4 * STATE_EXTRACTED,
        .keys = {world->found.address, bytes},
        .values = {world->found.address + bytes, bytes},
    };
    gpuTransferBarrier(gpu); /* edits write the state too */
    vkCmdFillBuffer(gpu->cmd, world->state.buffer, 4 * STATE_SOLID,
                    4 * (STATE_REGION_SUM + 1 - STATE_SOLID), 0);
    gpuTransferBarrier(gpu);
    if (!gpuCheck(murCmdExtract(gpu->cmd, world->bricks, &extract), "extracting bricks") ||
        !gpuCheck(murCmdBarrier(gpu->cmd, gpu->context), "recording a barrier")) {
        return false;
    }
    const CountPush push = {
        .world = world->ref,
        .keys = extract.keys.address,
        .values = extract.values.address,
    };
    uint32_t groups = world->maxBricks < 2048 ? world->maxBricks : 2048;
    gpuDispatch(gpu, &world->kernels[WORLD_COUNT], &push, groups, 1, 1);
    return true;
}

bool worldCmdCount(World *world) {
    Gpu *gpu = world->gpu;
    const MurArray stats[2] = {
        {world->stats.address, sizeof(MurStats)},
        {world->stats.address + sizeof(MurStats), sizeof(MurStats)},
    };
    gpuBeginLabel(gpu, "count");
    if (!countBricks(world) ||
        !gpuCheck(murCmdStats(gpu->cmd, world->bricks, stats[0]), "counting the brick table") ||
        !gpuCheck(murCmdStats(gpu->cmd, world->regions, stats[1]), "counting the region table")) {
        return false;
    }
    gpuTransferBarrier(gpu);
    const VkBufferCopy words = {0, 0, 4 * STATE_WORDS};
    const VkBufferCopy numbers = {0, 4 * STATE_WORDS, 2 * sizeof(MurStats)};
    vkCmdCopyBuffer(gpu->cmd, world->state.buffer, world->readback.buffer, 1, &words);
    vkCmdCopyBuffer(gpu->cmd, world->stats.buffer, world->readback.buffer, 1, &numbers);
    gpuHostBarrier(gpu);
    gpuTransferBarrier(gpu);
    gpuEndLabel(gpu);
    return true;
}

void worldCounted(const World *world, WorldCount *count) {
    const uint32_t *words = world->readback.mapped;
    *count = (WorldCount){
        .solid = words[STATE_SOLID],
        .sumLow = words[STATE_SUM_LOW],
        .sumHigh = words[STATE_SUM_HIGH],
        .bricks = words[STATE_EXTRACTED],
        .hollow = words[STATE_HOLLOW],
        .taken = words[STATE_TOP] - words[STATE_FREE],
        .regional = words[STATE_REGION_SUM],
        .tableFull = words[STATE_TABLE_FULL],
        .poolFull = words[STATE_POOL_FULL],
        .regionsFull = words[STATE_REGIONS_FULL],
    };
    memcpy(&count->stats, words + STATE_WORDS, sizeof count->stats);
}
