/* Edits: each is the same few dispatches with a barrier after each.
 *
 *   claim      wanted bricks get slots in the table; the new ones are listed
 *   allocate   each new slot gets a brick from the pool, published in the table
 *   settle     the pool's books
 *   write      voxels, by lookups in the table
 *   sweep      bricks left without a voxel are erased and given back
 *
 * SPDX-License-Identifier: MIT */
#include "world.h"

#include "shaders/terrain_trees.h"

enum { ALLOCATE_GROUPS = 128, INVOCATIONS = 64 }; /* INVOCATIONS: of all kernels here but writes */

static void dispatch(World *world, WorldKernel kernel, const void *push, uint32_t x, uint32_t y,
                     uint32_t z) {
    gpuDispatch(world->gpu, &world->kernels[kernel], push, x, y, z);
    gpuComputeBarrier(world->gpu);
}

/* An invocation an item; Vulkan guarantees 65,535 workgroups a dimension, so large grids get rows.
 */
static void dispatchItems(World *world, WorldKernel kernel, const void *push, uint64_t items) {
    uint64_t groups = (items + INVOCATIONS - 1) / INVOCATIONS;
    uint64_t rows = (groups + 65534) / 65535;
    dispatch(world, kernel, push, (uint32_t)((groups + rows - 1) / rows), (uint32_t)rows, 1);
}

/* An invocation a brick of the box. */
static void dispatchBricks(World *world, WorldKernel kernel, const void *push,
                           const BrickBox *box) {
    dispatch(world, kernel, push, (box->sizeX + 3) / 4, (box->sizeY + 3) / 4, (box->sizeZ + 3) / 4);
}

/* A workgroup a brick of the box. */
static void dispatchVoxels(World *world, WorldKernel kernel, const void *push,
                           const BrickBox *box) {
    dispatch(world, kernel, push, box->sizeX, box->sizeY, box->sizeZ);
}

static void allocateBricks(World *world) {
    dispatch(world, WORLD_ALLOCATE, &world->ref, ALLOCATE_GROUPS, 1, 1);
    dispatch(world, WORLD_SETTLE, &world->ref, 1, 1, 1);
}

/* The bricks of the voxels from low to high, both included. */
static BrickBox boxOf(const uint32_t low[3], const uint32_t high[3]) {
    return (BrickBox){
        .lowX = low[0] / BRICK_WIDTH,
        .lowY = low[1] / BRICK_WIDTH,
        .lowZ = low[2] / BRICK_WIDTH,
        .sizeX = high[0] / BRICK_WIDTH - low[0] / BRICK_WIDTH + 1,
        .sizeY = high[1] / BRICK_WIDTH - low[1] / BRICK_WIDTH + 1,
        .sizeZ = high[2] / BRICK_WIDTH - low[2] / BRICK_WIDTH + 1,
    };
}

static uint64_t treeCells(uint32_t size) {
    return (size + TREE_CELL - 1) / TREE_CELL;
}

uint64_t worldTerrainBytes(uint32_t size) {
    uint64_t columns = (uint64_t)size * size;
    uint64_t tops = columns / (BRICK_WIDTH * BRICK_WIDTH);
    return columns * sizeof(TerrainColumn) +
           treeCells(size) * treeCells(size) * sizeof(TerrainTree) + 4 * tops;
}

void worldCmdTerrain(World *world, uint32_t size, uint32_t seed, const uint32_t origin[3],
                     const GpuBuffer *scratch) {
    const uint32_t high[3] = {origin[0] + size - 1, origin[1] + TERRAIN_HEIGHT - 1,
                              origin[2] + size - 1};
    const TerrainPush push = {
        .world = world->ref,
        .box = boxOf(origin, high),
        .columns = scratch->address,
        .size = size,
        .seed = seed,
    };
    const SpherePush sweep = {.world = world->ref, .box = push.box};
    gpuBeginLabel(world->gpu, "terrain");
    dispatchItems(world, WORLD_TERRAIN_COLUMNS, &push, (uint64_t)size * size);
    dispatchBricks(world, WORLD_TERRAIN_CLAIM, &push, &push.box);
    allocateBricks(world);
    dispatchVoxels(world, WORLD_TERRAIN_WRITE, &push, &push.box);
    dispatchBricks(world, WORLD_SWEEP, &sweep, &push.box);
    gpuEndLabel(world->gpu);
}

void worldCmdList(World *world, const GpuBuffer *voxels, uint32_t count, const uint32_t origin[3]) {
    const ListPush push = {
        .world = world->ref,
        .voxels = voxels->address,
        .count = count,
        .originX = origin[0],
        .originY = origin[1],
        .originZ = origin[2],
    };
    gpuBeginLabel(world->gpu, "voxel list");
    dispatchItems(world, WORLD_LIST_CLAIM, &push, count);
    allocateBricks(world);
    dispatchItems(world, WORLD_LIST_WRITE, &push, count);
    gpuEndLabel(world->gpu);
}

void worldCmdSphere(World *world, const Sphere *sphere) {
    const uint32_t low[3] = {sphere->x - sphere->radius, sphere->y - sphere->radius,
                             sphere->z - sphere->radius};
    const uint32_t high[3] = {sphere->x + sphere->radius, sphere->y + sphere->radius,
                              sphere->z + sphere->radius};
    const SpherePush push = {.world = world->ref, .box = boxOf(low, high), .sphere = *sphere};
    gpuBeginLabel(world->gpu, sphere->operation == SPHERE_ADD ? "add sphere" : "dig sphere");
    if (sphere->operation == SPHERE_ADD) {
        dispatchBricks(world, WORLD_SPHERE_CLAIM, &push, &push.box);
        allocateBricks(world);
    }
    dispatchVoxels(world, WORLD_SPHERE_WRITE, &push, &push.box);
    dispatchBricks(world, WORLD_SWEEP, &push, &push.box);
    gpuEndLabel(world->gpu);
}
