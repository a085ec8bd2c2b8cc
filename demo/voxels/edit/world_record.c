/* Edits, undo and redo, recorded into a frame:
 *
 *   begin      where the brush is, where the list of changes starts
 *   plan       bricks that change as a whole go on that list, the others become items
 *   voxels     the items' new voxels, in pool bricks of their own, and their changes
 *   commit     exchanges the changes' values with the table's
 *   finish     the books and the report
 *
 * SPDX-License-Identifier: MIT */
#include "world_internal.h"

#include <string.h>

void worldDispatch(World *world, WorldKernel kernel, const void *push, uint32_t x, uint32_t y,
                   uint32_t z) {
    gpuDispatch(world->gpu, &world->kernels[kernel], push, x, y, z);
    gpuComputeBarrier(world->gpu);
}

/* Vulkan guarantees 65,535 workgroups a dimension, so large grids get rows. */
void worldDispatchItems(World *world, WorldKernel kernel, const void *push, uint64_t items) {
    uint64_t groups = (items + 63) / 64;
    uint64_t rows = (groups + 65534) / 65535;
    worldDispatch(world, kernel, push, (uint32_t)((groups + rows - 1) / rows), (uint32_t)rows, 1);
}

uint32_t worldGroups(uint64_t bricks, uint32_t each) {
    uint64_t groups = (bricks + each - 1) / each;
    return groups < 1 ? 1 : groups < EDIT_GROUPS ? (uint32_t)groups : EDIT_GROUPS;
}

void worldBarrier(World *world) {
    const VkPipelineStageFlags stages = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT |
                                        VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT |
                                        VK_PIPELINE_STAGE_TRANSFER_BIT;
    const VkMemoryBarrier memory = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
        .srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_TRANSFER_WRITE_BIT,
        .dstAccessMask = VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT |
                         VK_ACCESS_TRANSFER_READ_BIT | VK_ACCESS_TRANSFER_WRITE_BIT,
    };
    vkCmdPipelineBarrier(world->gpu->cmd, stages, stages, 0, 1, &memory, 0, NULL, 0, NULL);
}

EditBlock worldBlock(const World *world, uint32_t operation, const Edit *edit, uint64_t record) {
    const GpuBuffer *buffers = world->buffers;
    EditBlock block = {
        .items = buffers[WORLD_ITEMS].address,
        .ring = buffers[WORLD_RING].address,
        .records = buffers[WORLD_RECORDS].address,
        .freeList = buffers[WORLD_FREE_LIST].address,
        .masks = buffers[WORLD_MASKS].address,
        .clipboard = buffers[WORLD_CLIPBOARD].address,
        .pick = buffers[WORLD_PICKED].address,
        .flood = buffers[WORLD_FLOOD].address,
        .operation = operation,
        .record = (uint32_t)(record % EDIT_RECORDS),
        .lastRecord = (uint32_t)(record % EDIT_RECORDS),
        .ringSize = world->ringSize,
        .clipX = world->clip[0],
        .clipY = world->clip[1],
        .clipZ = world->clip[2],
        .clipRow = (world->clip[0] + 3) / 4,
    };
    if (edit) {
        block.edit = *edit;
    }
    return block;
}

void worldSetBlock(World *world, const EditBlock *block) {
    worldBarrier(world);
    vkCmdUpdateBuffer(world->gpu->cmd, world->buffers[WORLD_BLOCK].buffer, 0, sizeof *block, block);
    gpuTransferBarrier(world->gpu);
}

EditPush worldPush(const World *world) {
    return (EditPush){.world = world->ref, .block = world->buffers[WORLD_BLOCK].address};
}

void worldBegin(World *world, const EditBlock *block) {
    const EditPush push = worldPush(world);
    worldSetBlock(world, block);
    worldDispatch(world, WORLD_BEGIN, &push, 1, 1, 1);
}

void worldFinishEdit(World *world, WorldKernel voxels, const void *push, uint64_t bricks) {
    const EditPush plain = worldPush(world);
    worldDispatch(world, voxels, push, worldGroups(bricks, voxels == WORLD_SMOOTH ? 2 : 8), 1, 1);
    worldDispatch(world, WORLD_COMMIT, &plain, worldGroups(bricks, 256), 1, 1);
    worldDispatch(world, WORLD_FINISH, &plain, 1, 1, 1);
}

