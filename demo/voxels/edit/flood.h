/* A flood takes as many frames as it must: steps that only look, then, when the host has learnt
 * that all is found, an edit like the others. Meanwhile no other edit is taken, so its record and
 * the block of its operation stay as they are.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MURVOXELS_FLOOD_H
#define MURVOXELS_FLOOD_H

#include "step.h"

typedef struct Flood {
    bool runs;
    Edit edit; /* where it started, once it is known */
    uint32_t number, step;
    uint32_t result; /* FLOOD_* */
    uint32_t found;  /* bricks */
} Flood;

/* record: the number of any that is not in use. False: it failed. */
bool floodStart(Flood *flood, Store *store, const Edit *edit, uint64_t record);
/* Some steps; what is in WORLD_FLOOD then is for the host. */
void floodStep(Flood *flood, Store *store);
void floodArrived(Flood *flood, const FloodBlock *block);
/* The edit's items, between begin and voxels. */
void floodPlan(Store *store);

#endif
