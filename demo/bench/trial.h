/* A table with the pairs that go into it: what most suites time commands on.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MURBENCH_TRIAL_H
#define MURBENCH_TRIAL_H

#include "bench.h"

#include <murmuration/tuning.h>

/* What a trial's tables are made for: each use is more pipelines. */
enum { TRIAL_SCRATCH = 1, TRIAL_BUILD = 2, TRIAL_REHASH = 4 };

/* How trialRecordFill fills the table. */
typedef enum Fill {
    FILL_DIRECT, /* clear and insert: in no order */
    FILL_ORDERED /* a build that leaves the table in order, by a tuning that makes it do so */
} Fill;

/* A table, its pairs (the first half of the keys; the second half is absent), and room for
 * results. */
typedef struct Trial {
    Bench *bench;
    const char *suite;
    int uses; /* TRIAL_*, set by suites before they open it */
    MurTable table;
    MurTable other; /* where operations that move the entries take them; suites make it */
    MurAtomicWidth width;
    uint64_t capacity;
    uint32_t pairs;
    uint32_t part; /* pairs of operations that are not on all: half, if a suite says nothing else */
    double load;
    Fill fill;        /* set by suites before they fill */
    Pairs source;     /* 2 * pairs keys */
    GpuBuffer values; /* results */
    GpuBuffer statuses;
    GpuBuffer scratch; /* enough for each way of each command, on all pairs */
    GpuBuffer stats;   /* host-visible */
} Trial;

/* The width that tables have by default. */
MurAtomicWidth trialWidth(const Bench *bench);

/* What the trial's tables are made like. */
MurTableCreateInfo trialInfo(const Trial *trial, uint64_t capacity, MurAtomicWidth width);

/* A table, room for results and scratch, without pairs; the same with the pairs of benchPairs.
 * The trial is zero but for its uses; trialClose takes whatever they left. */
bool trialOpenTable(Trial *trial, Bench *bench, const char *suite, const MurTableCreateInfo *info,
                    uint32_t pairs);
bool trialOpen(Trial *trial, Bench *bench, const char *suite, MurAtomicWidth width,
               uint64_t capacity, uint32_t pairs);
void trialClose(Trial *trial);

/* A part of the pairs as a batch. */
MurBatch trialBatch(const Trial *trial, uint32_t first, uint32_t count);
MurArray trialArray(const GpuBuffer *buffer);
/* Lends the batch the scratch memory that the command asks for with it: none, if it asks for
 * none. */
void trialLend(const Trial *trial, MurCommand command, MurBatch *items);
/* Sets the tuning of the context, for what is recorded from now on. */
bool trialTune(const Bench *bench, const MurTuning *tuning);

/* Record. Fill: the table's content becomes a part of the pairs; a barrier follows. */
bool trialRecordClear(const Trial *trial);
bool trialRecordFill(const Trial *trial, uint32_t first, uint32_t count);
bool trialRecordInsert(const Trial *trial, const MurBatch *items);
bool trialRecordFind(const Trial *trial, uint32_t first);

/* Can this device put this table in order? */
bool trialCanOrder(const Trial *trial);
/* Fills the table with all pairs, untimed. */
bool trialFill(const Trial *trial);
/* Reads the table's statistics. */
bool trialStats(const Trial *trial, MurStats *stats);
/* "empty", "ordered" or "unordered": what the GPU says of the table after setup (NULL: as it
 * is). */
bool trialState(const Trial *trial, bool (*setup)(Bench *bench, void *user), void *user,
                const char **state);
/* Overwrites results of earlier commands: what is verified after this was written after this. */
bool trialForget(const Trial *trial);
/* The table holds exactly the pairs, each found with its value. */
bool trialHoldsPairs(const Trial *trial, const char *operation);

/* A row on this table, in G/s; the caller adds to it. */
Row trialRow(const Trial *trial, const char *operation, const char *state, uint32_t count,
             Timing timing);

#endif
