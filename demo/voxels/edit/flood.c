/* SPDX-License-Identifier: MIT */
#include "flood.h"

#include <string.h>

enum { STEPS = 32 }; /* a call */

bool floodStart(Flood *flood, Store *store, const Edit *edit) {
    const MurTableRef table = murGetTableRef(store->floodTable);
    const uint64_t lists = (uint64_t)table.slotCount + 1;
    const GpuBuffer *buffers = store->buffers;
    VkCommandBuffer cmd = store->gpu->cmd;
    const FloodBlock state = {
        .table = table,
        .wanted = buffers[WORLD_FLOOD_WANTED].address,
        .reached = buffers[WORLD_FLOOD_REACHED].address,
        .lists = {buffers[WORLD_FLOOD_LISTS].address,
                  buffers[WORLD_FLOOD_LISTS].address + 4 * lists},
        .listSize = (uint32_t)lists,
        .kind = edit->shape,
        .side = edit->turn,
        .target = edit->colors & 255,
        .low = {UINT32_MAX, UINT32_MAX, UINT32_MAX},
        .number = flood->number + 1,
        .x = edit->ax,
        .y = edit->ay,
        .z = edit->az,
    };
    storeBarrier(store);
    if (!gpuCheck(murCmdClear(cmd, store->floodTable), "clearing the flood table")) {
        return false;
    }
    vkCmdFillBuffer(cmd, buffers[WORLD_FLOOD_WANTED].buffer, 0, VK_WHOLE_SIZE, 0);
    vkCmdFillBuffer(cmd, buffers[WORLD_FLOOD_REACHED].buffer, 0, VK_WHOLE_SIZE, 0);
    vkCmdUpdateBuffer(cmd, buffers[WORLD_FLOOD].buffer, 0, sizeof state, &state);
    *flood = (Flood){.runs = true, .edit = *edit, .number = state.number, .result = FLOOD_RUNNING};
    return true;
}

void floodStep(Flood *flood, Store *store) {
    for (uint32_t i = 0; i < STEPS; ++i) {
        const FloodPush push = {
            .world = store->ref,
            .flood = store->buffers[WORLD_FLOOD].address,
            .step = flood->step++,
        };
        storeDispatch(store, WORLD_KERNEL_FLOOD_STEP, &push, storeGroups(store, 256, 1), 1, 1);
    }
}

void floodPlan(Store *store) {
    stepDispatch(store, WORLD_KERNEL_FLOOD_PLAN,
                 storeGroups(store, store->options.floodBricks, 64));
}

void floodArrived(Flood *flood, const FloodBlock *block) {
    if (flood->runs && block->number == flood->number && block->state != FLOOD_RUNNING) {
        flood->result = block->state;
        flood->voxels = block->state == FLOOD_DONE ? block->voxels : 0;
        flood->found = flood->voxels ? block->bricks : 0;
        memcpy(flood->low, block->low, sizeof flood->low);
        memcpy(flood->high, block->high, sizeof flood->high);
    }
}
