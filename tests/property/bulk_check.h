/* Compares the results of a sequence, on the GPU or on the host, with the oracle.
 *
 * The items of a batch run in any order, so the checks are about sets: one MUR_INSERTED for an
 * absent key, exact sums, one of the values if values replace each other. The keys that fit into a
 * full table are not determined, either. Therefore the table is read back after every command: its
 * content must be possible after the previous content, every array must agree with it, and the
 * oracle continues from it. If only one item runs, or if order does not matter, every word is
 * predicted.
 * SPDX-License-Identifier: MIT */
#ifndef MUR_TEST_BULK_CHECK_H
#define MUR_TEST_BULK_CHECK_H

#include "bulk_run.h"

#include "oracle/oracle.h"

/* Runs the added sequences, checks them, and prints the first failure. Resets the runner. */
bool check_runs(Runner *runner);
/* Runs the sequence in host memory by functions of host.h, and checks it. Returns true if the host
 * does not support one of the commands. */
bool check_on_host(const Sequence *sequence);

#endif
