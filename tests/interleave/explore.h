/* Explores every order of the steps of a few operations, and checks the invariants at the end of
 * each order.
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

/* A scene is a set of concurrent operations on a table that earlier operations have filled. */
typedef struct Scene {
    Setting setting;
    uint32_t beforeCount, count;
    Wish before[BEFORE]; /* earlier operations, which run one after another */
    Wish wishes[OPERATIONS];
} Scene;

typedef struct Verdict {
    const char *wrong; /* a description of the first error, or NULL */
    uint64_t states;   /* number of visited states */
    char trace[1024];  /* the steps that lead to the error */
} Verdict;

Verdict explore(const Scene *scene);

#endif
