/* Edits, undo and redo in frames, and their reports.
 * SPDX-License-Identifier: MIT */
#include "world.h"

#include "common/message.h"

#include <stdlib.h>
#include <string.h>

/* Makes the world on the GPU empty. */
static bool clear(World *world) {
    Store *store = &world->store;
    Gpu *gpu = store->gpu;
    const GpuBuffer *buffers = store->buffers;
    const uint32_t state[STATE_WORDS] = {
        [STATE_POOL] = store->poolBricks,
        [STATE_LOW_X] = UINT32_MAX,
        [STATE_LOW_X + 1] = UINT32_MAX,
        [STATE_LOW_X + 2] = UINT32_MAX,
    };
    const FloodBlock flood = {.state = FLOOD_DONE};
    if (!gpuBegin(gpu)) {
        return false;
    }
    storeGrow(store, 0);
    if (!gpuCheck(murCmdClear(gpu->cmd, store->bricks), "clearing the brick table") ||
        !gpuCheck(murCmdClear(gpu->cmd, store->regions), "clearing the region table")) {
        return false;
    }
    vkCmdUpdateBuffer(gpu->cmd, buffers[WORLD_STATE].buffer, 0, sizeof state, state);
    vkCmdUpdateBuffer(gpu->cmd, buffers[WORLD_FLOOD].buffer, 0, sizeof flood, &flood);
    vkCmdFillBuffer(gpu->cmd, buffers[WORLD_RECORDS].buffer, 0, VK_WHOLE_SIZE, 0);
    vkCmdFillBuffer(gpu->cmd, buffers[WORLD_MASKS].buffer, 0, VK_WHOLE_SIZE, 0);
    vkCmdFillBuffer(gpu->cmd, buffers[WORLD_PICKED].buffer, 0, VK_WHOLE_SIZE, 0);
    storeBarrier(store);
    world->traffic.statsMoves = UINT32_MAX;
    if (!gpuSubmit(gpu)) {
        return false;
    }
    store->done = store->clock;
    return true;
}

World *worldCreate(Gpu *gpu, const WorldOptions *options, World *before) {
    World *world = calloc(1, sizeof *world);
    if (world && before) {
        memcpy(world->store.kernels, before->store.kernels, sizeof before->store.kernels);
        memset(before->store.kernels, 0, sizeof before->store.kernels);
    }
    worldDestroy(before);
    if (!world) {
        (void)sayError("no memory");
    } else if (!storeCreate(gpu, options, WORLD_READBACKS * sizeof(Readback), &world->store) ||
               !clear(world)) { /* which sees the first brick table */
        worldDestroy(world);
        world = NULL;
    }
    return world;
}

void worldDestroy(World *world) {
    if (world) {
        storeDestroy(&world->store);
        free(world);
    }
}

/* ---- State --------------------------------------------------------------------------------- */

static Records undoable(const World *world) {
    return (Records){world->history.oldest, world->history.next};
}

WorldUse worldUse(const World *world) {
    const MurGrowableStatus table = storeTable(&world->store);
    return (WorldUse){
        .bricks = world->traffic.last.bricks,
        .tableSlots = (uint32_t)table.capacity,
        .tableMost = world->store.options.tableSlots,
        .tableMoves = table.moves,
        .payloads = world->traffic.last.payloads,
        .poolBricks = world->store.poolBricks,
        .undoBytes = historyTaken(&world->history, undoable(world)).bytes,
        .undoBudget = world->store.options.undoBytes,
        .waiting = world->flood.runs || world->probing,
    };
}

const MurStats *worldTableStats(const World *world) {
    const Traffic *traffic = &world->traffic;
    return traffic->statsMoves == storeTable(&world->store).moves ? &traffic->stats : NULL;
}

bool worldIsSettled(const World *world) {
    return !world->flood.runs && !world->probing && historyIsKnown(&world->history);
}

/* ---- Undo records -------------------------------------------------------------------------- */

/* Pool bricks that a record keeps at most: no more than the pool has in use. */
static uint64_t retains(const World *world, uint64_t bricks) {
    const uint64_t payloads = world->traffic.last.payloads + world->traffic.coming;
    return payloads < bricks ? payloads : bricks;
}

static HistoryRoom roomFor(const World *world, uint64_t bricks) {
    return (HistoryRoom){16 * bricks + BRICK_BYTES * retains(world, bricks), bricks};
}

static bool forgets(const World *world, const Edit *edit) {
    return (edit->flags & EDIT_NO_UNDO) != 0 || world->store.options.undoBytes == 0;
}

static EditAnswer mayEdit(const World *world, const Edit *edit, uint64_t bricks) {
    if (bricks > world->store.options.editBricks) {
        return EDIT_LARGE;
    }
    const bool fits = roomFor(world, bricks).bytes <= world->store.options.undoBytes;
    return fits || forgets(world, edit) ? EDIT_RECORDED : EDIT_LARGE_UNDO;
}

