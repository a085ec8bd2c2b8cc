/* SPDX-License-Identifier: MIT */
#include "step.h"

EditBlock stepBlock(const Store *store, uint32_t operation, const Edit *edit, uint64_t record) {
    const GpuBuffer *buffers = store->buffers;
    EditBlock block = {
        .items = buffers[WORLD_ITEMS].address,
        .ring = buffers[WORLD_RING].address,
        .records = buffers[WORLD_RECORDS].address,
        .freeList = buffers[WORLD_FREE_LIST].address,
        .masks = buffers[WORLD_MASKS].address,
        .clipboard = buffers[WORLD_CLIPBOARD].address,
        .flood = buffers[WORLD_FLOOD].address,
        .operation = operation,
        .record = (uint32_t)(record % EDIT_RECORDS),
        .lastRecord = (uint32_t)(record % EDIT_RECORDS),
        .ringSize = store->ringSize,
        .clipX = store->clip[0],
        .clipY = store->clip[1],
        .clipZ = store->clip[2],
        .clipRow = (store->clip[0] + 3) / 4,
    };
    if (edit) {
        block.edit = *edit;
    }
    return block;
}

EditPush stepPush(const Store *store) {
    return (EditPush){.world = store->ref, .block = store->buffers[WORLD_BLOCK].address};
}

void stepSet(Store *store, const EditBlock *block) {
    storeBarrier(store);
    gpuUpdate(store->gpu, block, &store->buffers[WORLD_BLOCK], 0, sizeof *block);
    gpuTransferBarrier(store->gpu);
}

void stepDispatch(Store *store, WorldKernel kernel, uint32_t groups) {
    const EditPush push = stepPush(store);
    storeDispatch(store, kernel, &push, groups, 1, 1);
}

void stepBegin(Store *store, const EditBlock *block) {
    stepSet(store, block);
    stepDispatch(store, WORLD_KERNEL_BEGIN, 1);
}

void stepBox(EditBlock *block, const Edit *edit) {
    static const int32_t size[3] = {WORLD_SIZE_X, WORLD_SIZE_Y, WORLD_SIZE_Z};
    int32_t low[3];
    int32_t high[3];
    editBounds(edit, low, high);
    for (int i = 0; i < 3; ++i) {
        block->low[i] = low[i] < 0 ? 0 : (uint32_t)low[i] >> 5 << 2;
        block->high[i] = high[i] < 0 || low[i] >= size[i] ? block->low[i]
                         : high[i] < size[i]              ? ((uint32_t)high[i] >> 3) + 1
                                                          : (uint32_t)size[i] >> 3;
    }
}

/* A workgroup 4 x 4 x 4 bricks, all within one region. */
void stepPlan(Store *store, const EditBlock *block) {
    const EditPush push = stepPush(store);
    uint32_t groups[3];
    for (int i = 0; i < 3; ++i) {
        groups[i] = (block->high[i] - block->low[i] + 3) / 4;
    }
    storeDispatch(store, WORLD_KERNEL_PLAN, &push, groups[0], groups[1], groups[2]);
}

void stepVoxels(Store *store, WorldKernel voxels, const void *push, uint64_t bricks) {
    storeDispatch(store, voxels, push,
                  storeGroups(store, bricks, voxels == WORLD_KERNEL_SMOOTH ? 2 : 8), 1, 1);
}

void stepCommit(Store *store, uint64_t bricks) {
    stepDispatch(store, WORLD_KERNEL_COMMIT, storeGroups(store, bricks, 256));
}

void stepFinish(Store *store) {
    stepDispatch(store, WORLD_KERNEL_FINISH, 1);
}

/* Painting changes only existing bricks. Adding removes no brick, so its undo inserts none. */
uint64_t stepInserts(const Edit *edit, bool back, uint64_t bricks) {
    switch (edit->tool) {
    case TOOL_PAINT:
        return 0;
    case TOOL_ADD:
        return back ? 0 : bricks;
    case TOOL_DIG:
        return back ? bricks : 0;
    default:
        return bricks;
    }
}
