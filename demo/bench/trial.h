/* A table with the pairs that go into it: what most suites time commands on.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MURBENCH_TRIAL_H
#define MURBENCH_TRIAL_H

#include "bench.h"

#include <murmuration/tuning.h>

/* What a trial's tables are made for: each use is more pipelines. */
enum { TRIAL_SCRATCH = 1, TRIAL_BUILD = 2, TRIAL_REHASH = 4, TRIAL_GROUP = 8 };

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
    MurTable table;
    MurTable other; /* where operations that move the entries take them; suites make it */
    uint32_t made;  /* before */
    MurAtomicWidth width;
    uint64_t capacity;
    uint32_t pairs;
    uint32_t entries; /* of the full table: fewer where keys repeat; suites say so */
    uint32_t part; /* pairs of operations that are not on all: half, if a suite says nothing else */
    double load;
    Pairs source;               /* 2 * pairs keys */
    GpuBuffer values, statuses; /* results */
    GpuBuffer scratch;          /* enough for each way of each command, on all pairs */
    GpuBuffer stats;            /* host-visible */
    /* Set by suites as they go: */
    Fill fill;
    MurInsertMode mode; /* of inserts */
    const char *name;   /* of rows, instead of the operation's */
    const char *keys;   /* ", " and what the variant says of the keys */
    bool cached;        /* keys repeat, so that no ceiling of random places applies */
    /* Are the results of finding all pairs right? NULL: they are the pairs' by index. */
    bool (*found)(const struct Trial *trial, const char *what);
    void *user;
} Trial;

/* Has the device 64-bit atomics? And the width that tables have by default. */
bool trialWide(const Bench *bench);
MurAtomicWidth trialWidth(const Bench *bench);

/* What tables of trials are made like; sets: TRIAL_*. */
MurTableCreateInfo trialInfo(uint64_t capacity, MurAtomicWidth width, int sets);

/* A table, room for results and scratch, without pairs; the same with the pairs of benchPairs.
 * The trial is zero but for what suites set. trialClose releases all that was made since. */
bool trialOpenTable(Trial *trial, Bench *bench, const char *suite, const MurTableCreateInfo *info,
                    uint32_t pairs);
bool trialOpen(Trial *trial, Bench *bench, const char *suite, MurTableCreateInfo info,
               uint32_t pairs);
void trialClose(const Trial *trial);

/* A part of the pairs as a batch. */
MurBatch trialBatch(const Trial *trial, uint32_t first, uint32_t count);
MurArray trialArray(const GpuBuffer *buffer);
/* Lends the batch the scratch memory that the command asks for with it: none, if it asks for
 * none. */
void trialLend(const Trial *trial, MurCommand command, MurBatch *items);
/* Sets the tuning of the context, for what is recorded from now on. */
bool trialTune(const Bench *bench, const MurTuning *tuning);

/* Clears any table. */
bool tableClear(Bench *bench, MurTable table);
/* Record. Clear and fill: a barrier follows. Fill: the table's content becomes a part of the pairs.
 * Find: as many as there are pairs, from this key on; of sets the statuses tell. */
bool trialRecordClear(const Trial *trial);
bool trialRecordFill(const Trial *trial, uint32_t first, uint32_t count);
bool trialRecordInsert(const Trial *trial, const MurBatch *items);
bool trialRecordErase(const Trial *trial, uint32_t first, uint32_t count);
bool trialRecordFind(const Trial *trial, uint32_t first);

/* Can this device put this table in order? */
bool trialCanOrder(const Trial *trial);
/* Fills the table with all pairs, untimed. */
bool trialFill(Trial *trial);
/* Reads the table's statistics. */
bool trialStats(const Trial *trial, MurStats *stats);
/* "empty", "ordered" or "unordered": what the GPU says of the table after setup (NULL: as it
 * is). */
bool trialState(const Trial *trial, bool (*setup)(Bench *bench, void *user), void *user,
                const char **state);
/* Overwrites results of earlier commands: what is verified after this was written after this. */
bool trialForget(const Trial *trial);
/* That; the state after setup; and then the time. */
bool trialTime(const Trial *trial, const Timed *timed, const char **state, Timing *timing);
/* The last find of all pairs found all but the first ones, which are gone. */
bool trialFound(const Trial *trial, const char *what, uint32_t gone);
/* The table holds exactly those pairs, each found with its value. */
bool trialHolds(const Trial *trial, const char *what, uint32_t gone, MurStats *stats);

/* A row on a table, in G/s, and on this one with its load and width; the caller adds to it. */
Row tableRow(MurTable table, const char *suite, const char *operation, const char *state,
             uint32_t count, Timing timing);
Row trialRow(const Trial *trial, const char *operation, const char *state, uint32_t count,
             Timing timing);
/* What statistics say of probes. */
void trialProbes(Row *row, const MurStats *stats);
/* Gives the row the ceiling of its accesses: reads, or compare-and-swaps of the table's width. */
bool trialCeiling(const Trial *trial, bool reads, Row *row);

#endif
