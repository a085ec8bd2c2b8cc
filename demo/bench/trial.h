/* A table with its pairs, on which most suites time commands.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MURBENCH_TRIAL_H
#define MURBENCH_TRIAL_H

#include "bench.h"

#include <murmuration/tuning.h>

/* Kernel sets of a trial's tables: each adds pipelines. */
enum { TRIAL_SCRATCH = 1, TRIAL_BUILD = 2, TRIAL_REHASH = 4, TRIAL_GROUP = 8 };

/* The method of trialRecordFill. */
typedef enum Fill {
    FILL_DIRECT, /* clear and insert: unsorted */
    FILL_ORDERED /* a build that leaves a sorted table, forced by a tuning */
} Fill;

/* A table, its pairs (the first half of the keys; the second half is absent), and memory for
 * results. */
typedef struct Trial {
    Bench *bench;
    const char *suite;
    MurTable table;
    MurTable other; /* destination of moves; created by suites */
    uint32_t made;  /* objects before */
    MurAtomicWidth width;
    uint64_t capacity;
    uint32_t pairs;
    uint32_t entries; /* of the full table: fewer if keys repeat; set by suites */
    uint32_t part;    /* pairs of operations on a part: half, unless a suite sets it */
    double load;
    Pairs source;               /* 2 * pairs keys */
    GpuBuffer values, statuses; /* results */
    GpuBuffer scratch;          /* enough for each path of each command, on all pairs */
    GpuBuffer stats;            /* host-visible */
    /* Set by suites: */
    Fill fill;
    MurInsertMode mode; /* of inserts */
    const char *name;   /* of rows, instead of the operation's */
    const char *keys;   /* ", " and text about keys for the variant */
    bool cached;        /* keys repeat, so ceilings of random accesses do not apply */
    /* Are the results of finding all pairs correct? NULL: compares with the pairs' values by
     * index. */
    bool (*found)(const struct Trial *trial, const char *what);
    void *user;
} Trial;

/* Does the device have 64-bit atomics? Returns the default width of tables. */
bool trialWide(const Bench *bench);
MurAtomicWidth trialWidth(const Bench *bench);

/* Returns a create info for tables of trials; sets: TRIAL_*. */
MurTableCreateInfo trialInfo(uint64_t capacity, MurAtomicWidth width, int sets);

/* Creates a table, memory for results and scratch, without pairs; or with the pairs of benchPairs.
 * The trial must be zero except members set by suites. trialClose releases all objects created
 * since. */
bool trialOpenTable(Trial *trial, Bench *bench, const char *suite, const MurTableCreateInfo *info,
                    uint32_t pairs);
bool trialOpen(Trial *trial, Bench *bench, const char *suite, MurTableCreateInfo info,
               uint32_t pairs);
void trialClose(const Trial *trial);

/* Returns a part of the pairs as a batch. */
MurBatch trialBatch(const Trial *trial, uint32_t first, uint32_t count);
MurArray trialArray(const GpuBuffer *buffer);
/* Gives the batch the scratch memory that the command requests for it, if any. */
void trialLend(const Trial *trial, MurCommand command, MurBatch *items);
/* Sets the context's tuning for later recordings. */
bool trialTune(const Bench *bench, const MurTuning *tuning);

/* Clears any table. */
bool tableClear(Bench *bench, MurTable table);
/* All record. Clear and fill: a barrier follows. Fill: the table's content becomes a part of the
 * pairs. Find: as many keys as there are pairs, from this key on; for sets, statuses are the
 * results. */
bool trialRecordClear(const Trial *trial);
bool trialRecordFill(const Trial *trial, uint32_t first, uint32_t count);
bool trialRecordInsert(const Trial *trial, const MurBatch *items);
bool trialRecordErase(const Trial *trial, uint32_t first, uint32_t count);
bool trialRecordFind(const Trial *trial, uint32_t first);

/* Can this device sort this table? */
bool trialCanOrder(const Trial *trial);
/* Fills the table with all pairs, untimed. */
bool trialFill(Trial *trial);
/* Reads the table's statistics. */
bool trialStats(const Trial *trial, MurStats *stats);
/* Returns the table's state after setup (NULL: unchanged), as reported by the GPU: "empty",
 * "ordered" or "unordered". */
bool trialState(const Trial *trial, bool (*setup)(Bench *bench, void *user), void *user,
                const char **state);
/* Overwrites results of earlier commands, so that results verified later are new. */
bool trialForget(const Trial *trial);
/* Clears results, reads the state after setup, and times. */
bool trialTime(const Trial *trial, const Timed *timed, const char **state, Timing *timing);
/* The last find of all pairs found all except the first `gone` ones. */
bool trialFound(const Trial *trial, const char *what, uint32_t gone);
/* The table contains exactly those pairs, each found with its value. */
bool trialHolds(const Trial *trial, const char *what, uint32_t gone, MurStats *stats);

/* Returns a row for a table, in G/s; the second for this one, with load and width; the caller
 * completes it. */
Row tableRow(MurTable table, const char *suite, const char *operation, const char *state,
             uint32_t count, Timing timing);
Row trialRow(const Trial *trial, const char *operation, const char *state, uint32_t count,
             Timing timing);
/* Adds the statistics of probes. */
void trialProbes(Row *row, const MurStats *stats);
/* Sets the row's ceiling: reads, or compare-and-swaps of the table's width. */
bool trialCeiling(const Trial *trial, bool reads, Row *row);

#endif
