/* A paged table in memory that the test sees, and a model of what is in it: a table without pages,
 * to which every write is done at once.
 *
 * SPDX-License-Identifier: MIT */
#ifndef PAGED_TEST_PAGED_H
#define PAGED_TEST_PAGED_H

#include "oracle/oracle.h"
#include "support/gpu.h"

#include <murmuration/host.h>
#include <murmuration/paged.h>

#include "calls.h"

typedef struct PagedOptions {
    MurPagedTableCreateInfo info;
    uint32_t pageCount, pageSize, pageFrameCount, framesInFlight;
    uint32_t chunkPages;
    uint32_t keyCount;
    uint32_t partitionKeys;  /* keys of a partition, by shift; 0: keys are anything */
    bool stays;              /* all is resident */
    const MurPageFile *file; /* optional; it is new, or has a table, which is taken up */
    bool reopens;
} PagedOptions;

enum { PAGED_PARTITIONS = 64, PAGED_ROOM = 8192, PAGED_RUBBISH = 0xA5 };

/* A key of the model. */
typedef struct PagedKey {
    uint64_t key;
    uint32_t name;
    bool present;
    uint64_t value;
    uint32_t item; /* 1 + the item of this frame that is about it */
    bool noted;    /* a write of it has been since the last murCmdPageTable, in any order */
} PagedKey;

typedef struct Paged {
    Gpu *gpu;
    PagedOptions options;
    MurPager pager;
    MurPagedTable table;
    GpuBuffer memory; /* of the table */
    GpuBuffer items, arguments, stats, pagerStats;
    GpuBuffer batch, scratch; /* of bulk commands */
    GpuKernel kernel;
    PagedKey *keys;
    uint32_t itemCount, lastCount, frame, pending; /* lastCount: of the run before */
    Oracle oracle;                                 /* of one key at a time */
    uint64_t none;
    uint64_t answered, notResident, noted, refused;        /* items, so far */
    uint32_t partitions[PAGED_PARTITIONS], partitionCount; /* that keys were inserted into */
    /* With a file. */
    bool checkpoint;      /* the next murCmdPageTable begins one, if none is under way: */
    uint32_t checkpoints; /* so many have */
    uint32_t pump;        /* pages that murPumpPager moves behind each murCmdPageTable */
    MurPagingFlags flags; /* of the last frame */
    bool adopts;          /* the next murCmdPageTable tells what was noted and refused so far */
    bool again;           /* the next murCmdPageTable is of the same frame, with its flags */
} Paged;

/* What paged.c and batches.c share: answers of the items; an entry of a page, and that all were
 * seen, so many. bulk: of an insert the model is not told what was there. */
void paged_check_items(Paged *paged, bool bulk);
void paged_see_entry(Paged *paged, uint64_t key, uint64_t value);
void paged_check_seen(Paged *paged, uint32_t entries);

Paged paged_open(Gpu *gpu, const PagedOptions *options);
void paged_close(Paged *paged);
/* Copies the model. state->keys is allocated if it is NULL. */
void paged_note(Paged *state, const Paged *paged);
/* The table has been reopened from a file that has it in this state. */
void paged_resume(Paged *paged, const Paged *state);

/* An item for the next frame: a key has one a frame at most, and none between a write that is
 * pending and murCmdPageTable; others are passed over. */
void paged_add(Paged *paged, uint32_t key, uint32_t verb, uint64_t value);
/* Runs the items and compares every answer with the model's. */
void paged_run(Paged *paged);
/* The same by a bulk command: of the items those of this verb, the others are dropped. ownPages: of
 * the command, at most. */
void paged_run_bulk(Paged *paged, uint32_t verb, uint32_t ownPages);
/* Likewise, into a table that has nothing else, by murCmdPagedBuild. */
void paged_build(Paged *paged, uint32_t mode, uint32_t ownPages);
/* murCmdClearPagedTable. */
void paged_clear(Paged *paged, MurPageContent content);
/* Takes all entries out, so many pages at a time, and compares them with the model's. Nothing may
 * be pending. */
void paged_extract(Paged *paged, uint32_t pages);
/* Entries whose value has this bit, by a predicate. */
uint32_t paged_count(Paged *paged, uint32_t bit);
/* Returns how many pages have split; *left: have not. */
uint32_t paged_rehash(Paged *paged, uint32_t ownPages, uint32_t *left);
/* murCmdPageTable. */
void paged_page(Paged *paged, uint32_t maxPages);
const MurPagedStats *paged_stats(const Paged *paged);
/* Pages until nothing is pending. */
void paged_drain(Paged *paged);
/* What is in the pages, read by the host, is what the model has. Nothing may be pending. */
void paged_check(Paged *paged);
/* Looks keys up until all were found that the model has, and no others. */
void paged_check_finds(Paged *paged);
/* A verb that the table offers, and a value for it. */
uint32_t paged_random_verb(const Paged *paged, Random *random);
uint64_t paged_random_value(const Paged *paged, Random *random);
/* Items of random keys, most of a neighbourhood; some values are reserved, some verbs not offered.
 */
void paged_add_random(Paged *paged, Random *random, uint32_t count);
/* Runs random items, at most as many as given, by calls or by a bulk command. One in rehashes
 * frames has a rehash. */
void paged_random_frame(Paged *paged, Random *random, uint32_t items, uint32_t rehashes);

#endif
