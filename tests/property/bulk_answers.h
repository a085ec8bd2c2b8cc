/* Checks two results of a batch: previous values, and results as bits.
 * SPDX-License-Identifier: MIT */
#ifndef MUR_TEST_BULK_ANSWERS_H
#define MUR_TEST_BULK_ANSWERS_H

#include "bulk_run.h"

#include "oracle/oracle.h"

/* An item and its key. Arrays of such pairs are sorted by key, then by item. */
typedef struct Ranked {
    uint64_t key;
    uint32_t item;
} Ranked;
Ranked *ranked_open(const Item *items, uint32_t count); /* the caller frees it */
uint32_t ranked_first(const Ranked *ranked, uint32_t count, uint64_t key);
/* Returns the index after the last item that has the same key as the item at begin. */
uint32_t ranked_end(const Ranked *ranked, uint32_t count, uint32_t begin);

typedef struct Answers {
    const uint32_t *words;
    const Command *command;
    const Placement *at;
    const Item *item;
    const Ranked *ranked;
    uint32_t items;
    const Oracle *before, *after; /* the table before and after the batch, both already checked */
    uint32_t valueWords;
} Answers;

/* Returns NULL, or a description of an error, valid until the next call. */
const char *answers_wrong(const Answers *answers);

#endif
