/* The undo history: records of edits, in their order, of which some are undone together. The GPU
 * has their lists of changes; the host knows their sizes two frames later.
 *
 * Nothing of Vulkan.
 * SPDX-License-Identifier: MIT */
#ifndef MURVOXELS_HISTORY_H
#define MURVOXELS_HISTORY_H

#include "shaders/edit_layout.h"

#include <stdbool.h>
#include <stdint.h>

/* Records are numbered from 0 on; number % EDIT_RECORDS is a record's index on the GPU. */
typedef struct Record {
    uint64_t changes;  /* in the ring: as many at most, until it is known */
    uint64_t retained; /* pool bricks that it holds while it can be undone: at most */
    uint32_t sequence; /* of the edit that made it */
    uint32_t stroke;   /* records of one are undone together */
    bool known;
    Edit edit;
} Record;

/* From the oldest up to before next they can be undone, from next up to before newest redone. */
typedef struct History {
    Record records[EDIT_RECORDS];
    uint64_t oldest, next, newest;
} History;

/* Records from first up to before end. */
typedef struct Records {
    uint64_t first, end;
} Records;

/* Room that records have, or take. */
typedef struct HistoryRoom {
    uint64_t bytes, changes;
} HistoryRoom;

const Record *historyAt(const History *history, uint64_t number);
HistoryRoom historyTaken(const History *history, Records records);

/* The records that must go so that another one, which takes so much, is within the limit; those of
 * its own stroke may go one by one, others only together. */
Records historyExcess(const History *history, HistoryRoom taken, HistoryRoom limit,
                      uint32_t stroke);
/* Adds one to undo. There must be none to redo. */
void historyAdd(History *history, const Record *record);
/* Sets the size of an edit's record. */
void historyLearn(History *history, uint32_t sequence, uint64_t changes, uint64_t retained);
/* Forgets records that turned out to hold nothing, while they are the newest. */
void historyTrim(History *history);

/* Did that record change nothing? */
bool historyIsEmpty(const History *history, uint64_t number);
/* Is it known whether the last edit changed anything? */
bool historyIsKnown(const History *history);
/* The records that an undo (redo) is about, perhaps with some beside them that are empty. */
Records historyUndo(const History *history);
Records historyRedo(const History *history);
/* Their stroke; 0: there are none. */
uint32_t historyUndoStroke(const History *history);
uint32_t historyRedoStroke(const History *history);
/* Identifies this state of the world: the last edit that is not undone; 0: none. */
uint32_t historyState(const History *history);

#endif
