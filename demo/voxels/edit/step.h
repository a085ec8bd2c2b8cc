/* A step of the world's history, recorded: an edit, an undo, the removal of old records.
 *
 *   begin      sets the start of the list of changes
 *   plan       bricks that change as a whole go on that list, the others become items
 *   voxels     the items' new voxels, in pool bricks of their own, and their changes
 *   commit     exchanges the changes' values with the table's
 *   finish     the counters and the report
 * SPDX-License-Identifier: MIT */
#ifndef MURVOXELS_STEP_H
#define MURVOXELS_STEP_H

#include "store.h"

/* The input of the kernels. record: the number of the step's record, or of the first to forget. */
EditBlock stepBlock(const Store *store, uint32_t operation, const Edit *edit, uint64_t record);
EditPush stepPush(const Store *store);

/* Workgroups of a kernel with these push constants. */
void stepDispatch(Store *store, WorldKernel kernel, uint32_t groups);

/* Tells them, and begins. */
void stepSet(Store *store, const EditBlock *block);
void stepBegin(Store *store, const EditBlock *block);
/* The bricks of the world that an edit with a brush can meet; and looks for its items there. */
void stepBox(EditBlock *block, const Edit *edit);
void stepPlan(Store *store, const EditBlock *block);
/* Their voxels: of bricks, as many at most. */
void stepVoxels(Store *store, WorldKernel voxels, const void *push, uint64_t bricks);
void stepCommit(Store *store, uint64_t bricks);
void stepFinish(Store *store);

/* Bricks that an edit (its undo, if back) can make appear, of those that it touches. */
uint64_t stepInserts(const Edit *edit, bool back, uint64_t bricks);

#endif
