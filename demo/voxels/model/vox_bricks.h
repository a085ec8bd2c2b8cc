/* Between .vox models and bricks. Nothing of Vulkan.
 * SPDX-License-Identifier: MIT */
#ifndef MURVOXELS_VOX_BRICKS_H
#define MURVOXELS_VOX_BRICKS_H

#include "bricks.h"
#include "vox.h"

#include <stdio.h>

/* The model's voxels as sorted bricks of the world, with its low corner at origin, a corner of a
 * brick; and its palette. False: no memory. */
bool voxToBricks(const VoxScene *scene, const uint32_t origin[3], BrickSet *set);

/* Writes sorted bricks as a .vox file of version 150: models of up to 256 voxels a side, placed by
 * a scene graph, which voxRead() puts together again. At most
 * VOX_MAX_VOXELS voxels. The file must be seekable. */
BricksWritten voxWrite(FILE *file, const BrickSet *set);

#endif
