/* A flood takes as many frames as it must: steps that only look, then, when the host has learnt
 * that all is found, an edit like the others. Meanwhile no other edit is taken, so its record and
 * the block of its operation stay as they are.
 *
 * SPDX-License-Identifier: MIT */
#include "world_internal.h"

enum { FLOOD_GROUPS = 256 };

/* Bricks that it can change: as many as it can reach, or as there are. */
static uint64_t floodBricks(const World *world) {
    uint64_t bricks = world->last.bricks + world->coming;
    return bricks < world->options.floodBricks ? bricks : world->options.floodBricks;
}

/* record: its number, or that of any that is not in use. */
static EditBlock floodBlock(const World *world, uint64_t record) {
    return worldBlock(world, OPERATION_EDIT, &world->flood, record);
}

EditAnswer worldStartFlood(World *world, const Edit *edit) {
    Gpu *gpu = world->gpu;
    const uint64_t lists = (uint64_t)murGetTableRef(world->floodTable).slotCount + 2;
    const EditAnswer answer = worldMayEdit(world, edit, floodBricks(world));
    if (answer != EDIT_RECORDED) {
        return answer;
    }
    const FloodBlock flood = {
        .table = murGetTableRef(world->floodTable),
        .wanted = world->buffers[WORLD_FLOOD_WANTED].address,
        .reached = world->buffers[WORLD_FLOOD_REACHED].address,
        .lists = {world->buffers[WORLD_FLOOD_LISTS].address,
                  world->buffers[WORLD_FLOOD_LISTS].address + 4 * lists},
        .listSize = (uint32_t)lists,
        .number = ++world->floodNumber,
    };
    worldBarrier(world);
    if (!gpuCheck(murCmdClear(gpu->cmd, world->floodTable), "clearing the flood table")) {
        return EDIT_BUSY;
    }
    vkCmdFillBuffer(gpu->cmd, world->buffers[WORLD_FLOOD_WANTED].buffer, 0, VK_WHOLE_SIZE, 0);
    vkCmdFillBuffer(gpu->cmd, world->buffers[WORLD_FLOOD_REACHED].buffer, 0, VK_WHOLE_SIZE, 0);
    vkCmdUpdateBuffer(gpu->cmd, world->buffers[WORLD_FLOOD].buffer, 0, sizeof flood, &flood);
    world->flood = *edit;
    world->flooding = true;
    world->floodStep = 0;
    world->floodResult = FLOOD_RUNNING;
    const EditBlock block = floodBlock(world, world->newest);
    const EditPush push = worldPush(world);
    worldBegin(world, &block);
    worldDispatch(world, WORLD_FLOOD_BEGIN, &push, 1, 1, 1);
    return EDIT_RECORDED;
}

static void step(World *world) {
    for (uint32_t i = 0; i < FLOOD_STEPS; ++i) {
        const FloodPush push = {
            .world = world->ref,
            .flood = world->buffers[WORLD_FLOOD].address,
            .step = world->floodStep++,
        };
        worldDispatch(world, WORLD_FLOOD_STEP, &push, FLOOD_GROUPS, 1, 1);
    }
    worldReadFlood(world);
}

/* All is found: the edit that it is for. If that is nothing, or too much, there is none. */
static void finish(World *world) {
    const uint64_t bricks = world->options.floodBricks;
    if (world->floodResult == FLOOD_FULL || world->floodFound == 0) {
        const WorldReport report = {
            .event = WORLD_EDITED,
            .edit = world->flood,
            .frame = world->frames->count,
            .milliseconds = -1,
            .edits = 1,
            .floodFull = world->floodResult == FLOOD_FULL,
        };
        world->flooding = false;
        worldAddReport(world, &report);
        return;
    }
    Operation *operation = worldBeginOperation(world, WORLD_EDITED, &world->flood,
                                               floodBricks(world), 0);
    if (!operation) {
        return; /* the next frame has room */
    }
    worldMakeRoom(world, &world->flood, operation->bricks);
    EditBlock block = floodBlock(world, world->next);
    const EditPush push = worldPush(world);
    block.sequence = operation->sequence;
    block.result = worldResultAddress(world);
    worldBegin(world, &block);
    worldDispatch(world, WORLD_FLOOD_PLAN, &push, worldGroups(bricks, 64), 1, 1);
    worldFinishEdit(world, WORLD_VOXELS, &push, operation->bricks);
    worldKeepRecord(world, &world->flood, operation->bricks, operation->sequence);
    worldEndOperation(world);
    world->flooding = false;
}

void worldContinueFlood(World *world) {
    worldBarrier(world);
    if (world->floodResult == FLOOD_RUNNING) {
        step(world);
    } else {
        finish(world);
    }
}

void worldFloodArrived(World *world, const Readback *readback) {
    const FloodBlock *flood = &readback->flood;
    if (world->flooding && flood->number == world->floodNumber && flood->state != FLOOD_RUNNING) {
        world->floodResult = flood->state;
        world->floodFound = flood->bricks;
        world->flood.ax = world->flood.bx = flood->x;
        world->flood.ay = world->flood.by = flood->y;
        world->flood.az = world->flood.bz = flood->z;
        world->flood.flags &= ~(EDIT_AT_PICK | EDIT_ON_FACE);
    }
}
