/* What a world is built from, a model or the terrain, and what the script does to it.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MURVOXELS_SOURCE_H
#define MURVOXELS_SOURCE_H

#include "settings.h"
#include "shaders/world_layout.h"
#include "vox.h"

typedef struct Source {
    bool isTerrain;
    uint32_t terrainSize;
    uint32_t seed;
    VoxScene scene;           /* a model's voxels */
    uint32_t size[3];         /* voxels that may exist */
    uint32_t origin[3];       /* of the source in the world, a multiple of a region's 64 voxels */
    uint8_t palette[256][4];  /* red, green, blue, alpha */
    uint32_t waterFirst;      /* palette index of the first of 8 that reflect; 0: none */
    Sphere add, dig;          /* in world coordinates */
    uint32_t low[3], high[3]; /* what the picture must show, spheres included: world coordinates */
} Source;

/* Reads the model or lays out the terrain. Says in one line why it did not work. */
bool sourceOpen(const Settings *settings, Source *source);
void sourceClose(Source *source);

/* Bricks that the source and the spheres can need at most. */
uint32_t sourceMaxBricks(const Source *source);

/* terrain_palette.c */
void terrainPalette(uint8_t palette[256][4]);

#endif
