/* Cases for the planner, which chooses dispatches: a device, tables and a command's arguments.
 * SPDX-License-Identifier: MIT */
#ifndef MUR_PLAN_CASE_H
#define MUR_PLAN_CASE_H

#include <murmuration/buckets.h>
#include <murmuration/group.h>
#include <murmuration/multi.h>
#include <murmuration/rows.h>
#include <paging/plan_paging.h>

#include "support/random.h"

#include <stdbool.h>

#define VERB(id, ...) VERB_##id,
typedef enum Verb {
#include "verbs.def"
    VERB_COUNT
} Verb;
#undef VERB

/* The arguments of a command in addition to its table. First come commands that bucketed tables
 * support, then other commands on tables, on pagers, and on paged tables. */
typedef enum Arguments {
    TAKES_NOTHING,
    TAKES_BATCH,
    TAKES_EXTRACT,
    TAKES_STATS,
    TAKES_FILTER,
    TAKES_AGE,
    TAKES_ROWS,
    TAKES_MOVE,
    TAKES_GROUP,
    TAKES_MULTI,
    TAKES_RETRIEVE,
    TAKES_PAGER,
    TAKES_PAGES,
    TAKES_PAGED,
    TAKES_PAGED_BATCH
} Arguments;

const char *verb_name(Verb verb);
Arguments verb_arguments(Verb verb);
/* Returns the command of a Verb (a command of the library) whose argument is a batch. */
MurCommand verb_command(Verb verb);

/* A range of memory that the command may access. */
typedef struct Memory {
    uint64_t address, size;
} Memory;
enum { CASE_MEMORY = 24 };

typedef struct PlanCase {
    Verb verb;
    MurDevice device;
    MurShape table, source;
    MurPagerShape pager;
    MurPagedShape paged;
    /* Arguments. Only those that the verb (the command) uses are set. */
    MurInsertMode mode;
    MurBatch batch;
    MurRowBatch rows;
    MurExtract extract;
    MurArray stats;
    MurEvict age;
    MurRehash rehash;
    MurGroup group;
    MurMultiRetrieve retrieve;
    MurPageContent content;
    MurFlushFlags flush;
    MurPagerUpdate paging;
    MurPageList pages;
    MurPagedTableUpdate tablePaging;
    MurPagedBatch pagedBatch;
    MurPagedExtract pagedExtract;
    MurPagedRehash pagedRehash;
    /* Options for case_give. withoutResults: batches, rehashes and merges have no result arrays. */
    bool withoutResults;
    bool hasQueries; /* a find of rows has a second array of rows to look up */
    /* The memory of all arguments, and the next unused address in it. */
    Memory memory[CASE_MEMORY];
    uint32_t memoryCount;
    uint64_t next;
} PlanCase;

MurPlan case_plan(const PlanCase *test);

/* Reserves memory for the case. Returns its address, a multiple of 4096. The next 4096 bytes or
 * more are unused. */
uint64_t case_place(PlanCase *test, uint64_t bytes);
/* Returns the index of the case's memory that contains the address, or CASE_MEMORY if none does. */
uint32_t case_memory_at(const PlanCase *test, uint64_t address);

/* Reserves memory for the command's arrays. The case must already have counts, tables and pagers.
 * dice: selects the omitted optional arrays. If it is NULL, none is omitted. */
void case_give(PlanCase *test, Random *dice);

/* Returns a random case, which depends only on the seed. Its batches have no scratch memory. */
PlanCase case_random(uint64_t seed);
/* Sets the scratch memory of a batch to this size, in bytes. */
void case_lend(PlanCase *test, uint64_t bytes);

/* ---- The reads and writes that kernels declare in runtime/kernels/kernels.def ---------------- */

/* A push constant that is an address. */
typedef struct Address {
    const char *member; /* name of the member */
    size_t at;          /* bytes from the start of the push constants */
} Address;
/* Returns the addresses in the kernel's push constants. The array ends with a NULL member. */
const Address *kernel_addresses(MurKernel kernel);

/* Declared accesses of a kernel. Bit i stands for address number i of its push constants. */
typedef struct Touched {
    uint32_t reads, writes;
} Touched;
Touched kernel_touches(MurKernel kernel);

/* Returns an address from a step's push constants, or 0 if the step does not have this address. */
uint64_t step_address(const MurStep *step, const Address *address);

/* Returns whether the GPU decides which one of two kernels does the work. A plan records them
 * without a barrier, although both write the same memory. */
bool kernels_alternate(MurKernel a, MurKernel b);

#endif
