/* Cases for the planner: a device, tables and a command's arguments.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MUR_PLAN_CASE_H
#define MUR_PLAN_CASE_H

#include <paging/plan_paging.h>

#include <stdbool.h>

#define VERB(id, ...) VERB_##id,
typedef enum Verb {
#include "verbs.def"
    VERB_COUNT
} Verb;
#undef VERB

/* Types of arguments besides the table, in this order: commands that bucketed tables have, other
 * commands on tables, those of pagers, those of paged tables. */
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
/* For verbs with a batch. */
MurCommand verb_command(Verb verb);

/* A range of memory given to a command. */
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
    /* Arguments; only those of the verb are set. */
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
    /* Options of case_give. */
    bool withoutResults; /* of a batch or a move */
    bool hasQueries;     /* rows are found by rows of another array */
    /* The memory of all arguments, and the next unused address. */
    Memory memory[CASE_MEMORY];
    uint32_t memoryCount;
    uint64_t next;
} PlanCase;

/* Returns the command's plan. */
MurPlan case_plan(const PlanCase *test);

/* Gives the case memory of this size. Returns its address, a multiple of 4096. At least 4096 unused
 * bytes follow. */
uint64_t case_place(PlanCase *test, uint64_t bytes);
/* Returns the index of the memory that contains the address, or CASE_MEMORY. */
uint32_t case_memory_at(const PlanCase *test, uint64_t address);

/* Gives the command its arrays. Counts, tables and pagers must exist. dice decides which optional
 * arrays are omitted; NULL: none. */
struct Dice;
void case_give(PlanCase *test, struct Dice *dice);

/* Returns a random case, which depends on the seed only. Batches have no scratch memory. */
PlanCase case_random(uint64_t seed);
/* Gives a batch scratch memory of this size. */
void case_lend(PlanCase *test, uint64_t bytes);

#endif
