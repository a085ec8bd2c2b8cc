/* Batches of pairs, and the invariants of their groups.
 * SPDX-License-Identifier: MIT */
#ifndef MUR_TEST_GROUP_H
#define MUR_TEST_GROUP_H

#include "support/gpu.h"
#include "support/kinds.h"

#include <murmuration/group.h>
#include <murmuration/host_group.h>

/* How a case chooses the keys of its pairs. `of` is GroupCase.of. */
typedef enum GroupKeys {
    KEYS_IN_TURN, /* pair i has key number i modulo `of` */
    KEYS_IN_RUNS, /* pair i has key number i / `of` */
    KEYS_ZIPF,    /* key numbers below 2^of; small numbers are the most frequent */
    KEYS_HARD,    /* in turn, hashes with a half equal or close to a sentinel or 0 */
    KEYS_OF_A_BIN /* the first `of` keys differ and hash to one bin, the rest do not */
} GroupKeys;

typedef struct GroupCase {
    const char *name;
    GroupKeys keys;
    uint32_t of, maxCount;
    uint32_t gpuCount; /* with hasCount: the count of pairs in GPU memory */
    bool hasCount;
    uint32_t words;                /* 32-bit words of the array of groups; 0: enough */
    uint32_t capacity, probeLimit; /* of the table; 0: all keys fit */
} GroupCase;

typedef struct Pair {
    uint64_t key;
    uint32_t value;
} Pair;

enum { GROUP_SEED = 77 };

/* Returns the pairs of a case in batch order, up to the item count in GPU memory. They differ in
 * each frame. The caller frees them. */
Pair *group_pairs(const GroupCase *test, uint32_t format, uint32_t frame, uint32_t *count);

/* Sorts the pairs by key. Fails if they are not exactly the table's groups. Groups may be missing
 * only if array or table are too small. ascending: values of groups up to the limit ascend. */
void group_check(const GroupCase *test, const MurTableCreateInfo *info, const MurHostTable *table,
                 const uint32_t *groups, uint64_t words, Pair *pairs, uint32_t count,
                 bool ascending);

/* Returns the end of the run of equal keys that begins at first. */
uint32_t group_end(const Pair *pairs, uint32_t count, uint32_t first);

#endif
