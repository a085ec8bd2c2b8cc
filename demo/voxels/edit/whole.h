/* Operations on the whole world, which may wait: making, loading and saving it. Outside
 * of frames.
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

#endif
