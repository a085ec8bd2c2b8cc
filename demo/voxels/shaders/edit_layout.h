/* Data shared by the kernels of edits and the host, in addition to the world itself.
 *
 * An edit makes a list of changes, {key, value} a brick, in a ring; commit exchanges those values
 * with the table's, which leaves the old values on the list: it is its own undo record, and
 * committing it again undoes it, once more redoes it. Bricks are never written in place, so an old
 * value stays good as long as its record does.
 * SPDX-License-Identifier: MIT */
#ifndef EDIT_LAYOUT_H
#define EDIT_LAYOUT_H

#include "brush.h"
#include "world_layout.h"

#define EDIT_MAX_BRICKS 2300000u /* that one edit may touch: a cube of radius 512 fits */
#define EDIT_RECORDS    4096u    /* undo records at most: edits, of which a stroke may have many */

/* The operation that an EditBlock describes. */
#define OPERATION_EDIT     0u
#define OPERATION_SWAP     1u /* undo, redo */
#define OPERATION_DROP_OLD 2u /* forget the oldest records */
#define OPERATION_DROP_NEW 3u /* forget the newest */
#define OPERATION_PROBE    4u /* only finds out whether an edit would change anything */

/* The GPU's picture of the operation that is running. The host writes all of it before. */
MUR_STRUCT(EditBlock) {
    MUR_ADDRESS items;     /* bricks whose voxels must be looked at: key (2 words), value, extra */
    MUR_ADDRESS ring;      /* lists of changes: key (2 words), value, unused */
    MUR_ADDRESS records;   /* start in the ring, count, pool bricks that the list holds, unused */
    MUR_ADDRESS freeList;  /* of pool bricks */
    MUR_ADDRESS masks;     /* of regions */
    MUR_ADDRESS clipboard; /* bytes, rows along x of clipRow words, then y, then z */
    MUR_ADDRESS flood;     /* a FloodBlock */
    MUR_ADDRESS source;    /* TOOL_PLACE: palette indices of bricks, 512 bytes each */
    MUR_ADDRESS result;    /* an EditResult */
    Edit edit;
    MUR_U32 operation;
    MUR_U32 record;     /* index of the operation's record; the first one to drop */
    MUR_U32 lastRecord; /* the last one to drop */
    MUR_U32 ringSize;
    MUR_U32 clipX, clipY, clipZ, clipRow;
    MUR_U32 sequence; /* 0: no report */
    MUR_U32 low[3];   /* box of bricks to plan */
    MUR_U32 high[3];  /* excluded */
    /* The GPU counts the following fields; 0 at first, except itemCount of TOOL_PLACE. */
    MUR_U32 itemCount;
    MUR_U32 dropStart, dropCount;
    MUR_U32 taken;  /* from the free list, then from the top of the pool */
    MUR_U32 pushed; /* onto the free list */
    MUR_U32 voxels; /* that were looked at, in bricks that the tool can change */
    MUR_U32 poolFailed;
    MUR_U32 tableFailed;
};

/* The report of an operation to the host. */
MUR_STRUCT(EditResult) {
    MUR_U32 voxels;
    MUR_U32 changes; /* bricks on the list */
    MUR_U32 poolFailed, tableFailed;
    MUR_U32 retained;         /* pool bricks that the record holds */
    MUR_U32 bricks, payloads; /* of the world afterwards: table entries, pool bricks not free */
    MUR_U32 sequence;         /* the block's */
};

#define PICK_NOTHING 0u
#define PICK_VOXEL   1u
#define PICK_PLANE   2u /* the host's own hit if no voxel is met: the ground, a wall */

/* The hit of a ray. */
MUR_STRUCT(Pick) {
    MUR_U32 hit;   /* PICK_*; of nothing, the rest means nothing */
    int at[3];     /* the voxel, in the world */
    int normal[3]; /* of the face; zero if the ray started in the voxel */
    MUR_U32 color;
};

MUR_STRUCT(PickPush) {
    WorldRef world;
    MUR_ADDRESS pick;
    MUR_ADDRESS masks; /* of the regions' bricks */
    float x, y, z;     /* start of the ray, in voxels of the world */
    float limit;
    float dx, dy, dz;
};

MUR_STRUCT(EditPush) {
    WorldRef world;
    MUR_ADDRESS block; /* an EditBlock */
};

/* The built-in terrain: its low corner in the world is the box's. */
MUR_STRUCT(TerrainPush) {
    WorldRef world;
    MUR_ADDRESS block;
    MUR_ADDRESS columns;      /* TerrainColumn, then TerrainTree, then heights of brick columns */
    MUR_U32 lowX, lowY, lowZ; /* in bricks */
    MUR_U32 size;             /* voxels along x and z, a multiple of 8 */
    MUR_U32 seed;
    MUR_U32 slab; /* row of bricks along z to begin with */
};

/* Bricks for the host. */
MUR_STRUCT(GatherPush) {
    WorldRef world;
    MUR_ADDRESS values; /* of the bricks to gather; others than pool indices are skipped */
    MUR_ADDRESS target; /* 512 bytes each */
    MUR_U32 first, count;
};

/* Marks: bricks that have some are keys of a table of their own, whose slots index masks. A flood
 * finds those that others lead to. */
#define FLOOD_RUNNING 0u
#define FLOOD_DONE    1u /* all found; or nothing to find */
#define FLOOD_FULL    2u /* more bricks than there is room for: nothing is marked */

#define FLOOD_MASK_WORDS 16u /* a bit a voxel: rows of 8 along x, then y, then z */

MUR_STRUCT(FloodBlock) {
    MurTableRef table;   /* key of a brick -> 1 + the last step that it was put on a list for */
    MUR_ADDRESS wanted;  /* masks by slot: voxels that a neighbour leads to */
    MUR_ADDRESS reached; /* masks by slot: marked voxels */
    MUR_ADDRESS lists[2];
    MUR_U32 listSize;
    MUR_U32 kind;   /* MARK_* */
    MUR_U32 side;   /* of MARK_FACE */
    MUR_U32 target; /* the colour to mark; 0: any */
    MUR_U32 state;  /* FLOOD_* */
    MUR_U32 bricks; /* reached */
    MUR_U32 voxels; /* marked */
    MUR_U32 low[3]; /* the box of all that is marked, both included */
    MUR_U32 high[3];
    MUR_U32 counts[3]; /* of the lists, taking turns: this step's, the next one's, a cleared one */
    MUR_U32 number;    /* of the flood, for the host */
    int x, y, z;       /* its start */
};

MUR_STRUCT(FloodPush) {
    WorldRef world;
    MUR_ADDRESS flood;
    MUR_U32 step;
};

#endif
