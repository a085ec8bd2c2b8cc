/* The world and its edits on the CPU, as plainly as can be: voxel by voxel, no brick is ever looked
 * at as a whole. voxels_reference compares the GPU's results with it.
 * SPDX-License-Identifier: MIT */
#ifndef MURVOXELS_MODEL_H
#define MURVOXELS_MODEL_H

#include "model/bricks.h"
#include "edit/edit.h"

typedef struct Model Model;

/* NULL: no memory. All other functions that return bool then return false. */
Model *modelCreate(void);
void modelDestroy(Model *model);

/* Puts bricks in place of those that are there. */
bool modelPut(Model *model, const BrickSet *set);
/* The built-in terrain; its low corner is at origin. */
bool modelTerrain(Model *model, uint32_t size, uint32_t seed, const uint32_t origin[3]);
/* An edit that editObjection has nothing against. If it changes nothing, it is none. */
bool modelEdit(Model *model, const Edit *edit);
/* Nothing happens if there is nothing to undo (redo). */
bool modelUndo(Model *model);
bool modelRedo(Model *model);
/* A box within the world; of it, if so, only the marked voxels. */
bool modelCopy(Model *model, const int32_t low[3], const int32_t high[3], bool marked);
uint64_t modelMarked(const Model *model); /* how many voxels */

uint8_t modelVoxel(const Model *model, int32_t x, int32_t y, int32_t z);
/* Solid voxels and their checksum. */
void modelCount(const Model *model, uint64_t *solid, uint64_t *sum);

#endif
