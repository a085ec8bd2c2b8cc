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

void mur_plan_filter(const MurShape *table, bool begins, MurPlan *plan) {
    const MurPush push = {.age = {.table = table->ref}};
    mur_begin_plan(table->ref.flags, plan);
    plan_filter(&push, begins, plan);
}

void mur_plan_age(const MurShape *table, const MurAge *age, MurPlan *plan) {
    MurPush push = {.age = {.table = table->ref}};
    if (age) {
        push.age = (MurAgePush){.table = table->ref,
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
    mur_begin_plan(table->ref.flags, plan);
    plan_filter(&push, true, plan);
    const uint64_t slots = (uint64_t)table->ref.slotCount +
                           MUR_EXTRA_SLOTS(mur_shape_format(table));
    mur_plan_step(plan, MUR_KERNEL_AGE, &push, mur_groups(MUR_KERNEL_AGE, slots));
    plan_filter(&push, false, plan);
}
