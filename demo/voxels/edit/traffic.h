/* The data between host and device in frames: operations, each between two timestamps, their
 * reports, picks and counts. All of it arrives two frames later.
 * SPDX-License-Identifier: MIT */
#ifndef MURVOXELS_TRAFFIC_H
#define MURVOXELS_TRAFFIC_H

#include "common/gpu_frames.h"
#include "step.h"

/* The timestamps from this on are the world's in each frame. */
enum { WORLD_FIRST_TIMESTAMP = 16, WORLD_FRAME_OPERATIONS = 6 };

typedef enum WorldEvent { WORLD_EDITED, WORLD_UNDONE, WORLD_REDONE, WORLD_MARKED } WorldEvent;

typedef struct WorldReport {
    WorldEvent event;
    Edit edit;
    uint64_t frame;       /* of GpuFrames.count */
    double milliseconds;  /* on the GPU, dispatches and barriers; negative: not measured */
    uint32_t voxels;      /* that were looked at, or are marked */
    uint32_t edits;       /* that were undone or redone; else 1 */
    uint32_t changes;     /* bricks changed; of the last one that was undone or redone */
    uint32_t poolFailed;  /* bricks that were left as they were: the pool was full (--pool-mib), */
    uint32_t tableFailed; /* the table was (--table-slots): the edit is partial */
    bool floodFull;       /* there was too much to mark, and nothing is (--flood-bricks) */
} WorldReport;

/* The results of a frame for the host. */
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
    bool probe;      /* only finds out if event would change anything */
    uint32_t edits;  /* that are undone or redone */
    uint64_t bricks; /* that it can touch at most */
    uint32_t sequence;
} Operation;

typedef struct FrameWork {
    Operation operations[WORLD_FRAME_OPERATIONS];
    uint32_t count;
    uint64_t frame;
    uint64_t clock; /* the store's, at its end */
    uint32_t moves; /* counted: how often the table had moved by then */
    bool picked, flooded, counted;
} FrameWork;

enum {
    WORLD_WORDS = 128,
    WORLD_REPORTS = WORLD_FRAME_OPERATIONS + 1, /* of a frame: and of a mark */
    WORLD_READBACKS = GPU_FRAMES + 1            /* the last one: outside of frames */
};

typedef struct Traffic {
    GpuFrames *frames; /* while one is open */
    FrameWork work[GPU_FRAMES];
    uint32_t sequence;
    uint64_t coming; /* bricks that operations in flight can touch */
    WorldReport reports[WORLD_REPORTS];
    uint32_t reportCount, reportsTaken;
    EditResult last; /* the newest result */
    Pick pick;
    MurStats stats;
    uint32_t statsMoves; /* how often the table of stats had moved by then */
} Traffic;

/* The open frame, or the data that has arrived; outside of frames, the last. */
FrameWork *trafficWork(Traffic *traffic);
const Readback *trafficArrived(const Traffic *traffic, const Store *store);
/* A step's block, whose result arrives if the sequence is not 0. */
EditBlock trafficBlock(const Traffic *traffic, const Store *store, uint32_t operation,
                       const Edit *edit, uint64_t record, uint32_t sequence);

/* bricks: that it can touch at most; inserts: of them, that can appear. NULL: the frame is full.
 * The brick table has room then, or is as large as it may be. */
Operation *trafficBegin(Traffic *traffic, Store *store, WorldEvent event, const Edit *edit,
                        uint64_t bricks, uint64_t inserts);
void trafficEnd(Traffic *traffic, Store *store);

/* Sends a buffer's contents to a place of the Readback. */
void trafficSend(Traffic *traffic, Store *store, WorldBufferName from, size_t size, size_t to);
/* Sends a ray from a place in voxels of the world; direction of length 1. otherwise: the result
 * if there is no voxel within the limit. */
void trafficPick(Traffic *traffic, Store *store, const float origin[3], const float direction[3],
                 float limit, const Pick *otherwise);
/* Counts the brick table's slots. */
bool trafficStats(Traffic *traffic, Store *store);

/* Takes all results that have arrived, except those of operations. */
void trafficTake(Traffic *traffic, Store *store);
/* Takes the result of an operation of the frame and returns its report. */
WorldReport trafficResult(Traffic *traffic, const Store *store, uint32_t operation);
void trafficReport(Traffic *traffic, const WorldReport *report);
/* Describes the part of an operation that failed; false: no part did. */
bool trafficTrouble(const WorldReport *report, char words[WORLD_WORDS]);
/* The next one of this frame; false: none. */
bool trafficNext(Traffic *traffic, WorldReport *report);

#endif
