/* SPDX-License-Identifier: MIT */
#include "traffic.h"

#include <stdio.h>

/* A call when the frame begins and one for each operation; one more outside of frames. */
_Static_assert(GPU_FRAMES *(1 + WORLD_FRAME_OPERATIONS) + 1 <= MUR_GROWABLE_FRAMES,
               "the growable keeps as many frames");

static uint32_t indexOf(const Traffic *traffic) {
    return traffic->frames ? gpuFrameIndex(traffic->frames) : GPU_FRAMES;
}

FrameWork *trafficWork(Traffic *traffic) {
    return &traffic->work[indexOf(traffic)];
}

const Readback *trafficArrived(const Traffic *traffic, const Store *store) {
    return (const Readback *)store->buffers[WORLD_READBACK].mapped + indexOf(traffic);
}

EditBlock trafficBlock(const Traffic *traffic, const Store *store, uint32_t operation,
                       const Edit *edit, uint64_t record, uint32_t sequence) {
    const uint32_t index = indexOf(traffic);
    const uint32_t used = traffic->frames ? traffic->work[index].count : 0;
    EditBlock block = stepBlock(store, operation, edit, record);
    block.sequence = sequence;
    block.result = store->buffers[WORLD_READBACK].address + index * sizeof(Readback) +
                   offsetof(Readback, results) + used * sizeof(EditResult);
    return block;
}

Operation *trafficBegin(Traffic *traffic, Store *store, WorldEvent event, const Edit *edit,
                        uint64_t bricks, uint64_t inserts) {
    Gpu *gpu = store->gpu;
    FrameWork *work = trafficWork(traffic);
    if (work->count == WORLD_FRAME_OPERATIONS) {
        return NULL;
    }
    if (inserts) {
        storeGrow(store, inserts); /* before the timestamp: an edit's time is its own */
    }
    Operation *operation = &work->operations[work->count];
    traffic->sequence = traffic->sequence == UINT32_MAX ? 1 : traffic->sequence + 1;
    *operation = (Operation){
        .event = event, .edit = *edit, .edits = 1, .bricks = bricks, .sequence = traffic->sequence};
    gpuBeginLabel(gpu, event == WORLD_EDITED ? editToolName(edit->tool) : "undo or redo");
    gpuTimestamp(gpu, WORLD_FIRST_TIMESTAMP + 2 * work->count);
    return operation;
}

void trafficEnd(Traffic *traffic, Store *store) {
    Gpu *gpu = store->gpu;
    FrameWork *work = trafficWork(traffic);
    storeBarrier(store);
    gpuTimestamp(gpu, WORLD_FIRST_TIMESTAMP + 2 * work->count + 1);
    gpuEndLabel(gpu);
    traffic->coming += work->operations[work->count].bricks;
    ++work->count;
}

void trafficSend(Traffic *traffic, Store *store, WorldBufferName from, size_t size, size_t to) {
    gpuTransferBarrier(store->gpu);
    gpuCopy(store->gpu, &store->buffers[from], 0, &store->buffers[WORLD_READBACK],
            indexOf(traffic) * sizeof(Readback) + to, size);
}

void trafficPick(Traffic *traffic, Store *store, const float origin[3], const float direction[3],
                 float limit, const Pick *otherwise) {
    const PickPush push = {
        .world = store->ref,
        .pick = store->buffers[WORLD_PICKED].address,
        .masks = store->buffers[WORLD_MASKS].address,
        .x = origin[0],
        .y = origin[1],
        .z = origin[2],
        .limit = limit,
        .dx = direction[0],
        .dy = direction[1],
        .dz = direction[2],
    };
    storeBarrier(store);
    vkCmdUpdateBuffer(store->gpu->cmd, store->buffers[WORLD_PICKED].buffer, 0, sizeof *otherwise,
                      otherwise);
    gpuTransferBarrier(store->gpu);
    storeDispatch(store, WORLD_KERNEL_PICK, &push, 1, 1, 1);
    trafficSend(traffic, store, WORLD_PICKED, sizeof(Pick), offsetof(Readback, pick));
    trafficWork(traffic)->picked = true;
}

bool trafficStats(Traffic *traffic, Store *store) {
    const MurArray stats = {store->buffers[WORLD_STATS].address, sizeof(MurStats)};
    storeBarrier(store);
    if (!gpuCheck(murCmdStats(store->gpu->cmd, store->bricks, stats), "counting the brick table")) {
        return false;
    }
    trafficSend(traffic, store, WORLD_STATS, sizeof(MurStats), offsetof(Readback, stats));
    FrameWork *work = trafficWork(traffic);
    work->counted = true;
    work->moves = storeTable(store).moves;
    return true;
}

void trafficTake(Traffic *traffic, Store *store) {
    const FrameWork *work = trafficWork(traffic);
    const Readback *readback = trafficArrived(traffic, store);
    traffic->pick = work->picked ? readback->pick : traffic->pick;
    if (work->counted) {
        traffic->stats = readback->stats;
        traffic->statsMoves = work->moves;
    }
    if (work->clock > store->done) {
        store->done = work->clock;
    }
}

WorldReport trafficResult(Traffic *traffic, const Store *store, uint32_t i) {
    const FrameWork *work = trafficWork(traffic);
    const Operation *operation = &work->operations[i];
    const EditResult *result = &trafficArrived(traffic, store)->results[i];
    traffic->coming -= operation->bricks;
    traffic->last = *result;
    return (WorldReport){
        .event = operation->event,
        .edit = operation->edit,
        .frame = work->frame,
        .milliseconds = gpuFrameMilliseconds(store->gpu, traffic->frames,
                                             WORLD_FIRST_TIMESTAMP + 2 * i,
                                             WORLD_FIRST_TIMESTAMP + 2 * i + 1),
        .edits = operation->edits,
        .voxels = result->voxels,
        .changes = result->changes,
        .poolFailed = result->poolFailed,
        .tableFailed = result->tableFailed,
    };
}

void trafficReport(Traffic *traffic, const WorldReport *report) {
    traffic->reports[traffic->reportCount++] = *report;
}

bool trafficTrouble(const WorldReport *report, char words[WORLD_WORDS]) {
    const uint32_t failed = report->poolFailed + report->tableFailed;
    if (failed) {
        (void)snprintf(words, WORLD_WORDS, "partial: %u bricks left as they were: the %s", failed,
                       report->poolFailed ? "brick pool is full (more: --pool-mib)"
                                          : "brick table is full (more: --table-slots)");
    } else if (report->floodFull) {
        (void)snprintf(words, WORLD_WORDS,
                       "more touches than can be marked: nothing is (more: --flood-bricks)");
    }
    return failed || report->floodFull;
}

bool trafficNext(Traffic *traffic, WorldReport *report) {
    const bool there = traffic->reportsTaken < traffic->reportCount;
    if (there) {
        *report = traffic->reports[traffic->reportsTaken++];
    }
    return there;
}
