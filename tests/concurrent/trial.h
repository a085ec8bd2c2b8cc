/* One trial: many invocations on one table in one dispatch, and the data to judge it afterwards:
 * the result of each operation, and table memory.
 * SPDX-License-Identifier: MIT */
#ifndef TRIAL_H
#define TRIAL_H

#include "oracle/oracle.h"
#include "support/gpu.h"

#include "storm.h"

/* Largest numbers in a trial: of operations, operations per invocation, keys. */
enum { TRIAL_OPERATIONS = 16384, TRIAL_ROUNDS = 4, TRIAL_KEYS = 16384 };
/* Operations per trial: fewer in the normal tier, because they determine its duration. */
uint32_t trial_operations(void);

/* The fixture of a case: the device, and buffers for one trial (many operations at once). */
typedef struct Arena {
    Gpu gpu;
    GpuBuffer keys, values, slots, statuses, olds, tickets;
    GpuBuffer records, recordsRead; /* device-local, and a copy for the host */
    GpuBuffer image;                /* a copy of table memory for the host */
} Arena;

int arena_setup(void **state);
int arena_teardown(void **state);

typedef struct Trial {
    /* The parameters of a trial. */
    const char *name;
    uint32_t mix;     /* eight operations, four bits each */
    uint32_t scheme;  /* STORM_TAGGED, ... */
    uint32_t pattern; /* STORM_SHARED, ...: choice of keys */
    MurEmptyValue reserved;
    MurAtomicWidth width;
    bool combines;   /* MUR_SUBGROUP_COMBINE */
    bool buckets;    /* the table is bucketed, accessed by address */
    bool bound;      /* a bound storage buffer instead of a device address */
    bool wideShader; /* a shader with MUR_INT64_ATOMICS, which 64-bit tables need */
    bool tickets;
    bool olds; /* inserts return previous values */
    uint32_t keyCount;
    uint32_t present;    /* every present-th key is initially present; 0: none */
    uint32_t capacity;   /* of the table; 0: just enough for the keys */
    uint32_t probeLimit; /* of the table; 0: all slots */
    uint64_t seed;

    /* The results of a trial. The arrays live until trial_free. */
    uint32_t operations;
    uint32_t rounds;
    uint32_t *keys;
    uint32_t *initial; /* value of each key before the storm; the empty value: absent */
    StormRecord *records;
    MurTableRef ref;
    uint32_t *found; /* results of murCmdFind for each key afterwards */
    Oracle table;    /* the table's final state */
} Trial;

/* Creates keys and a table with some of the keys, runs the storm shader, reads the results back. */
void trial_run(Arena *arena, Trial *trial);

/* Create the table, and read the results. For trials that do not run the storm shader. */
MurTable trial_begin(Arena *arena, Trial *trial);
void trial_end(Arena *arena, Trial *trial, MurTable table);
void trial_free(Trial *trial);

/* Return the storm kernel and its push constants. If trial->bound, the kernel has a bound table. */
GpuKernel trial_kernel(Arena *arena, const Trial *trial, MurTable table);
StormPush trial_push(Arena *arena, const Trial *trial, MurTable table);

/* Returns whether the shader has MUR_SUBGROUP_COMBINE. A shader takes longer to compile than a
 * hundred trials, so the normal tier combines in half of them: by address with 64-bit atomics, in
 * bound buffers without. The long tier runs both: other selects the opposite. */
bool trial_combines(bool bound, bool wideShader, bool other);
bool trial_has(const Trial *trial, uint32_t op);
uint32_t trial_none(const Trial *trial);
/* Prints one line with all parameters of the trial. */
void trial_describe(const Trial *trial);

/* trial_check.c: fails the test if the records and the table break the concurrency contract. */
void trial_check(const Trial *trial);

#endif
