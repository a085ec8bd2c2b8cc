/* The world and its edits on the CPU, as plainly as can be: voxel by voxel, no brick is ever looked
 * at as a whole. voxels_reference compares the GPU's results with it. There is one world; without
 * memory for it, the program aborts.
 * SPDX-License-Identifier: MIT */
#ifndef MURVOXELS_MODEL_H
#define MURVOXELS_MODEL_H

#include "model/bricks.h"
#include "edit/edit.h"

/* Puts bricks in place of those that are there. */
void modelPut(const BrickSet *set);
/* The built-in terrain; its low corner is at origin. */
void modelTerrain(uint32_t size, uint32_t seed, const uint32_t origin[3]);
/* An edit that editObjection has nothing against. If it changes nothing, it is none. */
void modelEdit(const Edit *edit);
/* Nothing happens if there is nothing to undo (redo). */
void modelUndo(void);
void modelRedo(void);
/* A box within the world; of it, if so, only the marked voxels. */
void modelCopy(const int32_t low[3], const int32_t high[3], bool marked);

uint64_t modelMarked(void); /* how many voxels */
/* Solid voxels and their checksum. */
uint64_t modelCount(uint64_t *sum);

#endif
