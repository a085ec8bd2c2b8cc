/* What the files of the world share. Nobody else includes this.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MURVOXELS_WORLD_INTERNAL_H
#define MURVOXELS_WORLD_INTERNAL_H

#include "world.h"

#include <murmuration/growable.h>

typedef enum WorldKernel {
    WORLD_BEGIN,
    WORLD_PLAN,
    WORLD_VOXELS,
    WORLD_SMOOTH,
    WORLD_COMMIT,
    WORLD_DROP,
    WORLD_FINISH,
    WORLD_COPY,
    WORLD_PICK,
    WORLD_FLOOD_BEGIN,
    WORLD_FLOOD_STEP,
    WORLD_FLOOD_PLAN,
    WORLD_TERRAIN_COLUMNS,
    WORLD_TERRAIN_PLAN,
    WORLD_TERRAIN_VOXELS,
    WORLD_COUNT,
    WORLD_GATHER,
    WORLD_KERNELS
} WorldKernel;

typedef enum WorldBufferName {
    WORLD_POOL,
    WORLD_STATE,
    WORLD_BLOCK,
    WORLD_ITEMS,
    WORLD_RING,
    WORLD_RECORDS,
    WORLD_FREE_LIST,
    WORLD_MASKS,
    WORLD_CLIPBOARD,
    WORLD_PICKED,
    WORLD_FLOOD,        /* a FloodBlock */
    WORLD_FLOOD_WANTED, /* masks */
    WORLD_FLOOD_REACHED,
    WORLD_FLOOD_LISTS,
    WORLD_STATS,    /* a MurStats */
    WORLD_READBACK, /* WORLD_READBACKS of them */
    WORLD_BUFFERS
} WorldBufferName;

/* What a frame leaves for the host. */
typedef struct Readback {
    EditResult results[WORLD_FRAME_OPERATIONS];
    Pick pick;
    FloodBlock flood;
    MurStats stats;
} Readback;

/* An operation of a frame. */
typedef struct Operation {
    WorldEvent event;
    Edit edit;
    bool probe;      /* of what event would do */
    uint32_t edits;  /* that are undone or redone */
    uint64_t bricks; /* that it can touch at most */
    uint32_t sequence;
} Operation;

typedef struct FrameWork {
    Operation operations[WORLD_FRAME_OPERATIONS];
    uint32_t count;
    uint64_t frame;
    uint64_t clock; /* the growable's last frame in this one */
    uint32_t moves; /* counted: the table was the one after so many */
    bool picked, flooded, counted;
} FrameWork;

/* An undo record: records are numbered from 0 on; number % EDIT_RECORDS is its index on the GPU. */
typedef struct Record {
    uint64_t changes;  /* in the ring: as many at most, until it is known */
    uint64_t retained; /* pool bricks that it holds while it can be undone: likewise */
    uint32_t sequence; /* of the edit that made it */
    uint32_t stroke;   /* records of one are undone together */
    bool known;
    Edit edit;
} Record;

enum {
    WORLD_REPORTS = 128,              /* that nobody has taken yet; the oldest are lost */
    WORLD_READBACKS = GPU_FRAMES + 1, /* the last one: outside of frames */
    FLOOD_STEPS = 32,                 /* a frame */
    EDIT_GROUPS = 4096,               /* workgroups at most that loop */
    TABLE_START = 1 << 18             /* slots of the brick table at first, and at least */
};

struct World {
    Gpu *gpu;
    WorldOptions options;
    uint32_t poolBricks; /* those for undo records included */
    uint32_t ringSize;
    MurGrowable growable;
    MurTable bricks; /* the growable's, at this point of the recording */
    MurTable regions, floodTable;
    GpuBuffer tables[2];
    GpuBuffer buffers[WORLD_BUFFERS];
    GpuKernel kernels[WORLD_KERNELS];
    WorldRef ref;

