/* Tables with many values a key.
 *
 * SPDX-License-Identifier: MIT */
#include "steps.h"

void mur_plan_kernel(const MurRequest *request, MurKernel kernel, uint32_t mode, MurPlan *plan) {
    const MurPush push = mur_batch_push(request, request->batch, mode);
    mur_begin_plan(request->table->ref.flags, plan);
    mur_plan_items(plan, kernel, &push, request->batch->maxCount);
}

void mur_plan_multi_retrieve(const MurShape *table, const MurMultiRetrieve *retrieve,
                             MurPlan *plan) {
    const MurPush push = {.multi = {
                              .table = table->ref,
                              .keys = retrieve->keys.address,
                              .count = retrieve->countAddress,
                              .offsets = retrieve->offsets.address,
                              .values = retrieve->values.address,
                              .indices = retrieve->keyIndices.address,
                              .total = retrieve->totalAddress,
                              .scratch = retrieve->scratch.address,
                              .maxKeys = retrieve->maxKeys,
                              .maxValues = retrieve->maxValues,
                          }};
    const uint64_t groups = mur_divide_up(retrieve->maxKeys, MUR_MULTI_GROUP);
    mur_begin_plan(table->ref.flags, plan);
    if (groups == 0) {
        return;
    }
    mur_plan_step(plan, MUR_KERNEL_MULTI_RETRIEVE_COUNT, &push, groups);
    mur_plan_step(plan, MUR_KERNEL_MULTI_RETRIEVE_SCAN, &push, 1);
    mur_plan_step(plan, MUR_KERNEL_MULTI_RETRIEVE_OFFSETS, &push, groups);
    mur_plan_items(plan, MUR_KERNEL_MULTI_RETRIEVE_WRITE, &push, retrieve->maxValues);
}
