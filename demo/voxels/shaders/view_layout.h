/* The tracer's input, as C and GLSL see it.
 * SPDX-License-Identifier: MIT */
#ifndef VIEW_LAYOUT_H
#define VIEW_LAYOUT_H

#include "brush.h"

#if defined(__STDC__) || defined(__cplusplus) || defined(_MSC_VER)
typedef struct Vec4 {
    float x, y, z, w;
} Vec4;
#define VEC4 Vec4
typedef struct Int4 {
    int32_t x, y, z, w;
} Int4;
#define INT4 Int4
#else
#define VEC4 vec4
#define INT4 ivec4
#endif

/* The modes of a picture. */
#define VIEW_SHADED  0u
#define VIEW_FLAT    1u /* the palette's colours, just so */
#define VIEW_NORMALS 2u
#define VIEW_BRICKS  3u /* voxels, bricks and regions in different colours */
#define VIEW_LOOKUPS 4u /* lookups that the pixel's rays took, as a heat map */
#define VIEW_PROBES  5u /* probe length of the brick that is seen, as a heat map */
#define VIEW_TABLE   6u /* the brick table itself, slot by slot */
#define VIEW_LEVELS  7u /* cells of light, by their size */
#define VIEW_LEARNT  8u /* cells of light, by the samples that they have */
#define VIEW_MODES   9u
#define VIEW_MODE_NAMES \
    "shaded", "flat", "normals", "bricks", "lookups", "probes", "table", "levels", "learnt"
/* Those that light has a part in, as bits. */
#define VIEW_LIT (1u << VIEW_SHADED | 1u << VIEW_LOOKUPS | 1u << VIEW_LEVELS | 1u << VIEW_LEARNT)

/* Bits of View.flags. */
#define VIEW_BLUE_FIRST 1u  /* order of a pixel's bytes */
#define VIEW_GROUND     2u  /* a plane that the scene stands on */
#define VIEW_ROOM       4u  /* the edges of the world box */
#define VIEW_GRID       8u  /* lines between voxels, and on the ground */
#define VIEW_CACHED     16u /* a still eye also has the cache's light: few pictures are no mean */

#define TILE 8u /* pixels a side of a workgroup's tile, which shares a start distance */

/* The cache of light: light.glsl. */
MUR_STRUCT(LightRef) {
    MurSetRef cells;
    MUR_ADDRESS payload; /* a LightCell a slot */
    MUR_ADDRESS list;    /* slots of cells that get a ray */
    MUR_ADDRESS counts; /* two LightCounts: of this frame, if its number is even, and of the next */
    MUR_U32 frame;
    MUR_U32 budget; /* rays a frame */
};

/* Of a frame, before it begins. */
MUR_STRUCT(LightCounts) {
    MUR_U32 groups[3]; /* of LIGHT_GROUP elements of the list, for an indirect dispatch */
    MUR_U32 listed;
    MUR_U32 cells;
    MUR_U32 young; /* of them */
    MUR_U32 pad[2];
};

#define LIGHT_GROUP      64u
#define LIGHT_CELL       48u /* bytes of a LightCell */
#define LIGHT_MOST_RAYS  8u  /* of a cell in a frame */
#define LIGHT_MOST_LEVEL 8u  /* a cell is 2^level voxels wide, if that is below two pixels */

/* The preview of an edit. A paste shows the copied voxels, a line its voxels, another edit its
 * outline. */
MUR_STRUCT(Preview) {
    VEC4 color;     /* w: its weight on voxels that would change; 0: nothing is shown */
    INT4 low, high; /* the edit's box, both included */
    Edit edit;
    MUR_ADDRESS clipboard; /* of a paste: as in EditBlock */
    MUR_ADDRESS marks;     /* EDIT_MARKED: a FloodBlock */
    MUR_U32 clipX, clipY, clipZ;
    MUR_U32 pad;
};

/* Positions are relative to the world voxel base, a region's corner near the eye: so that numbers
 * stay small and hence precise. */
MUR_STRUCT(View) {
    VEC4 eye;
    VEC4 right; /* scaled by half the field of view */
    VEC4 up;
    VEC4 forward;
    VEC4 sun;      /* direction towards it; w: the sine of half its apparent size */
    VEC4 sunLight; /* radiance of a white face that looks at it, and at nothing else; w: how far
                      one sees through the air, in voxels */
    VEC4 zenith;   /* radiance of the sky straight up; w: by how much voxels differ in colour */
    VEC4 horizon;  /* of its edge; w: radiance of a white voxel that gives all the light it can */
    VEC4 ground;   /* y: height of the plane; x, z, w: middle and half the width of a square that it
                      leaves out, because a terrain fills it; w 0: of no square, and no sea */
    VEC4 roomLow, roomHigh;
    VEC4 mirror; /* places of its planes, on each axis; w: bits of the axes that have one */
    INT4 base;
    INT4 changedLow, changedHigh; /* light in this box of voxels of the world is learnt again */
    Preview preview;
    LightRef light;
    MUR_U32 width, height;
    MUR_U32 still; /* pictures before this one that have shown the same from the same place */
    MUR_U32 mode;  /* VIEW_SHADED ... */
    MUR_U32 flags;
    MUR_U32 waterFirst; /* palette index of the first of 8 that reflect; 0: none */
    MUR_U32 pad;
    MUR_U32 larger;       /* each drawn pixel covers 1 + larger pixels a side of the picture */
    MUR_ADDRESS masks;    /* of the regions' bricks: 16 words a slot of the region table */
    MUR_ADDRESS pixels;   /* width * height words: the picture */
    MUR_ADDRESS sums;     /* width * height vectors: mean radiance of pictures of the same */
    MUR_ADDRESS starts;   /* a float a tile */
    MUR_ADDRESS counts;   /* a ViewCounts */
    MUR_U32 palette[256]; /* red in the lowest byte, green, blue; light that it gives: 0 to 100 */
};

/* The counts of a frame: rays of pixels and of cells together; and the cache of light. */
MUR_STRUCT(ViewCounts) {
    MUR_U32 rays;
    MUR_U32 lookups;
    MUR_U32 steps;
    MUR_U32 found;    /* lookups of cells that are there, new ones too */
    MUR_U32 inserted; /* new cells */
    MUR_U32 refused;  /* cells that found no room */
    MUR_U32 freed;    /* cells that no ray meets any more */
    MUR_U32 cells;    /* that stay */
};

MUR_STRUCT(TracePush) {
    WorldRef world;
    MUR_ADDRESS view; /* a View */
    MUR_U32 row;      /* the first that this dispatch draws, a multiple of TILE */
    MUR_U32 path;     /* of a reference: which of each pixel it traces */
};

#endif
