/* Functions that planners share: steps, and the paths of commands on batches.
 * SPDX-License-Identifier: MIT */
#ifndef MUR_STEPS_H
#define MUR_STEPS_H

#include "plan.h"

/* A scratch size that means: the path cannot execute the request, or is slower than others. */
#define MUR_NOT_APPLICABLE UINT64_MAX

/* A path of commands on batches. commands: a mask of bits 1 << MurCommand. scratch: returns the
 * bytes of scratch memory for a request, or MUR_NOT_APPLICABLE. plan: appends the steps. */
typedef struct MurPath {
    const char *name;
    uint32_t commands;
    uint64_t (*scratch)(const MurRequest *request);
    MurPlanner *plan;
} MurPath;

/* Appends a dispatch, after a barrier unless it is the first. With 0 groups, appends nothing. */
void mur_plan_step(MurPlan *plan, MurKernel kernel, const MurPush *push, uint64_t groups);
/* Appends a step with one invocation per item. */
void mur_plan_items(MurPlan *plan, MurKernel kernel, const MurPush *push, uint64_t items);
/* Appends a step that processes items with mur_persistent_groups workgroups. */
void mur_plan_few(MurPlan *plan, MurKernel kernel, const MurPush *push, uint64_t items);
/* Appends a step without a barrier before it. */
void mur_plan_step_concurrent(MurPlan *plan, MurKernel kernel, const MurPush *push,
                              uint64_t groups);
/* Returns the number of workgroups of a kernel for this number of invocations. */
uint64_t mur_groups(MurKernel kernel, uint64_t invocations);
/* Returns groups, but at most as many as fill any GPU. For kernels that loop over their items. */
uint64_t mur_persistent_groups(uint64_t groups);
/* Like mur_persistent_groups, with `groups` units of work. Each needs a whole workgroup, in
 * which an invocation makes `probes` probes. Software devices get more workgroups, so that an
 * invocation makes at most two inserts: Mesa ends all loops of an invocation after 65,535
 * iterations in total, and an insert with the default limit takes up to 24,579 iterations. */
uint64_t mur_spread(const MurDevice *device, uint64_t groups, uint32_t probes);
/* Returns the push constants of a kernel on a batch, that of the request or its sorted copy. */
MurPush mur_batch_push(const MurRequest *request, const MurBatch *batch, uint32_t mode);

/* plan_whole.c */
void mur_plan_clear_steps(const MurShape *table, MurPlan *plan);
uint64_t mur_sector_count(const MurShape *table);
void mur_push_predicates(const MurPredicate *predicates, MurPredicatePush *push);

/* plan_sort.c. mur_plan_sort sorts a batch by ranges of home slots, before the direct path's kernel
 * runs. mur_plan_unsort writes the kernel's results in the order of the batch. */
uint64_t mur_sort_scratch(const MurRequest *request);
void mur_plan_sort(const MurRequest *request, MurBatch *sorted, MurPlan *plan);
void mur_plan_unsort(const MurRequest *request, const MurBatch *sorted, MurPlan *plan);

/* plan_slices.c. The partitioned paths, which process ranges of slots in shared memory. */
uint64_t mur_insert_slices_scratch(const MurRequest *request);
uint64_t mur_build_slices_scratch(const MurRequest *request);
uint64_t mur_build_exact_scratch(const MurRequest *request);
MurPlanner mur_plan_insert_slices, mur_plan_build_slices, mur_plan_build_exact;

/* Returns whether a batch has arrays for results of items, in addition to values. */
static inline bool mur_wants_results(const MurBatch *batch) {
    return batch->statuses.address || batch->slots.address || batch->oldValues.address ||
           batch->statusBits.address;
}

static inline uint64_t mur_divide_up(uint64_t a, uint64_t b) {
    return (a + b - 1) / b;
}

#endif
