/* A paged table in host-visible memory, and a model of its content. The model is a table without
 * pages, to which each write is applied immediately.
 * SPDX-License-Identifier: MIT */
#ifndef PAGED_TEST_PAGED_H
#define PAGED_TEST_PAGED_H

#include "oracle/oracle.h"
#include "support/disk.h"
#include "support/gpu.h"

#include <murmuration/host.h>
#include <murmuration/paged.h>

#include "calls.h"

typedef struct PagedOptions {
    MurPagedTableCreateInfo info;
    uint32_t pageCount, pageSize, poolPageCount, framesInFlight;
    uint32_t chunkPages;
    /* Number of host pages besides those of pool and table; 0: each page has a host page. */
    uint32_t hostExtra;
    uint32_t keyCount;
    uint32_t partitionKeys;  /* keys per partition by key; 0: random keys */
    bool stays;              /* the pool has a place for every page, so all stay resident */
    const MurPageFile *file; /* optional; a new file, or if `reopens` is set a file with a table */
    bool reopens;
} PagedOptions;

enum { PAGED_PARTITIONS = 64, PAGED_ROOM = 8192, PAGED_RUBBISH = 0xA5 };

/* A key of the model. */
typedef struct PagedKey {
    uint64_t key;
    uint32_t name;
    bool present;
    uint64_t value;
    uint32_t item; /* 1 + the index of this key's item in the frame; 0: none */
    bool noted;    /* written since the last update; the order of more writes is undefined */
} PagedKey;

typedef struct Paged {
    Gpu *gpu;
    PagedOptions options;
    MurPager pager;
    MurPagedTable table;
    GpuBuffer memory; /* memory of the table */
    GpuBuffer items, arguments, stats, pagerStats;
    GpuBuffer batch, scratch; /* arrays and scratch memory of bulk commands */
    GpuKernel kernel;
    PagedKey *keys;
    uint32_t itemCount, lastCount, frame, pending; /* lastCount: items of the last paged_run */
    Oracle oracle;                                 /* contains one key at a time */
    uint64_t none;
    uint64_t answered, notResident, noted, refused;        /* numbers of items with these results */
    uint32_t partitions[PAGED_PARTITIONS], partitionCount; /* partitions with inserted keys */
    /* The following members are for tables with a file. */
    bool checkpoint;      /* true to begin a checkpoint in the next update unless one is active */
    uint32_t checkpoints; /* number of checkpoints that were begun */
    uint32_t pump; /* pages that murProcessPagerIo may process after each murCmdUpdatePagedTable */
    MurPagerUpdateFlags flags; /* flags of the last frame */
    bool adopts;               /* the next update copies the table's counts to the model */
    bool again; /* the next update belongs to the same frame and has the same flags */
    struct Paged *begun,
        *committed;          /* optional: models at the last begun and committed checkpoint */
    uint64_t checkpointSeen; /* frame of the checkpoint in `committed` */
} Paged;

/* A table with a file on a disk, and the models at its last begun and committed checkpoint. */
typedef struct PagedFile {
    Disk disk;
    MurPageFile file;
    Paged paged, begun, committed;
} PagedFile;

void paged_file_open(PagedFile *on, Gpu *gpu, PagedOptions options);
/* Opens a new table from the file after a power loss, which must have this state. */
void paged_file_reopen(PagedFile *on, const Paged *state);
void paged_file_close(PagedFile *on);

/* Shared by paged.c and batches.c. paged_check_items compares the results of items. bulk: inserts
 * return no previous value. paged_see_entry marks an entry as found by an extract. paged_check_seen
 * requires that all entries are marked. */
void paged_check_items(Paged *paged, bool bulk);
void paged_see_entry(Paged *paged, uint64_t key, uint64_t value);
void paged_check_seen(Paged *paged, uint32_t entries);

Paged paged_open(Gpu *gpu, const PagedOptions *options);
void paged_close(Paged *paged);
/* Sets paged->committed to the model of the last committed checkpoint. */
void paged_see_commit(Paged *paged);
/* Copies the model to state. Allocates state->keys if it is NULL. */
void paged_note(Paged *state, const Paged *paged);
/* Sets the model to this state, after the table was reopened from a file with the state. */
void paged_resume(Paged *paged, const Paged *state);

/* Adds an item to the next frame. Does nothing if the frame already has an item with this key, or
 * if a write of the key is waiting for murCmdUpdatePagedTable. */
void paged_add(Paged *paged, uint32_t key, uint32_t verb, uint64_t value);
/* Adds an item for each of these keys, whose value is the sum of the key number and `value`. */
void paged_add_keys(Paged *paged, uint32_t first, uint32_t count, uint32_t verb, uint64_t value);
/* Runs the items and compares every result with the model. */
void paged_run(Paged *paged);
/* Runs the items with this verb by a bulk command, and removes all other items. ownPages: maximum
 * number of pages in the command's scratch memory. */
void paged_run_bulk(Paged *paged, uint32_t verb, uint32_t ownPages);
/* Runs the items by murCmdPagedBuild, which replaces the content of the table. */
void paged_build(Paged *paged, uint32_t mode, uint32_t ownPages);
void paged_clear(Paged *paged, MurPageContent content);
/* Extracts all entries, `pages` pages at a time, and compares them with the model. Requires that no
 * write is pending. */
void paged_extract(Paged *paged, uint32_t pages);
/* Counts entries whose value has this bit, by a predicate. */
uint32_t paged_count(Paged *paged, uint32_t bit);
/* Runs a rehash. Returns the number of pages that it split. left: output, the number of pages that
 * another rehash must still split. */
uint32_t paged_rehash(Paged *paged, uint32_t ownPages, uint32_t *left);
/* Runs murCmdUpdatePagedTable. */
void paged_page(Paged *paged, uint32_t maxPages);
const MurPagedStats *paged_stats(const Paged *paged);
/* Calls paged_page until no write is pending. */
void paged_drain(Paged *paged);
/* Compares the content of the pages, read by the host, with the model. No write may be pending. */
void paged_check(Paged *paged);
/* Looks all keys up until exactly the keys of the model have been found. */
void paged_check_finds(Paged *paged);
uint64_t paged_random_value(const Paged *paged, Random *random);
/* Adds items with random keys, most of them near each other. Some items have invalid values or
 * unsupported verbs. */
void paged_add_random(Paged *paged, Random *random, uint32_t count);
/* Runs at most `items` random items, by calls or by a bulk command. On average, one of `rehashes`
 * frames has a rehash. */
void paged_random_frame(Paged *paged, Random *random, uint32_t items, uint32_t rehashes);

#endif
