/* Counts all voxels of a world, and compares the counts of its tables, regions, pool and undo
 * records with each other.
 * SPDX-License-Identifier: MIT */
#ifndef MURVOXELS_COUNT_H
#define MURVOXELS_COUNT_H

#include "edit/world.h"

typedef struct WorldCount {
    uint64_t solid;
    uint64_t sum; /* the checksum */
} WorldCount;

/* Returns false after one line on stderr, if it fails or if a count differs. All frames must have
 * been reported. */
bool countWorld(World *world, WorldCount *count);
/* Destroys the kernel that the first count created. */
void countClose(Gpu *gpu);

#endif