/* The GPU forgets records, which are the oldest or the newest ones. */
static void drop(World *world, uint32_t operation, Records records) {
    Store *store = &world->store;
    if (records.first == records.end) {
        return;
    }
    const uint64_t changes = historyTaken(&world->history, records).changes;
    EditBlock block = stepBlock(store, operation, NULL, records.first);
    block.lastRecord = (uint32_t)((records.end - 1) % EDIT_RECORDS);
    stepBegin(store, &block);
    stepDispatch(store, WORLD_KERNEL_DROP, storeGroups(store, changes, 256));
    stepFinish(store);
}

/* Makes room for an edit's record, or forgets all. */
static void makeRoom(World *world, const Edit *edit, uint64_t bricks) {
    History *history = &world->history;
    const HistoryRoom limit = {world->store.options.undoBytes, world->store.ringSize};
    drop(world, OPERATION_DROP_NEW, (Records){history->next, history->newest});
    history->newest = history->next;
    const Records excess = forgets(world, edit) ? undoable(world)
                                                : historyExcess(history, roomFor(world, bricks),
                                                                limit, world->stroke);
    drop(world, OPERATION_DROP_OLD, excess);
    history->oldest = excess.end;
}

/* Afterwards: the record is one to undo, or is forgotten. */
static void keepRecord(World *world, const Edit *edit, uint64_t bricks, uint32_t sequence) {
    History *history = &world->history;
    const uint64_t number = history->next;
    historyAdd(history, &(Record){
                            .changes = bricks,
                            .retained = retains(world, bricks),
                            .sequence = sequence,
                            .stroke = world->stroke,
                            .edit = *edit,
                        });
    if (forgets(world, edit)) {
        drop(world, OPERATION_DROP_NEW, (Records){number, number + 1});
        history->next = history->newest = number;
    }
}

/* ---- Edits --------------------------------------------------------------------------------- */

/* Bricks that an edit can change. */
static uint64_t bricksOf(const World *world, const Edit *edit) {
    return edit->flags & EDIT_MARKED ? world->flood.found : editMaxBricks(edit);
}

/* probe: up to its list of changes, which comes after all others and is not kept. */
static EditAnswer recordEdit(World *world, const Edit *edit, bool probe) {
    Store *store = &world->store;
    const uint64_t bricks = bricksOf(world, edit);
    Operation *operation = trafficBegin(&world->traffic, store, WORLD_EDITED, edit, bricks,
                                        probe ? 0 : stepInserts(edit, false, bricks));
    if (!operation) {
        return EDIT_BUSY;
    }
    operation->probe = probe;
    if (!probe) {
        makeRoom(world, edit, bricks);
    }
    EditBlock block = trafficBlock(&world->traffic, store, probe ? OPERATION_PROBE : OPERATION_EDIT,
                                   edit, probe ? world->history.newest : world->history.next,
                                   operation->sequence);
    const EditPush push = stepPush(store);
    stepBox(&block, edit);
    stepBegin(store, &block);
    if (edit->flags & EDIT_MARKED) {
        floodPlan(store);
    } else {
        stepPlan(store, &block);
    }
    stepVoxels(store, edit->tool == TOOL_SMOOTH ? WORLD_KERNEL_SMOOTH : WORLD_KERNEL_VOXELS, &push,
               bricks);
    if (!probe) {
        stepCommit(store, bricks);
    }
    stepFinish(store);
    if (probe) {
        world->probing = true;
        world->probe = *edit;
    } else {
        keepRecord(world, edit, bricks, operation->sequence);
    }
    trafficEnd(&world->traffic, store);
    return EDIT_RECORDED;
}

/* Is there something to redo, and also room in the ring for a list? */
static bool mayProbe(const World *world, const Edit *edit) {
    const History *history = &world->history;
    const Records all = {history->oldest, history->newest};
    return history->newest != history->next && !forgets(world, edit) &&
           historyTaken(history, all).changes + bricksOf(world, edit) <= world->store.ringSize;
}

/* The whole box of the paste or the marks. False: there is none. */
static bool wholeEdit(const World *world, Edit *edit) {
    const Flood *flood = &world->flood;
    const bool face = flood->edit.tool == TOOL_MARK && flood->edit.shape == MARK_FACE;
    if (edit->tool == TOOL_EXTRUDE && flood->found && face) {
        *edit = editExtruded(flood->low, flood->high, flood->edit.turn, edit->ax);
        return true;
    }
    if (edit->flags & EDIT_MARKED) {
        edit->shape = SHAPE_CUBOID;
        editSetEnds(edit, flood->low, flood->high);
        return flood->found;
    }
    *edit = editPasted(edit, world->store.clip);
    return edit->tool != TOOL_EXTRUDE;
}

