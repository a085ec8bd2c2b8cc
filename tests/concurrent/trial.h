/* One trial: many invocations on one table in one dispatch, and everything that is needed to judge
 * it afterwards: what each operation did, and the table's memory.
 *
 * SPDX-License-Identifier: MIT */
#ifndef TRIAL_H
#define TRIAL_H

#include "oracle/oracle.h"
#include "support/gpu.h"

#include "storm.h"

/* The longest trial, and the most keys. */
enum { TRIAL_OPERATIONS = 16384, TRIAL_ROUNDS = 4, TRIAL_KEYS = 16384 };
/* Of a trial: fewer in the normal tier, as what trials cost is what they run. */
uint32_t trial_operations(void);

/* A group's state. The Gpu comes first, so that gpu_test_setup works on it. */
typedef struct Arena {
    Gpu gpu;
    GpuBuffer keys, values, slots, statuses, olds, tickets;
    GpuBuffer records, recordsRead; /* device-local, and where the host reads them */
    GpuBuffer image;                /* where the host reads a table's memory */
} Arena;

int arena_setup(void **state);
int arena_teardown(void **state);

typedef struct Trial {
    /* What to run. */
    const char *name;
    uint32_t mix;     /* eight operations, four bits each */
    uint32_t scheme;  /* STORM_TAGGED, ... */
    uint32_t pattern; /* STORM_SHARED, ... */
    MurReservedValue reserved;
    MurAtomicWidth width;
    bool combines;   /* MUR_COMBINE */
    bool buckets;    /* the table is, and by address */
    bool bound;      /* a bound storage buffer instead of a device address */
    bool wideShader; /* a shader with MUR_INT64_ATOMICS, which 64-bit tables need */
    bool tickets;
    bool olds; /* inserts hand back the value that was there before */
    uint32_t keyCount;
    uint32_t present;    /* every present-th key is in the table at the start. 0: none */
    uint32_t capacity;   /* 0: enough for the keys, hardly more */
    uint32_t probeLimit; /* 0: the whole table */
    uint64_t seed;

    /* How it went. The arrays live until trial_free. */
    uint32_t operations;
    uint32_t rounds;
    uint32_t *keys;
    uint32_t *initial; /* value, or the reserved value */
    StormRecord *records;
    MurTableRef ref;
    uint32_t *found; /* what murCmdFind finds under each key afterwards */
    Oracle table;    /* as it was in the end */
} Trial;

/* Makes the keys and a table that has some of them, runs the trial in the storm shader, reads back.
 */
void trial_run(Arena *arena, Trial *trial);

/* The same in two steps, for other ways to run a trial than the storm shader. */
MurTable trial_begin(Arena *arena, Trial *trial);
void trial_end(Arena *arena, Trial *trial, MurTable table);
void trial_free(Trial *trial);

/* The kernel that a trial runs, its table bound if it is to be, and the push constants. */
GpuKernel trial_kernel(Arena *arena, const Trial *trial, MurTable table);
StormPush trial_push(Arena *arena, const Trial *trial, MurTable table);

/* Compiling a storm shader takes longer than a hundred trials. So the normal tier has half of them:
 * by address those that combine are the ones with 64-bit atomics, in a bound buffer the others.
 * other: the long tier's trial is to have one of the other half. */
bool trial_combines(bool bound, bool wideShader, bool other);
/* Is the operation in the mix? */
bool trial_has(const Trial *trial, uint32_t op);
uint32_t trial_none(const Trial *trial);
/* One line that says how to run the trial again. */
void trial_describe(const Trial *trial);

/* trial_check.c: fails the test if the records and the table break the concurrency contract. */
void trial_check(const Trial *trial);

#endif
