/* Batches of pairs, and what is true of their groups.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MUR_TEST_GROUP_H
#define MUR_TEST_GROUP_H

#include "support/gpu.h"
#include "support/kinds.h"

#include <murmuration/group.h>
#include <murmuration/host_group.h>

/* Which key pair i has. */
typedef enum GroupKeys {
    KEYS_IN_TURN, /* number i modulo of */
    KEYS_IN_RUNS, /* number i / of */
    KEYS_ZIPF,    /* numbers below 2^of, the small ones most often */
    KEYS_HARD,    /* hashes with halves that are markers, 0, or next to one, in turn */
    KEYS_OF_A_BIN /* the first so many are all different and hash to one bin, the others are not */
} GroupKeys;

typedef struct GroupCase {
    const char *name;
    GroupKeys keys;
    uint32_t of, maxCount;
    uint32_t gpuCount; /* with hasCount, read by the GPU */
    bool hasCount;
    uint32_t words;                /* of the array; 0: as many as are always enough */
    uint32_t capacity, probeLimit; /* 0: room for all */
} GroupCase;

typedef struct Pair {
    uint64_t key;
    uint32_t value;
} Pair;

enum { GROUP_SEED = 77 };

/* Pairs of a case that count, in the order of the batch. frame: other ones each time. To be
 * freed. */
Pair *group_pairs(const GroupCase *test, uint32_t format, uint32_t frame, uint32_t *count);

/* Sorts the pairs by key, and fails unless the table's groups are those of the pairs. What does not
 * fit is left out; unless the case has too little room that is nothing. */
void group_check(const GroupCase *test, const MurTableCreateInfo *info, const MurHostTable *table,
                 const uint32_t *groups, uint64_t words, Pair *pairs, uint32_t count);

/* The end of the run of equal keys that begins there. */
uint32_t group_end(const Pair *pairs, uint32_t count, uint32_t first);

/* Each returns the number of its failed cases. */

#endif