EditAnswer worldRecordEdit(World *world, const Edit *wanted, uint32_t stroke) {
    Edit edit = *wanted;
    if (world->flood.runs || world->probing) {
        return EDIT_BUSY;
    }
    if (!wholeEdit(world, &edit)) {
        return EDIT_NOTHING;
    }
    if (editObjection(&edit)) {
        return EDIT_WRONG;
    }
    if (edit.tool == TOOL_PASTE && world->store.clip[0] == 0) {
        return EDIT_LARGE;
    }
    world->stroke = stroke;
    if (edit.tool == TOOL_MARK) {
        return floodStart(&world->flood, &world->store, &edit) ? EDIT_RECORDED : EDIT_BUSY;
    }
    const EditAnswer answer = mayEdit(world, &edit, bricksOf(world, &edit));
    return answer == EDIT_RECORDED ? recordEdit(world, &edit, mayProbe(world, &edit)) : answer;
}

/* ---- Undo and redo ------------------------------------------------------------------------- */

/* Commits a record's list once more. */
static void swapRecord(World *world, uint64_t number, uint32_t sequence) {
    Store *store = &world->store;
    const EditBlock block = trafficBlock(&world->traffic, store, OPERATION_SWAP, NULL, number,
                                         sequence);
    stepBegin(store, &block);
    stepCommit(store, historyAt(&world->history, number)->changes);
    stepFinish(store);
}

/* Of a stroke: backwards, or forwards again. */
static EditAnswer swapStroke(World *world, WorldEvent event, Records stroke) {
    Store *store = &world->store;
    const History *history = &world->history;
    const bool back = event == WORLD_UNDONE;
    uint64_t inserts = 0;
    uint32_t left = 0;
    if (!worldIsSettled(world)) {
        return EDIT_BUSY;
    }
    if (stroke.first == stroke.end) {
        return EDIT_NOTHING;
    }
    for (uint64_t i = stroke.first; i < stroke.end; ++i) {
        const Record *record = historyAt(history, i);
        inserts += stepInserts(&record->edit, back, record->changes);
        left += !historyIsEmpty(history, i);
    }
    /* No bricks are coming that take more of the pool than they did. */
    const Record *last = historyAt(history, back ? stroke.first : stroke.end - 1);
    Operation *operation = trafficBegin(&world->traffic, store, event, &last->edit, 0, inserts);
    if (!operation) {
        return EDIT_BUSY;
    }
    operation->edits = left;
    for (uint64_t i = stroke.first; i < stroke.end; ++i) {
        const uint64_t number = back ? stroke.end - 1 - (i - stroke.first) : i;
        if (!historyIsEmpty(history, number)) {
            swapRecord(world, number, --left == 0 ? operation->sequence : 0);
        }
    }
    trafficEnd(&world->traffic, store);
    world->history.next = back ? stroke.first : stroke.end;
    return EDIT_RECORDED;
}

EditAnswer worldRecordUndo(World *world) {
    return swapStroke(world, WORLD_UNDONE, historyUndo(&world->history));
}

EditAnswer worldRecordRedo(World *world) {
    return swapStroke(world, WORLD_REDONE, historyRedo(&world->history));
}

/* Words of the copy of a box; 0: there is no room for it, or it reaches out of the world. */
static uint64_t copyWords(const World *world, const int32_t low[3], const int32_t high[3]) {
    static const int32_t ends[3] = {WORLD_SIZE_X, WORLD_SIZE_Y, WORLD_SIZE_Z};
    uint64_t size[3];
    for (int i = 0; i < 3; ++i) {
        if (low[i] < 0 || high[i] < low[i] || high[i] >= ends[i]) {
            return 0;
        }
        size[i] = (uint64_t)(high[i] - low[i]) + 1;
    }
    const uint64_t words = (size[0] + 3) / 4 * size[1] * size[2];
    return 4 * words > world->store.options.clipboardBytes || words > UINT32_MAX ? 0 : words;
}

bool worldCanCopy(const World *world, const int32_t low[3], const int32_t high[3]) {
    return copyWords(world, low, high) > 0;
}

