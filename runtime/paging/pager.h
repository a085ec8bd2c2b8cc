/* Pagers and paged tables.
 * SPDX-License-Identifier: MIT */
#ifndef MUR_PAGER_H
#define MUR_PAGER_H

#include "../commands/check.h"
#include "plan_paging.h"

/* A page and the priority with which a shader requested it. */
typedef struct MurListedPage {
    uint32_t page;
    uint32_t priority;
} MurListedPage;

/* The state of a page of the file on the host. */
typedef enum MurPagePlace {
    MUR_PLACE_FILE = 0,
    MUR_PLACE_QUEUED, /* waits to be read */
    MUR_PLACE_LISTED, /* waits to be read, and is in the list that is being merged */
    MUR_PLACE_THERE,  /* is being read, or is in the store */
    MUR_PLACE_DAMAGED /* the file reports the page as corrupt, so it is never read again */
} MurPagePlace;

typedef enum MurCheckpoint {
    MUR_CHECKPOINT_NONE = 0,
    MUR_CHECKPOINT_BEGUN,   /* begun; its frame is not completed yet */
    MUR_CHECKPOINT_WRITING, /* the host writes the checkpoint's pages to the file */
    MUR_CHECKPOINT_WRITTEN, /* committed; the next frame releases its pages */
    MUR_CHECKPOINT_FAILED   /* failed; the next frame releases its pages as not written */
} MurCheckpoint;

/* The host's state of a pager with a file. */
typedef struct MurPagerHost {
    MurPageFile file;
    MurBuffer memory; /* lists of each frame in flight: MUR_LISTS_* */
    uint8_t *lists;
    /* Written by the GPU, for pagers that replace host pages: the host page of each page that the
     * host may access. */
    const uint32_t *map;
    uint64_t begun[MUR_PAGER_FRAMES_IN_FLIGHT]; /* frames whose lists were not read yet; 0: none */
    uint64_t frame;                             /* the last frame that was begun */
    MurListedPage *sorted, *merged;             /* scratch memory of murBeginPagerFrame */
    MurLock lock;                               /* protects all following members */
    uint8_t *places;                            /* MurPagePlace of each page */
    MurListedPage *queue;                       /* pages to read, in this order */
    uint32_t queued, queueAt;
    MurListedPage *ready; /* pages for the next frame to load */
    uint32_t readyCount, reading;
    MurCheckpoint checkpoint;
    uint32_t *held;    /* pages of the checkpoint: one bit per page */
    uint64_t heldAt;   /* pages with smaller numbers are written */
    bool writing;      /* a thread writes a page without the lock */
    bool full;         /* as of the last completed frame, changed pages have reached their limit */
    uint64_t released; /* the last frame that released a checkpoint's pages */
    MurPagerStatus status;
} MurPagerHost;

struct MurPager_T {
    MurContext context;
    MurPagerShape shape;
    MurBuffer memory; /* empty if the engine provides it */
    MurBuffer chunks[MUR_PAGER_CHUNKS];
    uint8_t *mapped[MUR_PAGER_CHUNKS];
    MurPagerHost *host; /* NULL for pagers without a file */
};

struct MurPagedTable_T {
    MurContext context;
    MurPager pager;
    MurPagedShape shape;
    MurBuffer memory; /* empty if the engine provides it */
    bool read;        /* the store has the table's state from the file */
};

/* Commands on pagers and paged tables, and the list of their arguments: paging.def. */
enum {
#define COMMAND(name, ...) MUR_PAGING_##name,
#include "paging.def"
    MUR_PAGING_COUNT
};
extern const MurCommandRow mur_paging_commands[MUR_PAGING_COUNT];
MurLister mur_list_paging;

/* pager_create.c. Return the host address of a host page, and of a page that has one. NULL: there
 * is no such host page, or it is not mapped. */
void *mur_host_page(MurPager pager, uint32_t hostPage);
void *mur_store_page(MurPager pager, uint32_t page);

/* pager.c. Rejects MUR_PAGES_IN_STORE if the store has not all pages. */
VkResult mur_check_content(MurPager pager, const char *function, MurPageContent content);

/* paged_table.c. Returns the host address of a page that stores the table itself. */
void *mur_kept_page(MurPagedTable table, uint32_t i);
/* paged_table.c. Rejects a store that does not contain the state of this table. */
VkResult mur_check_kept(MurPagedTable table, const char *function);

#endif