/* ---- Operations of a frame ----------------------------------------------------------------- */

static FrameWork *frameWork(World *world) {
    return &world->work[gpuFrameIndex(world->frames)];
}

/* The frame's own part of the readback; outside of frames, the last one. */
static uint64_t readbackAt(const World *world) {
    uint32_t index = world->frames ? gpuFrameIndex(world->frames) : GPU_FRAMES;
    return index * sizeof(Readback);
}

VkDeviceAddress worldResultAddress(const World *world) {
    uint32_t used = world->frames ? world->work[gpuFrameIndex(world->frames)].count : 0;
    return world->buffers[WORLD_READBACK].address + readbackAt(world) +
           offsetof(Readback, results) + used * sizeof(EditResult);
}

/* Bricks that an operation can make appear, of those that it touches. What paints changes bricks
 * that are there; what adds takes none away, so there is none for its undo to bring back. */
uint64_t worldInserts(WorldEvent event, const Edit *edit, uint64_t bricks) {
    const bool back = event == WORLD_UNDONE;
    switch (edit->tool) {
    case TOOL_PAINT:
    case TOOL_FLOOD:
        return 0;
    case TOOL_ADD:
        return back ? 0 : bricks;
    case TOOL_DIG:
        return back ? bricks : 0;
    default:
        return bricks;
    }
}

Operation *worldBeginOperation(World *world, WorldEvent event, const Edit *edit, uint64_t bricks,
                               uint64_t inserts) {
    FrameWork *work = frameWork(world);
    if (work->count == WORLD_FRAME_OPERATIONS) {
        return NULL;
    }
    if (inserts) {
        worldGrow(world, inserts); /* before the timestamp: an edit's time is its own */
    }
    Operation *operation = &work->operations[work->count];
    world->sequence = world->sequence == UINT32_MAX ? 1 : world->sequence + 1;
    *operation = (Operation){
        .event = event, .edit = *edit, .edits = 1, .bricks = bricks, .sequence = world->sequence};
    gpuBeginLabel(world->gpu, event == WORLD_EDITED ? editToolName(edit->tool) : "undo or redo");
    gpuTimestamp(world->gpu, WORLD_FIRST_TIMESTAMP + 2 * work->count);
    return operation;
}

void worldEndOperation(World *world) {
    FrameWork *work = frameWork(world);
    worldBarrier(world);
    gpuTimestamp(world->gpu, WORLD_FIRST_TIMESTAMP + 2 * work->count + 1);
    gpuEndLabel(world->gpu);
    world->coming += work->operations[work->count].bricks;
    ++work->count;
}

/* ---- Undo records -------------------------------------------------------------------------- */

/* Memory that a record needs at most: its list, and the bricks that it keeps, of which there are
 * no more than the pool has in use. */
static uint64_t recordBytes(const World *world, uint64_t bricks) {
    uint64_t payloads = world->last.payloads + world->coming;
    return 16 * bricks + BRICK_BYTES * (payloads < bricks ? payloads : bricks);
}

static bool forgets(const World *world, const Edit *edit) {
    return (edit->flags & EDIT_NO_UNDO) != 0 || world->options.undoBytes == 0;
}

EditAnswer worldMayEdit(const World *world, const Edit *edit, uint64_t bricks) {
    if (bricks > world->options.editBricks) {
        return EDIT_LARGE;
    }
    bool fits = recordBytes(world, bricks) <= world->options.undoBytes;
    return fits || forgets(world, edit) ? EDIT_RECORDED : EDIT_LARGE_UNDO;
}

/* Forgets records from first up to before end, which are the oldest or the newest ones. */
static void dropRecords(World *world, uint32_t operation, uint64_t first, uint64_t end) {
    uint64_t changes = 0;
    if (first == end) {
        return;
    }
    for (uint64_t i = first; i < end; ++i) {
        changes += world->records[i % EDIT_RECORDS].changes;
    }
    EditBlock block = worldBlock(world, operation, NULL, first);
    const EditPush push = worldPush(world);
    block.lastRecord = (uint32_t)((end - 1) % EDIT_RECORDS);
    worldBegin(world, &block);
    worldDispatch(world, WORLD_DROP, &push, worldGroups(changes, 256), 1, 1);
    worldDispatch(world, WORLD_FINISH, &push, 1, 1, 1);
}

