/* Writes bricks as a mesh of glTF 2.0 in one binary file (.glb), y up, a voxel a unit, with the
 * middle of its floor at 0. One material has all: colours and light are textures of a texel a
 * palette entry, sRGB as the palette is.
 * SPDX-License-Identifier: MIT */
#ifndef MURVOXELS_GLTF_H
#define MURVOXELS_GLTF_H

#include "bricks.h"

#include <stdio.h>

/* 136 bytes each, and a .glb file has less than 4 GiB. May be set lower when this is compiled. */
#ifndef GLTF_MAX_QUADS
#define GLTF_MAX_QUADS ((size_t)31580000)
#endif

/* Writes sorted bricks; at most GLTF_MAX_QUADS rectangles. The file must be seekable. */
BricksWritten gltfWrite(FILE *file, const BrickSet *set);

#endif
