/* SPDX-License-Identifier: MIT */
#include "steps.h"

#include <murmuration/multi.h>

void mur_plan_retrieve(const MurRequest *request, MurPlan *plan) {
    const MurMultiRetrieve *retrieve = request->info;
    const MurPush push = {.multi = {
                              .table = request->table->ref,
                              .keys = retrieve->keys.address,
                              .count = retrieve->countAddress,
                              .offsets = retrieve->offsets.address,
                              .values = retrieve->values.address,
                              .indices = retrieve->keyIndices.address,
                              .total = retrieve->totalAddress,
                              .scratch = retrieve->scratch.address,
                              .maxCount = retrieve->maxCount,
                              .maxValues = retrieve->maxValues,
                          }};
    const uint64_t groups = mur_divide_up(retrieve->maxCount, MUR_MULTI_GROUP);
    plan->scratch = 4 * (retrieve->maxCount + 2 * groups);
    if (groups == 0) {
        return;
    }
    mur_plan_step(plan, MUR_KERNEL_MULTI_RETRIEVE_COUNT, &push, groups);
    mur_plan_step(plan, MUR_KERNEL_MULTI_RETRIEVE_SCAN, &push, 1);
    mur_plan_step(plan, MUR_KERNEL_MULTI_RETRIEVE_OFFSETS, &push, groups);
    mur_plan_items(plan, MUR_KERNEL_MULTI_RETRIEVE_WRITE, &push, retrieve->maxValues);
}
