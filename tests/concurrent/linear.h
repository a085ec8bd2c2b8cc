/* Checks the linearizability of one key's history.
 * SPDX-License-Identifier: MIT */
#ifndef LINEAR_H
#define LINEAR_H

#include "trial_check.h"

enum { LINEAR_OPERATIONS = 64 };

typedef enum LinearResult {
    LINEAR_YES,
    LINEAR_NO,     /* no order of the operations explains the results */
    LINEAR_UNKNOWN /* gave up: too many states for the memory */
} LinearResult;

/* Searches for an order of the operations that explains each result and ends with the final value.
 * Operations that did not overlap keep their order in time. none: the value that stands for an
 * absent key. All written values must differ. */
LinearResult linear_check(const StormRecord *operations, uint32_t count, uint32_t initial,
                          uint32_t final, uint32_t none);

#endif
