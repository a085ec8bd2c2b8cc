/* Cases for the planner: a device, tables and a command's arguments, which lie at made-up
 * addresses.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MUR_PLAN_CASE_H
#define MUR_PLAN_CASE_H

#include <plan/plan.h>

#include <stdbool.h>

#define VERBS(X)                            \
    X(CLEAR, "clear")                       \
    X(FIND, "find")                         \
    X(INSERT, "insert")                     \
    X(ERASE, "erase")                       \
    X(BUILD, "build")                       \
    X(EXTRACT, "extract")                   \
    X(ERASE_WHERE, "erase where")           \
    X(STATS, "stats")                       \
    X(BEGIN_FILTER, "begin filter")         \
    X(END_FILTER, "end filter")             \
    X(REBUILD_FILTER, "rebuild filter")     \
    X(AGE, "age")                           \
    X(PAGER_CLEAR, "pager clear")           \
    X(PAGE, "page")                         \
    X(PAGES, "pages")                       \
    X(PAGER_FLUSH, "pager flush")           \
    X(PAGED_CLEAR, "paged clear")           \
    X(PAGE_TABLE, "page table")             \
    X(PAGED_FLUSH, "paged flush")           \
    X(PAGED_EXTRACT, "paged extract")       \
    X(PAGED_REHASH, "paged rehash")         \
    X(PAGED_BATCH, "paged batch")           \
    X(INSERT_ROWS, "insert rows")           \
    X(FIND_ROWS, "find rows")               \
    X(REHASH, "rehash")                     \
    X(MERGE, "merge")                       \
    X(COMPACT, "compact")                   \
    X(GROUP, "group")                       \
    X(MULTI_INSERT, "multi insert")         \
    X(MULTI_COUNT, "multi count")           \
    X(MULTI_FIND, "multi find")             \
    X(MULTI_ERASE, "multi erase")           \
    X(MULTI_ERASE_KEYS, "multi erase keys") \
    X(MULTI_RETRIEVE, "multi retrieve")
#define VERB(verb, name) VERB_##verb,
typedef enum Verb { VERBS(VERB) VERB_COUNT } Verb;
#undef VERB

const char *verb_name(Verb verb);

/* What a command is given; of the arguments only its own are filled in. */
typedef struct PlanCase {
    Verb verb;
    MurDevice device;
    MurShape table, source;
    MurInsertMode mode;
    MurBatch batch;
    MurRowBatch rows;
    MurExtract extract;
    MurArray stats;
    MurAge age;
    MurPagerShape pager;
    MurPageContent content;
    MurPaging paging;
    MurPages pages;
    MurPagedShape paged;
    MurTablePaging tablePaging;
    MurPagedBatch pagedBatch;
    MurPagedExtract pagedExtract;
    MurPagedRehash pagedRehash;
    bool pagedBuilds;
    uint32_t pagedOp;   /* MUR_MODE_*, MUR_PAGED_ERASE, MUR_BULK_FIND */
    uint32_t pagesVerb; /* MUR_PAGES_* */
    MurFlushFlags flush;
    MurRehash rehash;
    MurGroup group;
    MurMultiRetrieve retrieve;
} PlanCase;

/* As the command would plan it. */
MurPlan case_plan(const PlanCase *test);

/* The commands that are given a MurExtract. */
bool case_extracts(Verb verb);

/* The commands that tables in buckets alone have. */
bool case_passes(Verb verb);

/* The commands that take entries from table to table. */
bool case_moves(Verb verb);

/* The commands of pagers and of paged tables, which have no table; of paged tables. */
bool case_pages(Verb verb);
bool case_is_paged(Verb verb);

/* The commands on rows. */
bool case_has_rows(Verb verb);

/* The commands that take scratch memory if it is lent, and whose plans say how much they want. */
bool case_takes_scratch(const PlanCase *test);

/* A piece of memory that a command is given. */
typedef struct Memory {
    const char *name;
    uint64_t address, size;
} Memory;
enum { CASE_MEMORY = 16 };
/* All of them; an address of 0: not given. Returns their number. */
uint32_t case_memory(const PlanCase *test, Memory memory[CASE_MEMORY]);

/* Any case at all; the same for the same seed. Scratch memory: none. */
PlanCase case_random(uint64_t seed);
/* Lends so many bytes. */
void case_lend(PlanCase *test, uint64_t bytes);

#endif
