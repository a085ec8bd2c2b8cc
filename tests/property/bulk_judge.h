/* Functions that the checks of commands share.
 * SPDX-License-Identifier: MIT */
#ifndef MUR_TEST_BULK_JUDGE_H
#define MUR_TEST_BULK_JUDGE_H

#include "bulk_check.h"

/* An item and its key. Arrays of such pairs are sorted by key, then by item. */
typedef struct Ranked {
    uint64_t key;
    uint32_t item;
} Ranked;
Ranked *ranked_open(const Item *items, uint32_t count); /* the caller frees it */
uint32_t ranked_first(const Ranked *ranked, uint32_t count, uint64_t key);
/* Returns the index after the last item that has the same key as the item at begin. */
uint32_t ranked_end(const Ranked *ranked, uint32_t count, uint32_t begin);

/* The check of one command: its arrays, its items, and the table that it changes. */
typedef struct Check {
    uint32_t *words;
    const Run *run;
    const Command *command;
    const Placement *at;
    uint32_t *image; /* the changed table after the command */
    uint32_t mode;
    const Item *item; /* the items of a batch, or the entries of the source table */
    uint32_t items;
    Ranked *ranked;
    uint32_t failed; /* items that found the table full */
    Oracle before;
    Oracle after;
    /* Per table. known: true once its whole memory was cleared, built or written. */
    Oracle tables[2];
    bool known[2];
    uint32_t streams[2]; /* word MUR_HEADER_STREAM, which the oracle does not predict */
    uint32_t index;      /* of the command; MAX_COMMANDS: the first clear */
} Check;

/* Prints a failure of the command and returns false. */
#define wrong(check, ...)                                                                          \
    (print_error("command %u: ", (check)->index + 1), print_error(__VA_ARGS__), print_error("\n"), \
     false)

/* Checks the results of a run. If they are wrong, prints the failure and returns false. */
bool check_run(const Runner *runner, const Run *run, const char *where);
bool match(const Check *check, const char *what, uint32_t item, uint64_t expected, uint64_t got);
/* Returns word i of an output array, or `expected` if the command has no such array. */
uint32_t given(const Check *check, uint32_t at, uint32_t i, uint32_t expected);

/* Checks two results of a batch: previous values, and results as bits. */
bool check_answers(const Check *check);
/* Returns whether the command replaces the table's content, and may sort the entries. */
bool command_replaces(const Command *command);
/* Checks an insert, a build, or another command that inserts its items. */
bool check_insert(Check *check);
bool check_relocation(Check *check);

#endif
