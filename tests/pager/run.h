/* A pager and a model of every byte of its pages: frames in flight that load, store, sum, peek,
 * pin, request and flush, and a file with checkpoints. Each answer is judged when its frame is
 * completed.
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

/* The memory of a flight. */
typedef struct Shared {
    VisitItem items[RUN_ITEMS];
    uint32_t answers[RUN_ITEMS][VISIT_ANSWER];
    uint32_t lists[RUN_LISTED];
    MurPagerStats stats;
} Shared;

typedef struct RunFrame {
    Shared *shared;
    MurPagingFlags flags;
    Step steps[RUN_STEPS]; /* in their order */
    uint32_t stepCount, itemCount, listed;
} RunFrame;

typedef struct Run {
    Pages pages;
    bool files;               /* the pager has a file */
    Disk *disk;               /* the file, or NULL if it is another one */
    uint64_t used[RUN_PAGES]; /* the last frame that found the page; 0: none */
    uint8_t stays[RUN_PAGES]; /* 1: pinned; 2: and was resident since */
    bool seen[RUN_PAGES];     /* found since this was cleared */
    uint32_t hits, misses;    /* answers so far */
    Frames frames;
    RunFrame flights[FRAMES_MAX];
    uint64_t frame, savedFrame, committed;
    uint32_t saved[RUN_PAGES * DISK_PAGE / 4]; /* the model at the checkpoint that began last */
    bool forgetful; /* murCmdPage does not get the flags that it should get */
    bool twice;     /* run_frame records murCmdPage twice */
    pthread_t pumps[RUN_PUMPS];
    uint32_t pumpCount, running;
    atomic_bool stop, wrong; /* wrong: set by a thread */
} Run;

/* Pages are of DISK_PAGE bytes. before: the first frame has the next number. */
void run_open(Run *run, Gpu *gpu, const PagesOptions *options, Disk *disk, uint64_t before);
/* Frames that are pending are completed. */
void run_close(Run *run);
/* Fills disk and model alike. */
void run_fill_disk(Run *run);

/* Fails the test unless the condition is true. Pumps and the device stop first. */
void run_require(Run *run, bool right, const char *wrong);
/* Threads that call murPumpPager all the time. */
void run_start_pumps(Run *run);
void run_stop_pumps(Run *run);
VkResult run_pump(Run *run, uint32_t maxPages);
MurPagerStatus run_status(const Run *run);

/* Returns the index of the frame's flight. Commands follow, then run_send. */
uint32_t run_begin(Run *run, uint64_t frame, bool checkpoint);
void run_add(Run *run, uint32_t at, VisitItem item);
/* Runs the flight's items from the first one on. A page that is stored to has no other item. */
void run_visits(Run *run, uint32_t at, uint32_t first);
/* PINS, UNPINS or REQUESTS. */
void run_list(Run *run, uint32_t at, StepKind kind, uint32_t count, const uint32_t *list);
/* FLUSH or EVICTION. */
void run_flush(Run *run, uint32_t at, StepKind kind);
void run_paging(Run *run, uint32_t at, uint32_t maxPages);
void run_send(Run *run, uint32_t at);
/* One frame: visits, then murCmdPage. */
void run_frame(Run *run, const VisitItem *items, uint32_t count, bool checkpoint);
/* Waits for all frames and compares the checkpoint that was committed last. */
void run_drain(Run *run);

/* Unpins and sums pages, in frames of one flight, until each page was found. With a checkpoint: and
 * until one that began here is committed. */
void run_visit_all(Run *run, bool checkpoint);
/* Runs frames and pumps until no checkpoint is under way. */
void run_settle(Run *run);
/* With a disk. Fails the test unless the last checkpoint is the one that began last. */
void run_require_saved(Run *run);

#endif