static uint32_t strokeOf(const World *world, uint64_t number) {
    return world->records[number % EDIT_RECORDS].stroke;
}

void worldMakeRoom(World *world, const Edit *edit, uint64_t bricks) {
    dropRecords(world, OPERATION_DROP_NEW, world->next, world->newest);
    world->newest = world->next;
    uint64_t bytes = recordBytes(world, bricks);
    uint64_t changes = bricks;
    for (uint64_t i = world->oldest; i < world->next; ++i) {
        const Record *record = &world->records[i % EDIT_RECORDS];
        bytes += 16 * record->changes + BRICK_BYTES * record->retained;
        changes += record->changes;
    }
    uint64_t first = world->oldest;
    while (first < world->next &&
           (forgets(world, edit) || bytes > world->options.undoBytes || changes > world->ringSize ||
            world->next - first == EDIT_RECORDS - 1)) {
        const Record *record = &world->records[first % EDIT_RECORDS];
        bytes -= 16 * record->changes + BRICK_BYTES * record->retained;
        changes -= record->changes;
        ++first;
    }
    /* The rest of a stroke is no use alone, unless it is still being made. */
    while (first > world->oldest && first < world->next &&
           strokeOf(world, first) == strokeOf(world, first - 1) &&
           strokeOf(world, first) != world->stroke) {
        ++first;
    }
    dropRecords(world, OPERATION_DROP_OLD, world->oldest, first);
    world->oldest = first;
}

void worldKeepRecord(World *world, const Edit *edit, uint64_t bricks, uint32_t sequence) {
    world->records[world->next % EDIT_RECORDS] = (Record){
        .changes = bricks,
        .retained = (recordBytes(world, bricks) - 16 * bricks) / BRICK_BYTES,
        .sequence = sequence,
        .stroke = world->stroke,
        .edit = *edit,
    };
    if (forgets(world, edit)) {
        dropRecords(world, OPERATION_DROP_NEW, world->next, world->next + 1);
    } else {
        ++world->next;
        world->newest = world->next;
    }
}

/* ---- Edits --------------------------------------------------------------------------------- */

/* A paste covers the size of the copy, turned. */
static Edit completed(const World *world, const Edit *edit) {
    Edit full = *edit;
    if (edit->tool == TOOL_PASTE) {
        bool aside = (edit->turn & 1) != 0;
        full.shape = SHAPE_CUBOID;
        full.bx = full.ax + (int32_t)world->clip[aside ? 2 : 0] - 1;
        full.by = full.ay + (int32_t)world->clip[1] - 1;
        full.bz = full.az + (int32_t)world->clip[aside ? 0 : 2] - 1;
    }
    return full;
}

/* A workgroup 4 x 4 x 4 bricks; the box is widened to a multiple of 4 at its low corner. */
static void plan(World *world, const Edit *edit) {
    const EditPush push = worldPush(world);
    int32_t low[3];
    int32_t high[3];
    uint32_t groups[3];
    editBounds(edit, low, high);
    for (int i = 0; i < 3; ++i) {
        groups[i] = (((uint32_t)(high[i] - low[i]) + 7) / 8 + 1 + 3 + 3) / 4;
    }
    worldDispatch(world, WORLD_PLAN, &push, groups[0], groups[1], groups[2]);
}

static WorldKernel voxelsOf(const Edit *edit) {
    return edit->tool == TOOL_SMOOTH ? WORLD_SMOOTH : WORLD_VOXELS;
}

static EditAnswer recordEdit(World *world, const Edit *edit) {
    const uint64_t bricks = editMaxBricks(edit);
    Operation *operation = worldBeginOperation(world, WORLD_EDITED, edit, bricks,
                                               worldInserts(WORLD_EDITED, edit, bricks));
    if (!operation) {
        return EDIT_BUSY;
    }
    worldMakeRoom(world, edit, bricks);
    EditBlock block = worldBlock(world, OPERATION_EDIT, edit, world->next);
    const EditPush push = worldPush(world);
    block.sequence = operation->sequence;
    block.result = worldResultAddress(world);
    worldBegin(world, &block);
    plan(world, edit);
    worldFinishEdit(world, voxelsOf(edit), &push, bricks);
    worldKeepRecord(world, edit, bricks, operation->sequence);
    worldEndOperation(world);
    return EDIT_RECORDED;
}

