/* A small engine with a growable table: numbered frames, some in flight, each with a batch of
 * erases, inserts and finds. A model checks all results of a frame when the frame is complete.
 * SPDX-License-Identifier: MIT */
#ifndef MUR_TEST_ENGINE_H
#define MUR_TEST_ENGINE_H

#include "support/frames.h"
#include "support/observe.h"

#include <murmuration/growable.h>

#include <pthread.h>

enum { ENGINE_FRAMES = 2048 };

/* An item is a key, identified by number. An erased item stays erased unless it is revived. */
typedef enum ItemState { ITEM_NEVER, ITEM_LIVE, ITEM_ERASED } ItemState;
typedef struct Item {
    ItemState state;
    uint32_t value;
} Item;

/* The work of a frame, in this order. */
typedef struct FramePlan {
    uint32_t erasures;              /* random items to erase, also erased ones */
    uint32_t inserts;               /* new items to insert */
    uint32_t assigns;               /* live items to assign, consecutive from a random item on */
    uint32_t finds;                 /* random items to find */
    uint32_t eraseFrom, eraseCount; /* more items to erase, by number */
    uint32_t findFrom, findCount;   /* more items to find, by number */
    uint64_t declared;              /* maxInserts to declare; 0: the actual number */
    bool revive;                    /* assigns include erased items */
} FramePlan;

/* A frame in flight. */
typedef struct Lane {
    const Flight *flight;
    uint32_t finds, inserts, firstAssign;
} Lane;

typedef struct EngineOptions {
    MurGrowableCreateInfo info; /* the engine also uses framesInFlight */
    uint32_t items;             /* maximum number of items */
    uint32_t batch;             /* maximum batch size */
    uint32_t seed;
    pthread_mutex_t *queueLock; /* NULL: no other thread uses the queue */
    bool mayFill;               /* inserts may report MUR_FULL; needs 1 frame in flight */
} EngineOptions;

typedef struct Engine {
    Gpu *gpu;
    MurContext context;
    EngineOptions options;
    MurGrowable growable;
    Frames frames;
    Lane lanes[FRAMES_MAX];
    Random random;
    Item *items;
    uint32_t made, live;
    uint64_t newPairs, full; /* full: number of inserts that reported MUR_FULL */
    uint64_t frame;
    /* live and newPairs when each frame began, to check the statistics of that frame later. */
    uint32_t liveBefore[ENGINE_FRAMES];
    uint64_t newBefore[ENGINE_FRAMES];
    bool exact;                /* whether newPairs is exact: false after an item was revived */
    MurGrowableFrameTable use; /* the table of the last frame */
    MurGrowableStatus status;
    uint64_t (*key)(uint32_t item); /* returns an item's key; NULL: keys are scattered */
    char failure[256];              /* the first failure; the engine may run in any thread */
} Engine;

void engine_open(Engine *engine, Gpu *gpu, MurContext context, const EngineOptions *options);
/* Fails the test if the engine detected a failure. */
void engine_close(Engine *engine);
/* Records and submits a frame, after it checked all frames that must be complete. */
void engine_frame(Engine *engine, const FramePlan *plan);
/* Returns the keys that the last recorded frame finds. */
MurArray engine_found_keys(const Engine *engine);
/* Waits for all frames. */
void engine_drain(Engine *engine);
/* Finds all items ever inserted, whether live or erased. */
void engine_find_all(Engine *engine);

/* ---- Growth under load, at any size --------------------------------------------------------- */

typedef struct LoadCase {
    uint32_t format;
    MurAtomicWidth width;
    uint32_t inFlight;
    uint32_t from, to; /* number of entries at start and end */
    uint32_t frames;
} LoadCase;

/* Grows a table from a capacity of about `from` to `to` entries, with erases, assigns and finds in
 * each frame. Fails the test if an entry is lost or the library waits for the GPU. */
void grow_under_load(Gpu *gpu, const LoadCase *test);

#endif
