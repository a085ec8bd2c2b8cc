/* A run is a pager and a model of every byte of its pages. Frames in flight load, store, sum, peek,
 * pin, request and flush; a file has checkpoints. When a frame is complete, each of its results is
 * checked.
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
    uint32_t first, count; /* range of the frame's items, or of words of its lists */
} Step;

/* The memory of a frame in flight, which host and GPU share. */
typedef struct Shared {
    VisitItem items[RUN_ITEMS];
    uint32_t answers[RUN_ITEMS][VISIT_ANSWER];
    uint32_t lists[RUN_LISTED];
    MurPagerStats stats;
} Shared;

typedef struct RunFrame {
    Shared *shared;
    MurPagerUpdateFlags flags;
    Step steps[RUN_STEPS]; /* commands in the order of recording */
    uint32_t stepCount, itemCount, listed;
} RunFrame;

typedef struct Run {
    Pages pages;
    bool files;               /* whether the pager has a file */
    Disk *disk;               /* the file; NULL if there is another file, or none */
    uint64_t used[RUN_PAGES]; /* per page: the last frame that found it resident; 0: none */
    uint8_t stays[RUN_PAGES]; /* per page, 1: pinned; 2: also resident since then */
    bool seen[RUN_PAGES];     /* per page: found by a frame since the test cleared this */
    uint32_t hits, misses;    /* numbers of visits that found a resident page, and that did not */
    Frames frames;
    RunFrame flights[FRAMES_MAX];
    uint64_t frame, savedFrame, committed;
    uint32_t saved[RUN_PAGES * DISK_PAGE / 4]; /* the model when a checkpoint began */
    bool forgetful;                            /* frames ignore the pager's flags */
    bool twice;                                /* whether run_frame records two updates */
    pthread_t pumps[RUN_PUMPS];
    uint32_t pumpCount, running;
    atomic_bool stop, wrong; /* wrong: set if a thread found an error */
} Run;

/* Opens a pager with pages of DISK_PAGE bytes. before: the first frame's number - 1. */
void run_open(Run *run, Gpu *gpu, MurPagerCreateInfo info, MurPageContent content, Disk *disk,
              uint64_t before);
/* Waits for pending frames and closes the pager. */
void run_close(Run *run);

/* A case with a pager whose pages are on a disk. Its other parameters are members of
 * MurPagerCreateInfo.
 * Its body has the parameters run and disk; at the end, all pages are checked. */
#define RUN_CASE(name, ...)                                                 \
    static void name##_of(Run *run, Disk *disk);                            \
    GPU_TEST(name) {                                                        \
        static Run run;                                                     \
        Disk disk;                                                          \
        run_open_disk(&run, gpu, &disk, (MurPagerCreateInfo){__VA_ARGS__}); \
        name##_of(&run, &disk);                                             \
        run_close_disk(&run, &disk);                                        \
    }                                                                       \
    static void name##_of(Run *run, Disk *disk)
enum { RUN_DISK_PAGES = 40 };
void run_open_disk(Run *run, Gpu *gpu, Disk *disk, MurPagerCreateInfo info);
void run_close_disk(Run *run, Disk *disk);
/* Fills the disk and the model with the same content. */
void run_fill_disk(Run *run);

/* Fails the test if `right` is false. Stops the I/O threads and waits for the device first. */
void run_require(Run *run, bool right, const char *wrong);
/* Starts threads that call murProcessPagerIo repeatedly. */
void run_start_pumps(Run *run);
void run_stop_pumps(Run *run);
VkResult run_pump(Run *run, uint32_t maxPages);
MurPagerStatus run_status(const Run *run);

/* Begins a frame. Returns the index of its flight, for commands and run_send, which must follow. */
uint32_t run_begin(Run *run, uint64_t frame, bool checkpoint);
void run_add(Run *run, uint32_t at, VisitItem item);
/* Records the visits (accesses to pages) that items number `first` and later of flight `at`
 * describe. If an item stores to a page, no other item may visit this page. */
void run_visits(Run *run, uint32_t at, uint32_t first);
/* Records a command on a list of `count` pages. kind: PINS, UNPINS or REQUESTS. */
void run_list(Run *run, uint32_t at, StepKind kind, uint32_t count, const uint32_t *list);
/* Records a flush. kind: FLUSH or EVICTION. */
void run_flush(Run *run, uint32_t at, StepKind kind);
void run_paging(Run *run, uint32_t at, uint32_t maxPages);
void run_send(Run *run, uint32_t at);
/* Runs one frame: visits, then murCmdUpdatePager. */
void run_frame(Run *run, const VisitItem *items, uint32_t count, bool checkpoint);
/* Runs one frame with one visit, and waits for it. */
void run_one(Run *run, VisitItem item);
/* Waits until all frames are complete, and checks the last committed checkpoint. */
void run_drain(Run *run);

/* Runs frames that unpin all pages and sum their words, one at a time, until every page was found
 * once. checkpoint: also begins a checkpoint, and runs frames until it is committed. */
void run_visit_all(Run *run, bool checkpoint);
/* Runs frames and I/O until no checkpoint is active. run_save begins a checkpoint before. */
void run_settle(Run *run);
void run_save(Run *run);
/* Fails the test unless the disk has the checkpoint that was begun last. Requires a disk. */
void run_require_saved(Run *run);

#endif
