/* Keys of other kinds than the distinct random ones of benchPairs, and checks of results against
 * what follows from the keys alone.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MURBENCH_CHECKS_H
#define MURBENCH_CHECKS_H

#include "bench.h"

enum { TALLY_KINDS = 8 }; /* statuses MUR_ABSENT ... MUR_UNSUPPORTED */

typedef struct Checks {
    Bench *bench;
    GpuKernel keys, check;
    GpuBuffer counters; /* host-visible */
} Checks;

/* Zero-initialise first; checksClose takes whatever checksOpen left. */
bool checksOpen(Checks *checks, Bench *bench);
void checksClose(Checks *checks);

/* Makes pairs->count keys of a kind (KEYS_*), and the value of each. pairs->keys is there already
 * for KEYS_GIVEN. seed: the table's. */
bool checksMakeKeys(Checks *checks, uint32_t kind, uint32_t seed, Pairs *pairs);
/* Every result is the value of its key. */
bool checksValues(Checks *checks, const char *what, const Pairs *pairs, const GpuBuffer *results);
/* How many statuses there are of each kind. */
bool checksTally(Checks *checks, const GpuBuffer *statuses, uint32_t count,
                 uint32_t tally[TALLY_KINDS]);

#endif
