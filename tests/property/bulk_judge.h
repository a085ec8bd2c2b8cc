/* Functions that the checks of commands share.
 * SPDX-License-Identifier: MIT */
#ifndef MUR_TEST_BULK_JUDGE_H
#define MUR_TEST_BULK_JUDGE_H

#include "bulk_answers.h"
#include "bulk_check.h"

#include <stdio.h>

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
    Failure *failure;
} Check;

/* Stores the text in the failure and returns false. */
#define wrong(check, ...) \
    (snprintf((check)->failure->text, sizeof(check)->failure->text, __VA_ARGS__), false)

bool match(const Check *check, const char *what, uint32_t item, uint64_t expected, uint64_t got);
/* Returns word i of an output array, or `expected` if the command has no such array. */
uint32_t given(const Check *check, uint32_t at, uint32_t i, uint32_t expected);

/* Returns whether the command replaces the table's content, and may sort the entries. */
bool command_replaces(const Command *command);
/* Checks an insert, a build, or another command that inserts its items. */
bool check_insert(Check *check);
bool check_relocation(Check *check);

#endif
