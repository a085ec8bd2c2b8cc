/* SPDX-License-Identifier: MIT */
#include "hazard.h"

/* A bit for each piece of the case's memory that a step touches with these addresses; NOT_GIVEN:
 * memory that the case did not give. All of a piece is taken to overlap. */
enum { NOT_GIVEN = 1 << CASE_MEMORY };
static uint32_t pieces_of(const PlanCase *test, const MurStep *step, uint32_t mask) {
    const Address *all = kernel_addresses(step->kernel);
    uint32_t pieces = 0;
    for (uint32_t i = 0; mask >> i != 0; ++i) {
        const uint64_t address = mask >> i & 1 ? step_address(step, &all[i]) : 0;
        pieces |= address ? 1u << case_memory_at(test, address) : 0;
    }
    return pieces;
}

/* The member of the step's push constants that is an address in one of these pieces. */
static const char *name_of(const PlanCase *test, const MurStep *step, uint32_t pieces) {
    uint32_t i = 0;
    while (!(pieces_of(test, step, 1u << i) & pieces)) {
        ++i;
    }
    return kernel_addresses(step->kernel)[i].member;
}

bool hazard_find(const PlanCase *test, const MurPlan *plan, Hazard *hazard) {
    uint32_t reads[MUR_PLAN_STEPS], writes[MUR_PLAN_STEPS];
    uint32_t begin = 0; /* the first step since the last barrier */
    for (uint32_t i = 0; i < plan->stepCount; ++i) {
        const MurStep *step = &plan->steps[i];
        const Touched touched = kernel_touches(step->kernel);
        reads[i] = pieces_of(test, step, touched.reads);
        writes[i] = pieces_of(test, step, touched.writes);
        begin = step->barrier ? i : begin;
        for (uint32_t j = begin; j <= i; ++j) {
            const uint32_t both = j == i ? (reads[i] | writes[i]) & NOT_GIVEN
                                         : (writes[j] & (reads[i] | writes[i])) |
                                               (reads[j] & writes[i]);
            if (both && (j == i || !kernels_alternate(plan->steps[j].kernel, step->kernel))) {
                *hazard = (Hazard){j, i, name_of(test, step, both)};
                return true;
            }
        }
    }
    return false;
}