EditAnswer worldRecordCopy(World *world, bool marked, int32_t low[3], int32_t high[3]) {
    const Flood *flood = &world->flood;
    if (flood->runs || world->probing) {
        return EDIT_BUSY;
    }
    if (marked && !flood->found) {
        return EDIT_NOTHING;
    }
    for (int i = 0; i < 3 && marked; ++i) {
        low[i] = flood->low[i];
        high[i] = flood->high[i];
    }
    const uint64_t words = copyWords(world, low, high);
    if (words == 0) {
        return EDIT_LARGE;
    }
    for (int i = 0; i < 3; ++i) {
        world->store.clip[i] = (uint32_t)(high[i] - low[i] + 1);
    }
    const Edit edit = {.ax = low[0], .ay = low[1], .az = low[2], .flags = marked ? EDIT_MARKED : 0};
    EditBlock block = stepBlock(&world->store, OPERATION_SWAP, &edit, 0);
    const EditPush push = stepPush(&world->store);
    stepSet(&world->store, &block);
    storeDispatchItems(&world->store, WORLD_KERNEL_COPY, &push, words);
    storeBarrier(&world->store);
    return EDIT_RECORDED;
}

/* ---- Frames -------------------------------------------------------------------------------- */

static void takeResult(World *world, uint32_t i) {
    Traffic *traffic = &world->traffic;
    const Operation *operation = &trafficWork(traffic)->operations[i];
    const WorldReport report = trafficResult(traffic, &world->store, i);
    if (operation->probe && report.changes) {
        world->probed = true;
        return; /* the edit will have a report */
    }
    if (operation->event == WORLD_EDITED && !operation->probe) {
        historyLearn(&world->history, traffic->last.sequence, traffic->last.changes,
                     traffic->last.retained);
    }
    world->probing = world->probing && !operation->probe;
    trafficReport(traffic, &report);
}

/* Goes on to mark, until all is found. */
static void continueFlood(World *world) {
    Flood *flood = &world->flood;
    Traffic *traffic = &world->traffic;
    if (flood->result == FLOOD_RUNNING) {
        floodStep(flood, &world->store);
        trafficSend(traffic, &world->store, WORLD_FLOOD, sizeof(FloodBlock),
                    offsetof(Readback, flood));
        trafficWork(traffic)->flooded = true;
        return;
    }
    flood->runs = false;
    trafficReport(traffic, &(WorldReport){
                               .event = WORLD_MARKED,
                               .voxels = flood->voxels,
                               .edit = flood->edit,
                               .frame = traffic->frames->count,
                               .milliseconds = -1,
                               .edits = 1,
                               .floodFull = flood->result == FLOOD_FULL,
                           });
}

void worldBeginFrame(World *world, GpuFrames *frames) {
    Traffic *traffic = &world->traffic;
    Store *store = &world->store;
    traffic->frames = frames;
    traffic->reportCount = traffic->reportsTaken = 0;
    FrameWork *work = trafficWork(traffic);
    for (uint32_t i = 0; i < work->count; ++i) {
        takeResult(world, i);
    }
    historyTrim(&world->history);
    trafficTake(traffic, store);
    if (work->flooded) {
        floodArrived(&world->flood, &trafficArrived(traffic, store)->flood);
    }
    *work = (FrameWork){.frame = frames->count};
    storeGrow(store, 0); /* reads the table's new size after edits, shrinks and cleans it */
    if (world->probed && recordEdit(world, &world->probe, false) == EDIT_RECORDED) {
        world->probed = world->probing = false;
    }
    if (world->flood.runs) {
        storeBarrier(store);
        continueFlood(world);
    }
}

void worldEndFrame(World *world) {
    trafficWork(&world->traffic)->clock = world->store.clock;
    gpuHostBarrier(world->store.gpu);
    world->traffic.frames = NULL;
}

/* ---- Outside of frames --------------------------------------------------------------------- */

static const Edit placing = {.tool = TOOL_PLACE, .shape = SHAPE_CUBOID, .flags = EDIT_NO_UNDO};

EditBlock worldBeginPlacing(World *world, uint64_t bricks) {
    Store *store = &world->store;
    storeGrow(store, bricks);
    makeRoom(world, &placing, bricks);
    return trafficBlock(&world->traffic, store, OPERATION_EDIT, &placing, world->history.next, 1);
}

bool worldEndPlacing(World *world, WorldKernel voxels, const void *push, uint64_t bricks,
                     const char *what) {
    Store *store = &world->store;
    stepVoxels(store, voxels, push, bricks);
    stepCommit(store, bricks);
    stepFinish(store);
    gpuTimestamp(store->gpu, 1);
    keepRecord(world, &placing, bricks, 0);
    storeBarrier(store);
    gpuHostBarrier(store->gpu);
    if (!gpuSubmit(store->gpu)) {
        return false;
    }
    store->done = store->clock;
    const EditResult *result = &trafficArrived(&world->traffic, store)->results[0];
    world->traffic.last = *result;
    if (result->poolFailed) {
        return sayError("%s: the brick pool is full: %u bricks found no room (more: --pool-mib)",
                        what, result->poolFailed);
    }
    return !result->tableFailed ||
           sayError("%s: the brick table is full: %u bricks found no slot (more: --table-slots)",
                    what, result->tableFailed);
}
