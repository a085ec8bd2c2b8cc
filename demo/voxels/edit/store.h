/* The world's objects on the GPU: its tables, of which that of bricks grows, the brick pool and all
 * other buffers, its kernels; and how they are dispatched.
 * SPDX-License-Identifier: MIT */
#ifndef MURVOXELS_STORE_H
#define MURVOXELS_STORE_H

#include "common/gpu.h"
#include "edit.h"
#include "fit.h"

#include <murmuration/growable.h>

/* X(NAME, shader, push constants) */
#define WORLD_KERNEL_LIST(X)                         \
    X(BEGIN, edit_begin, EditPush)                   \
    X(PLAN, edit_plan, EditPush)                     \
    X(VOXELS, edit_voxels, EditPush)                 \
    X(SMOOTH, edit_smooth, EditPush)                 \
    X(COMMIT, edit_commit, EditPush)                 \
    X(DROP, edit_drop, EditPush)                     \
    X(FINISH, edit_finish, EditPush)                 \
    X(COPY, copy, EditPush)                          \
    X(PICK, pick, PickPush)                          \
    X(FLOOD_STEP, flood_step, FloodPush)             \
    X(FLOOD_PLAN, flood_plan, EditPush)              \
    X(TERRAIN_COLUMNS, terrain_columns, TerrainPush) \
    X(TERRAIN_PLAN, terrain_plan, TerrainPush)       \
    X(TERRAIN_VOXELS, terrain_voxels, TerrainPush)   \
    X(GATHER, gather, GatherPush)

#define WORLD_KERNEL(name, shader, push) WORLD_KERNEL_##name,
typedef enum WorldKernel { WORLD_KERNEL_LIST(WORLD_KERNEL) WORLD_KERNELS } WorldKernel;
#undef WORLD_KERNEL

typedef enum WorldBufferName {
    WORLD_POOL,
    WORLD_STATE,
    WORLD_BLOCK,
    WORLD_ITEMS,
    WORLD_RING,
    WORLD_RECORDS,
    WORLD_FREE_LIST,
    WORLD_MASKS,
    WORLD_CLIPBOARD,
    WORLD_PICKED,
    WORLD_FLOOD,        /* a FloodBlock */
    WORLD_FLOOD_WANTED, /* masks */
    WORLD_FLOOD_REACHED,
    WORLD_FLOOD_LISTS,
    WORLD_STATS, /* a MurStats */
    WORLD_READBACK,
    WORLD_BUFFERS
} WorldBufferName;

typedef struct Store {
    Gpu *gpu;
    WorldOptions options;
    uint32_t poolBricks; /* those for undo records included */
    uint32_t ringSize;
    MurGrowable growable;
    MurTable bricks; /* the growable's, at this point of the recording */
    MurTable regions, floodTable;
    GpuBuffer buffers[WORLD_BUFFERS];
    GpuKernel kernels[WORLD_KERNELS];
    WorldRef ref;
    uint64_t clock;   /* the growable's frames: each call that may move the table is one */
    uint64_t done;    /* of them, known to be done */
    uint32_t clip[3]; /* size of the copied box */
} Store;

/* The store must be zero, except its kernels. readback: bytes of the buffer that the host reads.
 * Returns false after one line on stderr if it fails; the store must then be destroyed. */
bool storeCreate(Gpu *gpu, const WorldOptions *options, uint64_t readback, Store *store);
void storeDestroy(Store *store);
/* Of GPU memory, without tables that frames in flight still need. */
uint64_t storeBytes(const Store *store);
/* Of the brick table, as it is now. */
MurGrowableStatus storeTable(const Store *store);

/* Makes room in the brick table: it may be another one afterwards, so references and pushes are
 * made after this. inserts: bricks at most that appear before the next call. That it could not grow
 * is no error: an edit that finds it full is partial. */
void storeGrow(Store *store, uint64_t inserts);

/* Followed by a barrier. */
void storeDispatch(Store *store, WorldKernel kernel, const void *push, uint32_t x, uint32_t y,
                   uint32_t z);
/* An invocation an item, in workgroups of 64. */
void storeDispatchItems(Store *store, WorldKernel kernel, const void *push, uint64_t items);
/* Workgroups for these bricks, `each` per workgroup. The number is limited, so workgroups loop. */
uint32_t storeGroups(const Store *store, uint64_t bricks, uint32_t each);
/* Between the world's work and all other, both ways. */
void storeBarrier(Store *store);

#endif