    GpuFrames *frames; /* between worldBeginFrame and worldEndFrame */
    uint64_t clock;    /* the growable's frames: each call that may move the table is one */
    uint64_t done;     /* of them, known to be done */
    FrameWork work[GPU_FRAMES];
    uint32_t sequence;
    WorldReport reports[WORLD_REPORTS];
    uint32_t firstReport, reportCount;
    EditResult last; /* the newest result */
    Pick pick;
    MurStats stats; /* if counted */
    bool counted;

    Record records[EDIT_RECORDS];
    uint64_t oldest, next, newest; /* records: from the oldest up to before next can be undone, from
                                    * next up to before newest can be redone */
    uint32_t stroke;               /* of records to come */
    bool probing, probed;          /* an edit waits to learn whether it changes anything; it does */
    Edit probe;
    uint64_t coming;  /* bricks that operations in flight can touch */
    uint32_t clip[3]; /* size of what was copied */
    bool flooding;
    Edit flood;
    uint32_t floodNumber, floodStep;
    uint32_t floodResult; /* FLOOD_* */
    uint32_t floodFound;  /* bricks */
};

/* world_table.c */
MurTableCreateInfo worldTableInfo(uint64_t capacity, MurReservedValue reserved, const char *name);
bool worldCreateBricks(World *world);
uint64_t worldTableBytes(const World *world); /* of the brick table */
/* Makes room in the brick table: it may be another one afterwards, so references and pushes are
 * made after this. inserts: bricks at most that appear before the next call. */
void worldGrow(World *world, uint64_t inserts);
/* All that was recorded is done. */
void worldIsIdle(World *world);

/* world_record.c */
void worldDispatch(World *world, WorldKernel kernel, const void *push, uint32_t x, uint32_t y,
                   uint32_t z);
/* An invocation an item, in workgroups of 64. */
void worldDispatchItems(World *world, WorldKernel kernel, const void *push, uint64_t items);
/* Workgroups for so many bricks, each a workgroup; if it takes too many, they loop. */
uint32_t worldGroups(uint64_t bricks, uint32_t each);
/* Between the world's work and all other, both ways. */
void worldBarrier(World *world);
/* Makes a block known to the kernels, and begins its operation. */
EditBlock worldBlock(const World *world, uint32_t operation, const Edit *edit, uint64_t record);
void worldSetBlock(World *world, const EditBlock *block);
void worldBegin(World *world, const EditBlock *block);
EditPush worldPush(const World *world);
/* What follows when the items are there: a kernel for their voxels, commit, finish. */
void worldFinishEdit(World *world, WorldKernel voxels, const void *push, uint64_t bricks);
/* Makes room for an edit's undo record, or forgets all records. */
EditAnswer worldMayEdit(const World *world, const Edit *edit, uint64_t bricks);
void worldMakeRoom(World *world, const Edit *edit, uint64_t bricks);
/* Afterwards: the record is one to undo, or is forgotten. */
void worldKeepRecord(World *world, const Edit *edit, uint64_t bricks, uint32_t sequence);
/* Operations of this frame, between two timestamps each. bricks: that it can touch at most;
 * inserts: of them, that can appear. NULL: the frame is full. The brick table has room then, or
 * is as large as it may be. */
Operation *worldBeginOperation(World *world, WorldEvent event, const Edit *edit, uint64_t bricks,
                               uint64_t inserts);
void worldEndOperation(World *world);
VkDeviceAddress worldResultAddress(const World *world);

uint64_t worldInserts(WorldEvent event, const Edit *edit, uint64_t bricks);
/* Forgets records that turned out to have changed nothing, while they are the newest. */
void worldTrim(World *world);
/* A probe has found that its edit changes something: records it. */
void worldEditProbed(World *world);

/* world_frame.c: the flood's state comes with the frame. */
void worldReadFlood(World *world);
void worldAddReport(World *world, const WorldReport *report);

/* world_flood.c */
EditAnswer worldStartFlood(World *world, const Edit *edit);
void worldContinueFlood(World *world);
void worldFloodArrived(World *world, const Readback *readback);

#endif
