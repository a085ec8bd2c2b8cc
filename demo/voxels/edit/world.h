/* The voxel world on the GPU: two tables, of which one grows, a pool of
 * bricks, and the edits that change them.
 *
 * Everything worldRecord... records into gpu->cmd, within a frame:
 *
 *     gpuAwaitFrame, gpuBeginFrame
 *     worldBeginFrame            reports of the frame before the last arrive; a flood goes on
 *     trafficPick                a ray; edits of this frame can already start at its hit
 *     worldRecordEdit ...        WORLD_FRAME_OPERATIONS at most, one after the other
 *     trace, by store.ref
 *     worldEndFrame
 *     gpuSubmitFrame
 *
 * Nothing waits for the device, and nothing is allocated but another brick table, when it grows,
 * shrinks or is cleaned: store.ref is good until the next call that begins a frame or records an
 * edit, undo or redo. An edit's result comes as a WorldReport two frames later. Each recording
 * ends with a barrier: later compute, transfer and fragment work of the frame sees the edit.
 *
 * Functions without "Record" in their name that need the device submit and wait, outside of
 * frames.
 * SPDX-License-Identifier: MIT */
#ifndef MURVOXELS_WORLD_H
#define MURVOXELS_WORLD_H

#include "flood.h"
#include "history.h"
#include "traffic.h"

/* Other files read its members, and record picks and counts by its traffic; they change nothing. */
typedef struct World {
    Store store;
    History history;
    Flood flood;
    Traffic traffic;
    uint32_t stroke;      /* of the last edit */
    bool probing, probed; /* an edit waits to learn whether it changes anything; it does */
    Edit probe;
} World;

/* In place of one before, which is destroyed and leaves its pipelines; or of NULL. NULL, after one
 * line on stderr, if something failed. */
World *worldCreate(Gpu *gpu, const WorldOptions *options, World *before);
/* The device must be done with it. NULL: no effect. */
void worldDestroy(World *world);

/* ---- In a frame ---------------------------------------------------------------------------- */

void worldBeginFrame(World *world, GpuFrames *frames);
void worldEndFrame(World *world);

typedef enum EditAnswer {
    EDIT_RECORDED,
    EDIT_WRONG,      /* editObjection returns the reason */
    EDIT_BUSY,       /* a flood is running, or the frame is full: try in the next one */
    EDIT_LARGE,      /* more bricks than one edit may touch, or nothing was copied to paste */
    EDIT_LARGE_UNDO, /* too large to be undone: EDIT_NO_UNDO would do it all the same */
    EDIT_NOTHING     /* there is nothing to undo (redo), or nothing is marked */
} EditAnswer;

/* stroke: edits with the same number, one after the other, are undone and redone together; it is
 * greater for later strokes. Nothing but EDIT_RECORDED changes anything. While there is something
 * to redo, an edit goes on over the next frames by itself: the redo records are dropped only
 * when it is known that the edit changes something. An edit that changes nothing leaves no undo
 * record.
 *
 * TOOL_MARK changes nothing. It goes on over frames by itself; then WORLD_MARKED is reported, and
 * world->flood has how many voxels are marked, and where. Then there are copies of the marks,
 * edits with EDIT_MARKED, whose ends become the box of the marks, and, of a face, TOOL_EXTRUDE by
 * ax layers (below 0: into it), which becomes the edit of editExtruded. Marks stay until the next
 * mark begins (flood.h): a user's selection ends there, and better at an undo or redo too, since
 * there may be something else at their places then. */
EditAnswer worldRecordEdit(World *world, const Edit *edit, uint32_t stroke);
/* EDIT_BUSY as well unless worldIsSettled: no flood goes on, and it is known whether the last edit
 * changed anything. */
bool worldIsSettled(const World *world);
EditAnswer worldRecordUndo(World *world);
EditAnswer worldRecordRedo(World *world);
/* Copies a box of voxels, low and high included, for TOOL_PASTE. EDIT_LARGE: it cannot, because the
 * box is too large for the clipboard or reaches out of the world. */
bool worldCanCopy(const World *world, const int32_t low[3], const int32_t high[3]);
/* marked: only the marked voxels, whose box low and high become; others are empty in the copy. */
EditAnswer worldRecordCopy(World *world, bool marked, int32_t low[3], int32_t high[3]);
/* Of the brick table. NULL: it has not been counted since it last moved. */
const MurStats *worldTableStats(const World *world);

/* As of the last report; the table as it is now. */
typedef struct WorldUse {
    uint32_t bricks, tableSlots;    /* entries of the brick table, and how many fit */
    uint32_t tableMost, tableMoves; /* how many will fit at most; tables that replaced one */
    uint32_t payloads, poolBricks;  /* bricks in the pool, those of undo records too */
    uint64_t undoBytes, undoBudget; /* that undo records hold */
    bool waiting;                   /* a flood or a probe goes on over frames */
} WorldUse;
WorldUse worldUse(const World *world);

/* ---- Outside of frames --------------------------------------------------------------------- */

/* For whole.h: an edit by kernels of its own, without undo, between gpuBegin and its submission,
 * which reports bricks that did not fit. Pushes are made after the first call; the second one
 * records the voxels. */
EditBlock worldBeginPlacing(World *world, uint64_t bricks);
bool worldEndPlacing(World *world, WorldKernel voxels, const void *push, uint64_t bricks,
                     const char *what);
#endif
