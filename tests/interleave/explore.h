/* Every order of the steps of a few operations, and what must hold at the end of each.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MUR_TEST_EXPLORE_H
#define MUR_TEST_EXPLORE_H

#include "protocol.h"

#include <stddef.h>

enum { BEFORE = 5 };
typedef struct Wish {
    Kind kind;
    uint8_t key;
} Wish;

/* Operations that run at the same time, on a table that others have written before. */
typedef struct Scene {
    Setting setting;
    uint32_t beforeCount, count;
    Wish before[BEFORE]; /* one after another */
    Wish wishes[OPERATIONS];
} Scene;

typedef struct Verdict {
    const char *wrong; /* NULL: nothing */
    uint64_t states;   /* that were visited */
    char trace[1024];  /* how it came about */
} Verdict;

Verdict explore(const Scene *scene);

#endif
