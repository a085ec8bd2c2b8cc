/* A pager and a model of every byte of its pages: frames in flight that load, store, sum, peek,
 * pin, request and flush, and a file with checkpoints. Each result is judged when its frame is
 * complete.
 *
 * SPDX-License-Identifier: MIT */
#ifndef PAGER_TEST_RUN_H
#define PAGER_TEST_RUN_H

#include "pages.h"

#include "support/disk.h"
#include "support/frames.h"

#include <pthread.h>
#include <stdatomic.h>

enum { RUN_PAGES = 100, RUN_STEPS = 16, RUN_ITEMS = 256, RUN_LISTED = 512, RUN_PUMPS = 2 };

/* A command of a frame. */
typedef enum StepKind { VISITS, PAGING, PINS, UNPINS, REQUESTS, FLUSH, EVICTION } StepKind;
typedef struct Step {
    StepKind kind;
    uint32_t first, count; /* of items, or of words of lists */
} Step;

/* The memory of a frame in flight. */
typedef struct Shared {
    VisitItem items[RUN_ITEMS];
    uint32_t answers[RUN_ITEMS][VISIT_ANSWER];
    uint32_t lists[RUN_LISTED];
    MurPagerStats stats;
} Shared;

typedef struct RunFrame {
    Shared *shared;
    MurPagerUpdateFlags flags;
    Step steps[RUN_STEPS]; /* in order */
    uint32_t stepCount, itemCount, listed;
} RunFrame;

typedef struct Run {
    Pages pages;
    bool files;               /* the pager has a file */
    Disk *disk;               /* the file, or NULL for a different one */
    uint64_t used[RUN_PAGES]; /* the last frame that found the page; 0: none */
    uint8_t stays[RUN_PAGES]; /* 1: pinned; 2: and resident since then */
    bool seen[RUN_PAGES];     /* found since this was cleared */
    uint32_t hits, misses;    /* results so far */
    Frames frames;
    RunFrame flights[FRAMES_MAX];
    uint64_t frame, savedFrame, committed;
    uint32_t saved[RUN_PAGES * DISK_PAGE / 4]; /* the model at the last checkpoint begun */
    bool forgetful;                            /* murCmdUpdatePager does not receive its flags */
    bool twice;                                /* run_frame records murCmdUpdatePager twice */
    pthread_t pumps[RUN_PUMPS];
    uint32_t pumpCount, running;
    atomic_bool stop, wrong; /* wrong: set by any thread */
} Run;

/* Pages have DISK_PAGE bytes. before: number of the frame before the first one. */
void run_open(Run *run, Gpu *gpu, const PagesOptions *options, Disk *disk, uint64_t before);
/* Waits for pending frames. */
void run_close(Run *run);
/* Fills disk and model with equal content. */
void run_fill_disk(Run *run);

/* Fails the test if the condition is false, after it stopped I/O threads and the device. */
void run_require(Run *run, bool right, const char *wrong);
/* Starts threads that call murProcessPagerIo repeatedly. */
void run_start_pumps(Run *run);
void run_stop_pumps(Run *run);
VkResult run_pump(Run *run, uint32_t maxPages);
MurPagerStatus run_status(const Run *run);

/* Returns the index of the frame's flight. Commands and run_send must follow. */
uint32_t run_begin(Run *run, uint64_t frame, bool checkpoint);
void run_add(Run *run, uint32_t at, VisitItem item);
/* Runs the flight's items from `first` on. A page that is stored to must have no other item. */
void run_visits(Run *run, uint32_t at, uint32_t first);
/* PINS, UNPINS or REQUESTS. */
void run_list(Run *run, uint32_t at, StepKind kind, uint32_t count, const uint32_t *list);
/* FLUSH or EVICTION. */
void run_flush(Run *run, uint32_t at, StepKind kind);
void run_paging(Run *run, uint32_t at, uint32_t maxPages);
void run_send(Run *run, uint32_t at);
/* One frame: visits, then murCmdUpdatePager. */
void run_frame(Run *run, const VisitItem *items, uint32_t count, bool checkpoint);
/* Waits for all frames and checks the last committed checkpoint. */
void run_drain(Run *run);

/* Unpins and sums pages, in frames with one flight, until each page was found. checkpoint: and
 * until a checkpoint begun here is committed. */
void run_visit_all(Run *run, bool checkpoint);
/* Runs frames and I/O until no checkpoint is active. */
void run_settle(Run *run);
/* With a disk. Fails the test unless the last checkpoint begun is the last one on the disk. */
void run_require_saved(Run *run);

#endif
