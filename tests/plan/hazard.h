/* Whether the barriers of a plan keep steps apart that must be. Knows of the planner nothing but
 * what a plan looks like.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MUR_HAZARD_H
#define MUR_HAZARD_H

#include "plan_case.h"
#include "touched.h"

/* Two steps that touch the same memory without a barrier between them. */
typedef struct Hazard {
    uint32_t first, second; /* steps */
    const char *memory;
} Hazard;

/* The first one; false: there is none. A declared access to memory that the case did not give is
 * also one, of a step with itself. */
bool hazard_find(const PlanCase *test, const MurPlan *plan, Hazard *hazard);

#endif
