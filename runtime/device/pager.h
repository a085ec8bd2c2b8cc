/* Pagers and paged tables.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MUR_PAGER_H
#define MUR_PAGER_H

#include "device.h"
#include "lock.h"

#include <murmuration/paged.h>

/* A page and the priority with which it was asked for. */
typedef struct MurListedPage {
    uint32_t page;
    uint32_t priority;
} MurListedPage;

/* Where the host is with a page of the file. */
typedef enum MurPagePlace {
    MUR_PLACE_FILE = 0,
    MUR_PLACE_QUEUED, /* it is to be read; */
    MUR_PLACE_LISTED, /* and was asked for in the last frame that the host knows */
    MUR_PLACE_THERE,  /* it is being read, or the store has it */
    MUR_PLACE_DAMAGED /* it cannot be read, today as tomorrow */
} MurPagePlace;

typedef enum MurCheckpoint {
    MUR_CHECKPOINT_NONE = 0,
    MUR_CHECKPOINT_BEGUN,   /* until its frame is completed */
    MUR_CHECKPOINT_WRITING, /* pages are held */
    MUR_CHECKPOINT_WRITTEN, /* until the next frame gives them back */
    MUR_CHECKPOINT_FAILED   /* until the next frame returns the pages */
} MurCheckpoint;

/* The file behind a store, as the host sees it. */
typedef struct MurPagerHost {
    MurPageFile file;
    MurBuffer memory; /* lists, for each frame in flight: MUR_LISTS_* */
    uint8_t *lists;
    uint64_t begun[MUR_PAGER_FRAMES_IN_FLIGHT]; /* frames whose lists are to be read yet; 0: none */
    uint64_t frame;                             /* the last begun */
    MurListedPage *sorted, *merged;             /* while a frame begins */
    MurLock lock;                               /* of what follows */
    uint8_t *places;                            /* of each page, MurPagePlace */
    MurListedPage *queue;                       /* pages to read, the next one first */
    uint32_t queued, queueAt;
    MurListedPage *ready; /* pages for the next frame */
    uint32_t readyCount, reading;
    MurCheckpoint checkpoint;
    uint32_t *held;  /* a bit a page */
    uint64_t heldAt; /* pages before are written */
    bool writing;    /* somebody has left the lock to do so */
    MurPagerStatus status;
} MurPagerHost;

struct MurPager_T {
    MurContext context;
    MurPagerShape shape;
    MurBuffer memory; /* of the library's own; else none */
    MurBuffer chunks[MUR_PAGER_CHUNKS];
    uint8_t *mapped[MUR_PAGER_CHUNKS];
    MurPagerHost *host; /* with a file; else NULL */
};

struct MurPagedTable_T {
    MurContext context;
    MurPager pager;
    MurPagedShape shape;
    MurBuffer memory; /* of the library's own; else none */
    bool read;        /* the store has what the file has of the table besides its pages */
};

/* paged_table.c. Rejects a store that does not contain the state of this table. */
VkResult mur_check_kept(MurPagedTable table, const char *function);

#endif