/* An edit up to its list of changes, which lies behind all others and is not kept. */
static EditAnswer recordProbe(World *world, const Edit *edit) {
    const uint64_t bricks = editMaxBricks(edit);
    Operation *operation = worldBeginOperation(world, WORLD_EDITED, edit, bricks, 0);
    if (!operation) {
        return EDIT_BUSY;
    }
    operation->probe = true;
    EditBlock block = worldBlock(world, OPERATION_PROBE, edit, world->newest);
    const EditPush push = worldPush(world);
    block.sequence = operation->sequence;
    block.result = worldResultAddress(world);
    worldBegin(world, &block);
    plan(world, edit);
    worldDispatch(world, voxelsOf(edit), &push,
                  worldGroups(bricks, edit->tool == TOOL_SMOOTH ? 2 : 8), 1, 1);
    worldDispatch(world, WORLD_FINISH, &push, 1, 1, 1);
    worldEndOperation(world);
    world->probing = true;
    world->probe = *edit;
    return EDIT_RECORDED;
}

/* Is there something to redo, and room in the ring for a list besides? */
static bool mayProbe(const World *world, const Edit *edit) {
    uint64_t changes = editMaxBricks(edit);
    for (uint64_t i = world->oldest; i < world->newest; ++i) {
        changes += world->records[i % EDIT_RECORDS].changes;
    }
    return world->newest != world->next && !forgets(world, edit) && changes <= world->ringSize;
}

EditAnswer worldRecordEdit(World *world, const Edit *wanted, uint32_t stroke) {
    const Edit edit = completed(world, wanted);
    if (editObjection(&edit)) {
        return EDIT_WRONG;
    }
    if (edit.tool == TOOL_PASTE && world->clip[0] == 0) {
        return EDIT_LARGE;
    }
    if (world->flooding || world->probing) {
        return EDIT_BUSY;
    }
    world->stroke = stroke;
    if (edit.tool == TOOL_FLOOD) {
        return worldStartFlood(world, &edit);
    }
    const EditAnswer answer = worldMayEdit(world, &edit, editMaxBricks(&edit));
    return answer != EDIT_RECORDED  ? answer
           : mayProbe(world, &edit) ? recordProbe(world, &edit)
                                    : recordEdit(world, &edit);
}

void worldEditProbed(World *world) {
    if (world->probed && recordEdit(world, &world->probe) == EDIT_RECORDED) {
        world->probed = world->probing = false;
    }
}

/* ---- Undo and redo ------------------------------------------------------------------------- */

static bool isEmpty(const World *world, uint64_t number) {
    const Record *record = &world->records[number % EDIT_RECORDS];
    return record->known && record->changes == 0;
}

void worldTrim(World *world) {
    while (world->newest == world->next && world->next > world->oldest &&
           isEmpty(world, world->next - 1)) {
        world->newest = --world->next;
    }
}

/* Commits a record's list once more. */
static void swapRecord(World *world, uint64_t number, uint32_t sequence) {
    EditBlock block = worldBlock(world, OPERATION_SWAP, NULL, number);
    const EditPush push = worldPush(world);
    block.sequence = sequence;
    block.result = worldResultAddress(world);
    worldBegin(world, &block);
    worldDispatch(world, WORLD_COMMIT, &push,
                  worldGroups(world->records[number % EDIT_RECORDS].changes, 256), 1, 1);
    worldDispatch(world, WORLD_FINISH, &push, 1, 1, 1);
}

