/* The surface of voxels as rectangles of one colour. Nothing of Vulkan.
 * SPDX-License-Identifier: MIT */
#ifndef MURVOXELS_MESH_H
#define MURVOXELS_MESH_H

#include "bricks.h"

/* Faces of voxels that lie in one plane, look the same way and have one colour. */
typedef struct MeshQuad {
    uint32_t at[3];   /* low corner, in voxels of the world */
    uint32_t size[2]; /* along the axes after its own, in the order x, y, z, x ... */
    uint8_t face;     /* 2 * axis, plus 1 if it looks up the axis */
    uint8_t color;    /* palette index */
} MeshQuad;

typedef struct Mesh {
    MeshQuad *quads;
    size_t count, capacity;
} Mesh;

/* All faces between a voxel and none, each in one rectangle, of sorted bricks. False: no memory. */
bool meshMake(const BrickSet *set, Mesh *mesh);
void meshFree(Mesh *mesh);

#endif
