/* Marks are places of voxels, found by TOOL_MARK, which takes as many frames as it must: steps that
 * only read. During them no edit is accepted. Afterwards, EDIT_MARKED edits the marked voxels.
 *
 * Marks stay until the next mark begins, whatever is edited, undone or redone: they are
 * places, and edits of marked voxels change those that are solid then.
 * SPDX-License-Identifier: MIT */
#ifndef MURVOXELS_FLOOD_H
#define MURVOXELS_FLOOD_H

#include "step.h"

typedef struct Flood {
    bool runs;
    Edit edit;
    uint32_t number, step;
    uint32_t result;         /* FLOOD_* */
    uint32_t found;          /* bricks with marks; 0: nothing is marked */
    uint32_t voxels;         /* that are marked */
    int32_t low[3], high[3]; /* their box, both included */
} Flood;

/* False: it failed. */
bool floodStart(Flood *flood, Store *store, const Edit *edit);
/* Some steps; the host reads WORLD_FLOOD afterwards. */
void floodStep(Flood *flood, Store *store);
void floodArrived(Flood *flood, const FloodBlock *block);
/* The edit's items, between begin and voxels. */
void floodPlan(Store *store);

#endif
