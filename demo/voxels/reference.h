/* The counts that the GPU must arrive at, worked out on the CPU from the source alone.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MURVOXELS_REFERENCE_H
#define MURVOXELS_REFERENCE_H

#include "source.h"

/* Solid voxels and their checksum. */
typedef struct VoxelCount {
    uint32_t solid;
    uint32_t sumLow, sumHigh;
} VoxelCount;

typedef enum ReferenceState {
    REFERENCE_BUILT,
    REFERENCE_ADDED,
    REFERENCE_DUG,
    REFERENCE_STATES
} ReferenceState;

/* False, after one line on stderr, if there is no memory. */
bool referenceCount(const Source *source, VoxelCount counts[REFERENCE_STATES]);

#endif
