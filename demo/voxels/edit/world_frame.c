/* What goes between host and device in a frame besides edits: reports, picks, statistics.
 *
 * SPDX-License-Identifier: MIT */
#include "world_internal.h"

#include <string.h>

void worldAddReport(World *world, const WorldReport *report) {
    world->reports[(world->firstReport + world->reportCount) % WORLD_REPORTS] = *report;
    if (world->reportCount < WORLD_REPORTS) {
        ++world->reportCount;
    } else {
        ++world->firstReport;
    }
}

/* The undo record of an operation: now it is known what it holds. */
static void noteRecord(World *world, const EditResult *result) {
    for (uint64_t i = world->oldest; i < world->newest; ++i) {
        Record *record = &world->records[i % EDIT_RECORDS];
        if (record->sequence == result->sequence) {
            record->changes = result->changes;
            record->retained = result->retained;
            record->known = true;
        }
    }
}

static void operationArrived(World *world, const FrameWork *work, uint32_t i,
                             const EditResult *result) {
    const Operation *operation = &work->operations[i];
    world->coming -= operation->bricks;
    world->last = *result;
    if (operation->event == WORLD_EDITED && !operation->probe) {
        noteRecord(world, result);
    }
    WorldReport report = {
        .event = operation->event,
        .edit = operation->edit,
        .frame = work->frame,
        .milliseconds = gpuFrameMilliseconds(world->gpu, world->frames,
                                             WORLD_FIRST_TIMESTAMP + 2 * i,
                                             WORLD_FIRST_TIMESTAMP + 2 * i + 1),
        .edits = operation->edits,
        .voxels = result->voxels,
        .changes = result->changes,
        .poolFailed = result->poolFailed,
        .tableFailed = result->tableFailed,
        .missed = operation->event == WORLD_EDITED && result->missed != 0,
    };
    if (operation->event == WORLD_EDITED) {
        report.edit.ax = result->ax;
        report.edit.ay = result->ay;
        report.edit.az = result->az;
        report.edit.bx = result->bx;
        report.edit.by = result->by;
        report.edit.bz = result->bz;
        report.edit.flags &= ~(EDIT_AT_PICK | EDIT_ON_FACE);
    }
    if (operation->probe && result->changes) {
        world->probe = report.edit;
        world->probed = true;
        return; /* the edit will have a report */
    }
    world->probing = world->probing && !operation->probe;
    worldAddReport(world, &report);
}

void worldBeginFrame(World *world, GpuFrames *frames) {
    const uint32_t index = gpuFrameIndex(frames);
    const Readback *readback = (const Readback *)world->buffers[WORLD_READBACK].mapped + index;
    FrameWork *work = &world->work[index];
    world->frames = frames;
    for (uint32_t i = 0; i < work->count; ++i) {
        operationArrived(world, work, i, &readback->results[i]);
    }
    worldTrim(world);
    if (work->picked) {
        world->pick = readback->pick;
    }
    if (work->counted && work->moves == worldUse(world).tableMoves) {
        world->stats = readback->stats;
        world->counted = true;
    }
    if (work->flooded) {
        worldFloodArrived(world, readback);
    }
    if (work->clock > world->done) {
        world->done = work->clock;
    }
    *work = (FrameWork){.frame = frames->count};
    worldGrow(world, 0); /* learns what edits made of the table, shrinks and cleans it */
    worldEditProbed(world);
    if (world->flooding) {
        worldContinueFlood(world);
    }
}

void worldEndFrame(World *world) {
    gpuHostBarrier(world->gpu);
    world->frames = NULL;
}

static void readBack(World *world, WorldBufferName from, size_t size, size_t to) {
    const VkBufferCopy region = {
        .dstOffset = gpuFrameIndex(world->frames) * sizeof(Readback) + to,
        .size = size,
    };
    gpuTransferBarrier(world->gpu);
    vkCmdCopyBuffer(world->gpu->cmd, world->buffers[from].buffer,
                    world->buffers[WORLD_READBACK].buffer, 1, &region);
}

void worldRecordPick(World *world, const float origin[3], const float direction[3], float limit,
                     const Pick *otherwise) {
    const Pick nothing = {0};
    const PickPush push = {
        .world = world->ref,
        .pick = world->buffers[WORLD_PICKED].address,
        .masks = world->buffers[WORLD_MASKS].address,
        .x = origin[0],
        .y = origin[1],
        .z = origin[2],
        .limit = limit,
        .dx = direction[0],
        .dy = direction[1],
        .dz = direction[2],
    };
    worldBarrier(world);
    vkCmdUpdateBuffer(world->gpu->cmd, world->buffers[WORLD_PICKED].buffer, 0, sizeof nothing,
                      otherwise ? otherwise : &nothing);
    gpuTransferBarrier(world->gpu);
    worldDispatch(world, WORLD_PICK, &push, 1, 1, 1);
    readBack(world, WORLD_PICKED, sizeof(Pick), offsetof(Readback, pick));
    world->work[gpuFrameIndex(world->frames)].picked = true;
}

bool worldRecordStats(World *world) {
    const MurArray stats = {world->buffers[WORLD_STATS].address, sizeof(MurStats)};
    worldBarrier(world);
    if (!gpuCheck(murCmdStats(world->gpu->cmd, world->bricks, stats), "counting the brick table")) {
        return false;
    }
    readBack(world, WORLD_STATS, sizeof(MurStats), offsetof(Readback, stats));
    FrameWork *work = &world->work[gpuFrameIndex(world->frames)];
    work->counted = true;
    work->moves = worldUse(world).tableMoves;
    return true;
}

void worldReadFlood(World *world) {
    readBack(world, WORLD_FLOOD, sizeof(FloodBlock), offsetof(Readback, flood));
    world->work[gpuFrameIndex(world->frames)].flooded = true;
}
