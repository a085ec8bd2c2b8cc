/* Defaults that fit an opened world: memory, a brush, the camera's speed. Nothing of Vulkan.
 * SPDX-License-Identifier: MIT */
#ifndef MURVOXELS_FIT_H
#define MURVOXELS_FIT_H

#include "model/source.h"

typedef struct WorldOptions {
    uint64_t poolBytes;      /* for bricks whose voxels differ */
    uint32_t tableSlots;     /* bricks that the table has room for, once it has grown */
    uint32_t tableStart;     /* and at first, and at least; 0: 2^18 */
    uint64_t undoBytes;      /* for replaced bricks, on top of the pool; 0: no undo */
    uint64_t clipboardBytes; /* of the largest box that can be copied, a byte a voxel */
    uint32_t floodBricks;    /* that one flood can reach */
    uint32_t editBricks;     /* that one edit can touch, EDIT_MAX_BRICKS at most */
} WorldOptions;

/* The memory of a world. 0, and of undo ROOM_FITS: a size that fits the source, less for a model
 * of 512 voxels a side than for a landscape. */
typedef struct WorldRoom {
    bool large; /* as for a landscape, whatever the source is */
    uint32_t poolMib;
    uint32_t undoMib; /* 0: no undo */
    uint32_t tableSlots;
    uint32_t tableStart;
    uint32_t floodBricks;
    uint32_t clipboardMib;
} WorldRoom;

#define ROOM_FITS UINT32_MAX

/* The requested capacity, or the one that the source needs. */
WorldOptions fitWorld(const WorldRoom *room, const Source *source);

/* Its longest side, of a box whose high is excluded. */
uint32_t fitLength(const uint32_t low[3], const uint32_t high[3]);
/* The radius of a brush to begin with in it. */
uint32_t fitBrush(const uint32_t low[3], const uint32_t high[3]);
/* Voxels a second of a camera that flies through it. */
float fitSpeed(const uint32_t low[3], const uint32_t high[3]);

/* Bytes of an array that has all of it, one a voxel. */
uint64_t fitDense(const uint32_t low[3], const uint32_t high[3]);

#endif
