/* The parts of voxels_reference.
 * SPDX-License-Identifier: MIT */
#ifndef MURVOXELS_REFERENCE_H
#define MURVOXELS_REFERENCE_H

#include "edit/world.h"
#include "view/tracer.h"

/* ---- The reference picture: path tracing without the cache of light ------------------------- */

/* The most paths per pixel: more would make sums of floats inexact. */
enum { REFERENCE_SAMPLES = 1 << 16 };

/* Draws the reference picture with `samples` paths per pixel, from 1 to REFERENCE_SAMPLES, and
 * waits. A frame is one path per pixel. */
bool referencePicture(Gpu *gpu, const WorldRef *world, const View *view, uint32_t samples,
                      Picture *picture);

/* ---- Counts of all voxels ------------------------------------------------------------------- */

/* Counts all voxels of a world, and compares the counts of its tables, regions, pool and undo
 * records with each other. */
typedef struct WorldCount {
    uint64_t solid;
    uint64_t sum; /* the checksum */
} WorldCount;

/* Returns false after one line on stderr, if it fails or if a count differs. All frames must have
 * been reported. */
bool countWorld(World *world, WorldCount *count);
/* Destroys the kernel that the first count created. */
void countClose(Gpu *gpu);

/* ---- The model ------------------------------------------------------------------------------ */

/* The world and its edits on the CPU, as plainly as can be: voxel by voxel, no brick is ever looked
 * at as a whole. Compared with the GPU's results. There is one world; without memory for it, the
 * program aborts. */

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
