/* Operations on the whole world, which may wait: making, loading, saving and counting it. Outside
 * of frames.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MURVOXELS_WHOLE_H
#define MURVOXELS_WHOLE_H

#include "model/bricks.h"
#include "world.h"

/* Makes the built-in terrain; its low corner is at origin, a multiple of 64. milliseconds: on the
 * GPU, negative if not measured. */
bool worldMakeTerrain(World *world, uint32_t size, uint32_t seed, const uint32_t origin[3],
                      double *milliseconds);
/* Puts bricks into the world, in place of those that are there; forgets undo records. */
bool worldPut(World *world, const BrickSet *bricks);
/* All bricks, sorted by key. All frames must have been reported. */
bool worldGet(World *world, BrickSet *bricks);

/* The result of a count. */
typedef struct WorldCount {
    uint64_t solid;
    uint64_t sum;      /* the checksum */
    uint32_t bricks;   /* entries of the brick table */
    uint32_t payloads; /* of those, with voxels in the pool */
    uint32_t taken;    /* pool bricks in use: must be payloads and those of undo records */
    uint32_t retained; /* pool bricks of undo records */
    uint32_t wrong;    /* bricks that should not be as they are: must be 0 */
    uint32_t regional; /* bricks that the region table counts: must equal bricks */
    uint32_t booked;   /* bricks that the state counts: must equal bricks */
} WorldCount;
/* Counts everything. All frames must have been reported. */
bool worldCountAll(World *world, WorldCount *count);

#endif
