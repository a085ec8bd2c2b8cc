/* The source of a world: the terrain, a model, a saved world, or nothing.
 * SPDX-License-Identifier: MIT */
#ifndef MURVOXELS_SOURCE_H
#define MURVOXELS_SOURCE_H

#include "bricks.h"
#include "shaders/world_layout.h"

enum { TERRAIN_LEAST = 64, TERRAIN_MOST = 4096, EMPTY_MOST = 8192 }; /* voxels along a side */

/* Which of them; of vox, load and emptySize one at most is set, and without any it is the
 * terrain. */
typedef struct SourceOptions {
    const char *vox;      /* a .vox file */
    const char *load;     /* a saved world */
    uint32_t emptySize;   /* side of the shown part of an empty world; 0: not empty */
    uint32_t terrainSize; /* 0: 512 */
    uint32_t seed;
} SourceOptions;

typedef struct Source {
    bool isTerrain;
    uint32_t box; /* side of the box of a world that began empty; 0: it did not */
    uint32_t terrainSize;
    uint32_t seed;
    BrickSet set;             /* a model's or a saved world's bricks, sorted; the colours of all */
    uint32_t size[3];         /* voxels that may exist */
    uint32_t origin[3];       /* the origin of replays: the low corner */
    uint32_t waterFirst;      /* palette index of the first of 8 that reflect; 0: none */
    uint32_t low[3], high[3]; /* the box that the picture must show: world coordinates */
    uint32_t mirror;      /* axes that mirrors are on in, and twice where each plane is, as for */
    int32_t mirrorSum[3]; /* editMirrored; at first in the middle of low and high */
    char omitted[256];    /* the parts of the file that were left out, in words; empty: none */
} Source;

/* Reads the file or lays out the terrain. Says in one line why it did not work. */
bool sourceOpen(const SourceOptions *options, Source *source);
void sourceClose(Source *source);

/* terrain_palette.c */
void terrainPalette(uint8_t palette[256][4]);

#endif
