/* Linearizability of one key's history.
 *
 * SPDX-License-Identifier: MIT */
#ifndef LINEAR_H
#define LINEAR_H

#include "trial_check.h"

enum { LINEAR_OPERATIONS = 64 };

typedef enum LinearResult {
    LINEAR_YES,
    LINEAR_NO,     /* no order explains the results */
    LINEAR_UNKNOWN /* gave up: more configurations than memory is worth */
} LinearResult;

/* Is there one order of the operations, in which each that ended before another began comes first,
 * that leads from the initial to the final value and gives each the result it had? none: absent. No
 * value is given twice. */
LinearResult linear_check(const StormRecord *operations, uint32_t count, uint32_t initial,
                          uint32_t final, uint32_t none);

#endif
