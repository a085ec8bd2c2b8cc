/* Makes the world that the command line asks for.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MURVOXELS_BUILD_H
#define MURVOXELS_BUILD_H

#include "model/source.h"
#include "world.h"

#include <stdio.h>

/* The memory that a world gets. 0, and of undo ROOM_FITS: what fits the source, less for a model
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

/* The room that is asked for, or that the source needs. */
WorldOptions buildOptions(const WorldRoom *room, const Source *source);
/* A world with the source in it. milliseconds: of making a terrain on the GPU; negative: it cannot
 * tell, or there is none. NULL, after one line on stderr, if something failed. */
World *buildWorld(Gpu *gpu, const WorldRoom *room, const Source *source, double *milliseconds);

/* Writes the world to a file that is open, as --save and --export do. */
bool buildSave(World *world, const Source *source, FILE *file, const char *path);
bool buildExport(World *world, const Source *source, FILE *file, const char *path);

#endif
