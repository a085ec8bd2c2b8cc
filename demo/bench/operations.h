/* The timed operations of a table, for the suites: each makes one verified row.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MURBENCH_OPERATIONS_H
#define MURBENCH_OPERATIONS_H

#include "bench.h"

/* A table, the pairs that go into it (the first half of the keys; the second half is absent), and
 * room for results. */
typedef struct Trial {
    Bench *bench;
    const char *suite;
    MurTable table;
    MurAtomicWidth width;
    uint64_t capacity;
    uint32_t pairs;
    double load;
    Pairs source;     /* 2 * pairs keys */
    GpuBuffer values; /* results */
    GpuBuffer statuses;
    GpuBuffer scratch; /* of trialBuild */
    bool ordered;      /* the table's content comes from trialBuild, and is in order */
    bool unique;       /* trialBuild makes the promise */
    GpuBuffer stats;   /* host-visible */
} Trial;

/* probeLimit as in MurTableCreateInfo. Zero-initialise the trial first; trialClose takes whatever
 * trialOpen left. */
bool trialOpen(Trial *trial, Bench *bench, const char *suite, MurAtomicWidth width,
               uint64_t capacity, uint32_t pairs, uint64_t probeLimit);
void trialClose(Trial *trial);

/* Empties the table and inserts all pairs, untimed. */
bool trialFill(Trial *trial);
/* Reads the table's statistics. */
bool trialStats(Trial *trial, MurStats *stats);

/* Timed and verified: all pairs into the empty table, without and with statuses; then, on the full
 * table, finds of all pairs and of as many absent keys; erasing half of them; finds of all after
 * that; and inserting the erased half again. All but the finds after erasing leave the table
 * full. */
bool trialInsert(Trial *trial, bool statuses);
/* The same by murCmdBuild, with the scratch memory that it asks for, without and with the promise
 * that no key comes twice. */
bool trialBuild(Trial *trial, bool unique);
bool trialFindHit(Trial *trial);
bool trialFindMiss(Trial *trial);
bool trialErase(Trial *trial);
bool trialFindAfterErase(Trial *trial);
bool trialReinsert(Trial *trial);

#endif
