/* A small engine around a growable table: numbered frames, some of them in flight at a time, each
 * with a batch of erasures, of inserts and of finds; and a model of what the table must hold, which
 * judges every answer when its frame is done.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MUR_TEST_ENGINE_H
#define MUR_TEST_ENGINE_H

#include "support/frames.h"
#include "support/observe.h"

#include <murmuration/growable.h>

#include <pthread.h>

enum { ENGINE_FRAMES = 2048 };

/* An item is a key; it is made once, by number, and is erased for good or comes back. */
typedef enum ItemState { ITEM_NEVER, ITEM_LIVE, ITEM_ERASED } ItemState;
typedef struct Item {
    ItemState state;
    uint32_t value;
} Item;

/* What one frame does, in this order. */
typedef struct FramePlan {
    uint32_t erasures;              /* of items at random, erased ones too */
    uint32_t inserts;               /* of items never made before */
    uint32_t upserts;               /* of live items from a random one on */
    uint32_t finds;                 /* at random */
    uint32_t eraseFrom, eraseCount; /* besides: these items */
    uint32_t findFrom, findCount;   /* besides */
    uint64_t declared;              /* maxInserts; 0: as many as there are */
    bool revive;                    /* upserts are of erased items too */
} FramePlan;

/* Of a frame in flight. */
typedef struct Lane {
    const Flight *flight;
    uint32_t finds, inserts, firstUpsert;
} Lane;

typedef struct EngineOptions {
    MurGrowableCreateInfo info; /* framesInFlight: the engine's */
    uint32_t items;             /* most that are ever made */
    uint32_t batch;             /* most items a batch */
    uint32_t seed;
    pthread_mutex_t *queueLock; /* NULL: the queue is this engine's alone */
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
    uint64_t newPairs, full; /* full: inserts that found no room */
    uint64_t frame;
    /* At the beginning of each frame, for statistics that come later. */
    uint32_t liveBefore[ENGINE_FRAMES];
    uint64_t newBefore[ENGINE_FRAMES];
    bool exact;         /* nothing has been revived, so that newPairs is known */
    MurGrowableUse use; /* of the last frame */
    MurGrowableStatus status;
    uint64_t (*key)(uint32_t item); /* NULL: scattered */
    char failure[256];              /* the first; the engine may run in any thread */
} Engine;

void engine_open(Engine *engine, Gpu *gpu, MurContext context, const EngineOptions *options);
void engine_close(Engine *engine);
/* Records and submits a frame, after the frames that must be completed before were judged. */
void engine_frame(Engine *engine, const FramePlan *plan);
/* Returns the keys of the finds of the frame that was begun last. */
MurArray engine_found_keys(const Engine *engine);
/* Waits for all frames. */
void engine_drain(Engine *engine);
/* All items that were ever made, found or not as they should be. */
void engine_find_all(Engine *engine);
/* Fails the test if anything was wrong. */
void engine_require(const Engine *engine);
void engine_fail(Engine *engine, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* ---- Growth under load, at any size --------------------------------------------------------- */

typedef struct LoadCase {
    uint32_t format;
    MurAtomicWidth width;
    uint32_t inFlight;
    uint32_t from, to; /* entries */
    uint32_t frames;
} LoadCase;

/* Grows from a capacity of about `from` to `to` entries, with erasures, upserts and finds in each
 * frame. Fails the test if an entry is lost or the library waits for the GPU. */
void grow_under_load(Gpu *gpu, const LoadCase *test);

#endif
