/* Makes the world that the command line asks for.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MURVOXELS_BUILD_H
#define MURVOXELS_BUILD_H

#include "model/source.h"
#include "world.h"

#include <stdio.h>

/* The memory that a world gets. */
typedef struct Room {
    uint32_t poolMib;    /* 0: 256, or what the source needs */
    uint32_t undoMib;    /* 0: no undo */
    bool hasUndoMib;     /* was given */
    uint32_t tableSlots; /* 0: 2^21, or what the source needs */
    uint32_t tableStart; /* 0: 2^18 */
    uint32_t floodBricks;
    uint32_t clipboardMib;
} Room;

/* The room that is asked for, or that the source needs. */
WorldOptions buildOptions(const Room *room, const Source *source);
/* A world with the source in it. milliseconds: of making a terrain on the GPU; negative: it cannot
 * tell, or there is none. NULL, after one line on stderr, if something failed. */
World *buildWorld(Gpu *gpu, const Room *room, const Source *source, double *milliseconds);

/* Writes the world to a file that is open, as --save and --export do. */
bool buildSave(World *world, const Source *source, FILE *file, const char *path);
bool buildExport(World *world, const Source *source, FILE *file, const char *path);

#endif
