/* What the planners share: steps, and the ways of commands on batches.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MUR_STEPS_H
#define MUR_STEPS_H

#include "plan.h"

/* Bytes of scratch memory of a way that a request cannot take, or that would not be the faster
 * one. */
#define MUR_NO_WAY UINT64_MAX

/* One way of doing a command: the scratch memory that it needs for a request, or MUR_NO_WAY; and
 * its steps. */
typedef struct MurWay {
    const char *name;
    uint64_t (*scratch)(const MurRequest *request);
    void (*plan)(const MurRequest *request, MurPlan *plan);
} MurWay;

/* Appends a step, after a barrier unless it is the first; 0 groups: none. */
void mur_plan_step(MurPlan *plan, MurKernel kernel, const MurPush *push, uint64_t groups);
/* With an invocation for each of so many items. */
void mur_plan_items(MurPlan *plan, MurKernel kernel, const MurPush *push, uint64_t items);
/* The same as the first without a barrier. */
void mur_plan_beside(MurPlan *plan, MurKernel kernel, const MurPush *push, uint64_t groups);
/* Workgroups for so many invocations. */
uint64_t mur_groups(MurKernel kernel, uint64_t invocations);
/* At most so many as fill any GPU, for kernels that go over their items in a loop. */
uint64_t mur_few(uint64_t groups);
/* As mur_few, for invocations that make this many probes for the work of one workgroup. On software
 * devices there are enough workgroups for four probes an invocation: Mesa's end all loops of an
 * invocation after 65,535 iterations in all, and a probe by the default limit takes up to 8,192. */
uint64_t mur_spread(const MurDevice *device, uint64_t groups, uint32_t probes);
/* Push constants of a kernel for one item an invocation. batch: the request's, or it sorted. */
MurPush mur_batch_push(const MurRequest *request, const MurBatch *batch, uint32_t mode);

/* plan_whole.c */
void mur_plan_clear_steps(const MurShape *table, MurPlan *plan);

uint64_t mur_sector_count(const MurShape *table);
/* The predicates of an extraction. */
void mur_push_predicates(const MurPredicate *predicates, MurPredicatePush *push);

/* plan_sort.c: a batch sorted by home slot, roughly, for the request's direct kernel, and that
 * one's results taken back. */
uint64_t mur_sort_scratch(const MurRequest *request);
void mur_plan_sort(const MurRequest *request, MurBatch *sorted, MurPlan *plan);
void mur_plan_unsort(const MurRequest *request, const MurBatch *sorted, MurPlan *plan);

/* plan_slices.c: through shared memory, slice by slice. */
uint64_t mur_insert_slices_scratch(const MurRequest *request);
void mur_plan_insert_slices(const MurRequest *request, MurPlan *plan);
uint64_t mur_build_slices_scratch(const MurRequest *request);
void mur_plan_build_slices(const MurRequest *request, MurPlan *plan);
uint64_t mur_build_exact_scratch(const MurRequest *request);
void mur_plan_build_exact(const MurRequest *request, MurPlan *plan);

/* Does a batch ask for what became of its items? (A find and an erase may ask for values, too.) */
static inline bool mur_wants_results(const MurBatch *batch) {
    return batch->statuses.address || batch->slots.address || batch->oldValues.address ||
           batch->statusBits.address;
}

static inline uint64_t mur_divide_up(uint64_t a, uint64_t b) {
    return (a + b - 1) / b;
}

static inline uint32_t mur_shape_format(const MurShape *shape) {
    return MUR_TABLE_FORMAT(shape->ref.flags);
}

#endif
