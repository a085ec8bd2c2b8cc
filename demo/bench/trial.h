/* A table with its pairs, on which most suites time commands.
 * SPDX-License-Identifier: MIT */
#ifndef MURBENCH_TRIAL_H
#define MURBENCH_TRIAL_H

#include "bench.h"

#include <murmuration/tuning.h>

/* Kernel sets of a trial's tables. Each adds pipelines. */
enum { TRIAL_SCRATCH = 1, TRIAL_BUILD = 2, TRIAL_REHASH = 4, TRIAL_GROUP = 8 };

/* The method by which trialRecordFill fills the table. */
typedef enum Fill {
    FILL_DIRECT, /* clear and insert, so it is unsorted */
    FILL_ORDERED /* a build that leaves a sorted table, forced by a tuning */
} Fill;

/* A table, its pairs (the first half of the keys; the second half is absent), and memory for
 * results. */
typedef struct Trial {
    Bench *bench;
    const char *suite;
    MurTable table;
    MurTable other; /* destination of moves; suites create it */
    uint32_t made;  /* number of the bench's objects before */
    MurAtomicWidth width;
    uint64_t capacity;
    uint32_t pairs;
    uint32_t entries; /* entries of the full table; suites set fewer if keys repeat */
    uint32_t part;    /* pairs of operations on a part: half of the pairs, unless a suite sets it */
    double load;
    Pairs source;               /* 2 * pairs keys */
    GpuBuffer values, statuses; /* results */
    GpuBuffer scratch;          /* enough for each path of each command, on all pairs */
    GpuBuffer stats;            /* host-visible */
    /* The following members are set by suites. */
    Fill fill;
    MurInsertMode mode; /* the mode of inserts */
    const char *name;   /* name of rows, instead of the operation's */
    const char *keys;   /* ", " and text about keys for the variant */
    double bulk;        /* rate of the last command, for comparison with shaders; 0: none */
    bool cached;        /* keys repeat, so ceilings of random accesses do not apply */
    /* Checks the results of finding all pairs. NULL: compares with the pairs' values by index. */
    bool (*found)(const struct Trial *trial, const char *what);
    void *user;
} Trial;

/* trialWide returns whether there are 64-bit atomics, trialWidth the default width of tables. */
bool trialWide(const Bench *bench);
MurAtomicWidth trialWidth(const Bench *bench);

/* Returns a create info for tables of trials. sets: TRIAL_*. */
MurTableCreateInfo trialInfo(uint64_t capacity, MurAtomicWidth width, int sets);

/* trialOpenTable creates a table, and memory for results and scratch, but no pairs. trialOpen also
 * creates the pairs of benchPairs. The trial must be zero except for members that suites set.
 * trialClose releases all objects that were created since. */
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
/* These functions record commands. A barrier follows a clear and a fill. A fill replaces the
 * table's content by a part of the pairs. A find looks up as many keys as there are pairs, from
 * `first` on; for sets, its results are statuses. */
bool trialRecordClear(const Trial *trial);
bool trialRecordFill(const Trial *trial, uint32_t first, uint32_t count);
bool trialRecordInsert(const Trial *trial, const MurBatch *items);
bool trialRecordErase(const Trial *trial, uint32_t first, uint32_t count);
bool trialRecordFind(const Trial *trial, uint32_t first);

/* Returns whether this device can sort this table. */
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
/* Clears results, reads the state after setup, and times the run. */
bool trialTime(const Trial *trial, const Timed *timed, const char **state, Timing *timing);
/* Checks that the last find of all pairs found all pairs except the first `gone` ones. */
bool trialFound(const Trial *trial, const char *what, uint32_t gone);
/* Checks that the table contains exactly these pairs, and that each is found with its value. */
bool trialHolds(const Trial *trial, const char *what, uint32_t gone, MurStats *stats);

/* tableRow returns a row for a table, in G/s. trialRow returns a row for this table, with load and
 * width. The caller completes it. */
Row tableRow(MurTable table, const char *suite, const char *operation, const char *state,
             uint32_t count, Timing timing);
Row trialRow(const Trial *trial, const char *operation, const char *state, uint32_t count,
             Timing timing);
/* Sets the row's ceiling: reads, or compare-and-swaps of the table's width. */
bool trialCeiling(const Trial *trial, bool reads, Row *row);

#endif
