/* Passes over tables in buckets.
 *
 * SPDX-License-Identifier: MIT */
#include "steps.h"

static void plan_filter(const MurPush *push, bool begins, MurPlan *plan) {
    MurPush filter = *push;
    filter.age.phase = begins ? MUR_AGE_BEGIN : 0;
    const uint32_t words = MUR_FILTER_WORDS(push->age.table.slotCount);
    const uint32_t most = words > MUR_AGE_RESULT_WORDS ? words : MUR_AGE_RESULT_WORDS;
    mur_plan_step(plan, MUR_KERNEL_FILTER, &filter,
                  begins ? mur_groups(MUR_KERNEL_FILTER, most) : 1);
}

void mur_plan_begin_filter(const MurRequest *request, MurPlan *plan) {
    plan_filter(&(MurPush){.age = {.table = request->table->ref}}, true, plan);
}

void mur_plan_end_filter(const MurRequest *request, MurPlan *plan) {
    plan_filter(&(MurPush){.age = {.table = request->table->ref}}, false, plan);
}

void mur_plan_age(const MurRequest *request, MurPlan *plan) {
    const MurAge *age = request->age;
    MurPush push = {.age = {.table = request->table->ref}};
    if (age) {
        push.age = (MurAgePush){.table = request->table->ref,
                                .live = age->live.address,
                                .erased = age->erased.address,
                                .result = age->result.address,
                                .maxLive = age->live.address ? age->maxLive : 0,
                                .maxErased = age->erased.address ? age->maxErased : 0,
                                .frame = age->frame,
                                .maxAge = age->maxAge,
                                .groupEntries = age->groupEntries,
                                .ages = 1};
    }
    plan_filter(&push, true, plan);
    mur_plan_items(plan, MUR_KERNEL_AGE, &push, mur_all_slots(request->table));
    plan_filter(&push, false, plan);
}
