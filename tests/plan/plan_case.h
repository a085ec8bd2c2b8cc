/* Cases for the planner: a device, tables and a command's arguments.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MUR_PLAN_CASE_H
#define MUR_PLAN_CASE_H

#include <plan/plan.h>

#include <stdbool.h>

#define VERB(id, ...) VERB_##id,
typedef enum Verb {
#include "verbs.def"
    VERB_COUNT
} Verb;
#undef VERB

/* Arguments of a command besides the table. In this order: commands that tables in buckets have,
 * others on tables, those of pagers, those of paged tables. */
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
/* For verbs that take a batch. */
MurCommand verb_command(Verb verb);

/* A piece of memory that a command is given. */
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
    /* Arguments; only those of the verb are filled in. */
    MurInsertMode mode;
    MurBatch batch;
    MurRowBatch rows;
    MurExtract extract;
    MurArray stats;
    MurAge age;
    MurRehash rehash;
    MurGroup group;
    MurMultiRetrieve retrieve;
    MurPageContent content;
    MurFlushFlags flush;
    MurPaging paging;
    MurPages pages;
    MurTablePaging tablePaging;
    MurPagedBatch pagedBatch;
    MurPagedExtract pagedExtract;
    MurPagedRehash pagedRehash;
    /* How case_give fills them in. */
    bool withoutResults; /* of a batch or a move */
    bool hasQueries;     /* rows are found by rows of another array */
    /* The memory of all of these, and the next address that is not used. */
    Memory memory[CASE_MEMORY];
    uint32_t memoryCount;
    uint64_t next;
} PlanCase;

/* As the command would plan it. */
MurPlan case_plan(const PlanCase *test);

/* Gives the case memory of this size; returns its address, a multiple of 4096. At least 4096 bytes
 * behind it are not used. */
uint64_t case_place(PlanCase *test, uint64_t bytes);
/* The index of the memory that contains the address; CASE_MEMORY: none does. */
uint32_t case_memory_at(const PlanCase *test, uint64_t address);

/* Gives the command its arrays; counts, tables and pagers are already there. dice decides which
 * optional arrays are left out; NULL: none. */
struct Dice;
void case_give(PlanCase *test, struct Dice *dice);

/* Any case at all; the same for the same seed. Scratch memory of batches: none. */
PlanCase case_random(uint64_t seed);
/* Lends a batch scratch memory of this size. */
void case_lend(PlanCase *test, uint64_t bytes);

#endif
