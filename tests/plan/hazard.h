/* Which memory a step touches, from what its kernel declares, and whether the barriers of a plan
 * keep steps apart that must be. Knows of the planner nothing but what a plan looks like.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MUR_HAZARD_H
#define MUR_HAZARD_H

#include "plan_case.h"
#include "touched.h"

/* The address that a step's push constants hold for one MUR_TOUCHES_* bit; 0: it is not given.
 * False: these push constants have no such address. */
bool step_address(const MurStep *step, MurTouches bit, uint64_t *address);

/* What touches what without a barrier between them. */
typedef struct Hazard {
    uint32_t first, second; /* steps */
    const char *memory;
} Hazard;

/* The first one; false: there is none. Declared accesses that name no memory of the case's are one,
 * too: the second step's is then the first's. */
bool hazard_find(const PlanCase *test, const MurPlan *plan, Hazard *hazard);

#endif