/* The records from first up to before end, which are a stroke: backwards, or forwards again. */
static bool swapStroke(World *world, WorldEvent event, uint64_t first, uint64_t end) {
    const bool back = event == WORLD_UNDONE;
    const Edit *edit = &world->records[(back ? first : end - 1) % EDIT_RECORDS].edit;
    uint64_t inserts = 0;
    uint32_t left = 0;
    for (uint64_t i = first; i < end; ++i) {
        const Record *record = &world->records[i % EDIT_RECORDS];
        inserts += worldInserts(event, &record->edit, record->changes);
        left += !isEmpty(world, i);
    }
    /* No bricks are coming that take more of the pool than they did. */
    Operation *operation = worldBeginOperation(world, event, edit, 0, inserts);
    if (!operation) {
        return false;
    }
    operation->edits = left;
    for (uint64_t i = first; i < end; ++i) {
        const uint64_t number = back ? end - 1 - (i - first) : i;
        if (!isEmpty(world, number)) {
            swapRecord(world, number, --left == 0 ? operation->sequence : 0);
        }
    }
    worldEndOperation(world);
    return true;
}

/* Behind the last record that an undo would change something by; the first of a redo. */
static uint64_t undoEnd(const World *world) {
    uint64_t end = world->next;
    while (end > world->oldest && isEmpty(world, end - 1)) {
        --end;
    }
    return end;
}

static uint64_t redoFirst(const World *world) {
    uint64_t first = world->next;
    while (first < world->newest && isEmpty(world, first)) {
        ++first;
    }
    return first;
}

bool worldIsSettled(const World *world) {
    const uint64_t end = undoEnd(world);
    return !world->flooding && !world->probing &&
           (end == world->oldest || world->records[(end - 1) % EDIT_RECORDS].known);
}

uint32_t worldUndoStroke(const World *world) {
    const uint64_t end = undoEnd(world);
    return end > world->oldest ? strokeOf(world, end - 1) : 0;
}

uint32_t worldRedoStroke(const World *world) {
    const uint64_t first = redoFirst(world);
    return first < world->newest ? strokeOf(world, first) : 0;
}

/* Edits that changed nothing belong to any stroke. */
EditAnswer worldRecordUndo(World *world) {
    const uint64_t end = undoEnd(world);
    if (!worldIsSettled(world)) {
        return EDIT_BUSY;
    }
    if (end == world->oldest) {
        return EDIT_NOTHING;
    }
    uint64_t first = end - 1;
    while (first > world->oldest &&
           (isEmpty(world, first - 1) || strokeOf(world, first - 1) == strokeOf(world, end - 1))) {
        --first;
    }
    if (!swapStroke(world, WORLD_UNDONE, first, end)) {
        return EDIT_BUSY;
    }
    world->next = first;
    return EDIT_RECORDED;
}

EditAnswer worldRecordRedo(World *world) {
    const uint64_t first = redoFirst(world);
    if (!worldIsSettled(world)) {
        return EDIT_BUSY;
    }
    if (first == world->newest) {
        return EDIT_NOTHING;
    }
    uint64_t end = first + 1;
    while (end < world->newest &&
           (isEmpty(world, end) || strokeOf(world, end) == strokeOf(world, first))) {
        ++end;
    }
    if (!swapStroke(world, WORLD_REDONE, first, end)) {
        return EDIT_BUSY;
    }
    world->next = end;
    return EDIT_RECORDED;
}

EditAnswer worldRecordCopy(World *world, const int32_t low[3], const int32_t high[3]) {
    static const int32_t ends[3] = {WORLD_SIZE_X, WORLD_SIZE_Y, WORLD_SIZE_Z};
    uint32_t size[3];
    for (int i = 0; i < 3; ++i) {
        if (low[i] < 0 || high[i] < low[i] || high[i] >= ends[i]) {
            return EDIT_LARGE;
        }
        size[i] = (uint32_t)(high[i] - low[i]) + 1;
    }
    uint64_t words = (uint64_t)((size[0] + 3) / 4) * size[1] * size[2];
    if (4 * words > world->options.clipboardBytes || words > UINT32_MAX) {
        return EDIT_LARGE;
    }
    if (world->flooding || world->probing) {
        return EDIT_BUSY;
    }
    memcpy(world->clip, size, sizeof size);
    const Edit edit = {.ax = low[0], .ay = low[1], .az = low[2]};
    EditBlock block = worldBlock(world, OPERATION_SWAP, &edit, 0);
    const EditPush push = worldPush(world);
    worldSetBlock(world, &block);
    worldDispatchItems(world, WORLD_COPY, &push, words);
    worldBarrier(world);
    return EDIT_RECORDED;
}
