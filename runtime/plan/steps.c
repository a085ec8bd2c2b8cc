/* SPDX-License-Identifier: MIT */
#include "steps.h"

#include <assert.h>

void mur_make_plan(const MurRequest *request, MurPlanner *planner, MurPlan *plan) {
    plan->path = "direct";
    plan->tableFlags = request->table ? request->table->ref.flags : request->tableFlags;
    plan->scratch = 0;
    plan->stepCount = 0; /* not the steps, which are written when they are appended */
    planner(request, plan);
}

static void append(MurPlan *plan, MurKernel kernel, const MurPush *push, uint64_t groups,
                   bool barrier) {
    if (groups == 0) {
        return;
    }
    assert(plan->stepCount < MUR_PLAN_STEPS);
    plan->steps[plan->stepCount] = (MurStep){
        .kernel = kernel,
        .barrier = barrier && plan->stepCount != 0,
        .groups = groups,
        .push = *push,
    };
    ++plan->stepCount;
}

void mur_plan_step(MurPlan *plan, MurKernel kernel, const MurPush *push, uint64_t groups) {
    append(plan, kernel, push, groups, true);
}

void mur_plan_items(MurPlan *plan, MurKernel kernel, const MurPush *push, uint64_t items) {
    append(plan, kernel, push, mur_groups(kernel, items), true);
}

void mur_plan_few(MurPlan *plan, MurKernel kernel, const MurPush *push, uint64_t items) {
    append(plan, kernel, push, mur_persistent_groups(mur_groups(kernel, items)), true);
}

void mur_plan_step_concurrent(MurPlan *plan, MurKernel kernel, const MurPush *push,
                              uint64_t groups) {
    append(plan, kernel, push, groups, false);
}

uint64_t mur_groups(MurKernel kernel, uint64_t invocations) {
    return mur_divide_up(invocations, mur_kernels[kernel].group);
}

uint64_t mur_persistent_groups(uint64_t groups) {
    return groups < 1024 ? groups : 1024;
}

uint64_t mur_spread(const MurDevice *device, uint64_t groups, uint32_t probes) {
    enum { MOST_PROBES = 2 };
    const uint64_t few = mur_persistent_groups(groups);
    const uint64_t least = mur_divide_up(groups, probes < MOST_PROBES ? MOST_PROBES / probes : 1);
    return device->software && least > few ? least : few;
}

MurPush mur_batch_push(const MurRequest *request, const MurBatch *batch, uint32_t mode) {
    return (MurPush){.batch = {
                         .table = request->table->ref,
                         .keys = batch->keys.address,
                         .values = batch->values.address,
                         .statuses = batch->statuses.address,
                         .slots = batch->slots.address,
                         .oldValues = batch->oldValues.address,
                         .statusBits = batch->statusBits.address,
                         .count = batch->countAddress,
                         .maxCount = batch->maxCount,
                         .mode = mode,
                     }};
}
