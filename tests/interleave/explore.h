/* Explores every order of the steps of a few operations, and checks the invariants at the end of
 * each order.
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

/* Operations that run concurrently, on a table with earlier entries. */
typedef struct Scene {
    Setting setting;
    uint32_t beforeCount, count;
    Wish before[BEFORE]; /* run one after another */
    Wish wishes[OPERATIONS];
} Scene;

typedef struct Verdict {
    const char *wrong; /* NULL: no error */
    uint64_t states;   /* number of visited states */
    char trace[1024];  /* the steps to the error */
} Verdict;

Verdict explore(const Scene *scene);

#endif
