/* Compares the results of a sequence, on the GPU or on the host, with the oracle.
 *
 * The items of a batch run in any order, so the checks are about sets: one MUR_INSERTED for an
 * absent key, exact sums, one of the values if values replace each other. It is also undetermined
 * which keys fit into a table that fills up. Therefore the table is read back after every command:
 * its content must be reachable from the previous content, every array must agree with it, and the
 * oracle continues from there. If only one item runs, or if order does not matter, every word is
 * predicted.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MUR_TEST_BULK_CHECK_H
#define MUR_TEST_BULK_CHECK_H

#include "bulk_run.h"

#include "oracle/oracle.h"

typedef struct Failure {
    uint32_t command; /* index, or MAX_COMMANDS if no command failed */
    char text[400];
} Failure;

/* Returns an empty table of a run. */
Oracle run_oracle(const Run *run, uint32_t side);
/* Returns false and a description if a run's results are wrong. */
bool check_run(const Runner *runner, const Run *run, Failure *failure);
/* Runs the sequence in host memory, by the calls of host.h, and checks it. Returns true if the host
 * lacks a call. */
bool check_on_host(const Sequence *sequence, Failure *failure);
/* Is the memory around the tables unchanged? */
bool check_arena(const Runner *runner, Failure *failure);

#endif
