/* Checks what the GPU, or the host, did with a sequence against the oracle.
 *
 * The items of a batch run in any order, so the checks are about sets: one "inserted" for a key
 * that was absent, exact sums, one of the values where values replace one another. Which keys fit
 * into a table that fills up is not determined either. So the table is read back after every
 * command: what it holds must be reachable from what it held before, every array must agree with
 * it, and then the oracle goes on from there. Where only one item runs, or order cannot matter,
 * every word is predicted.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MUR_TEST_BULK_CHECK_H
#define MUR_TEST_BULK_CHECK_H

#include "bulk_run.h"

#include "oracle/oracle.h"

typedef struct Failure {
    uint32_t command; /* index, or MAX_COMMANDS if it is none's fault */
    char text[400];
} Failure;

/* An empty table of a run. */
Oracle run_oracle(const Run *run, uint32_t side);
/* false, and why, if a run's results are wrong. */
bool check_run(const Runner *runner, const Run *run, Failure *failure);
/* Runs the sequence in host memory, by the calls of host.h, and checks it. A sequence that the
 * host has no calls for is right. */
bool check_on_host(const Sequence *sequence, Failure *failure);
/* Have the tables' neighbours in memory stayed as they were? */
bool check_arena(const Runner *runner, Failure *failure);

#endif
