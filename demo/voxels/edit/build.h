/* Makes the world of the command line.
 * SPDX-License-Identifier: MIT */
#ifndef MURVOXELS_BUILD_H
#define MURVOXELS_BUILD_H

#include "model/source.h"
#include "world.h"

#include <stdio.h>

/* A world with the source in it, in place of one before or of NULL, as worldCreate. milliseconds:
 * of making a terrain on the GPU; negative: not measured, or there is none. */
World *buildWorld(Gpu *gpu, const WorldRoom *room, const Source *source, World *before,
                  double *milliseconds);

/* Writes the world to a file that is open. buildExport: as a mesh if the path ends in .glb, else as
 * a .vox model. buildSave: as a .vox model if the path ends in .vox, else as a saved world. */
bool buildExport(World *world, const Source *source, FILE *file, const char *path);
bool buildSave(World *world, const Source *source, FILE *file, const char *path);

#endif
