/* Plans eviction passes over bucketed tables.
 * SPDX-License-Identifier: MIT */
#include "steps.h"

#include <murmuration/buckets.h>

static void plan_filter(const MurPush *push, bool begins, MurPlan *plan) {
    MurPush filter = *push;
    filter.evict.phase = begins ? MUR_EVICT_BEGIN : 0;
    const uint32_t words = MUR_FILTER_WORDS(push->evict.table.slotCount);
    const uint32_t most = words > MUR_EVICT_RESULT_WORDS ? words : MUR_EVICT_RESULT_WORDS;
    mur_plan_step(plan, MUR_KERNEL_FILTER, &filter,
                  begins ? mur_groups(MUR_KERNEL_FILTER, most) : 1);
}

void mur_plan_filter(const MurRequest *request, MurPlan *plan) {
    plan_filter(&(MurPush){.evict = {.table = request->table->ref}}, request->op, plan);
}

void mur_plan_evict(const MurRequest *request, MurPlan *plan) {
    static const MurEvict none;
    const MurEvict *age = request->info ? request->info : &none;
    const MurPush push = {.evict = {
                              .table = request->table->ref,
                              .live = age->live.address,
                              .erased = age->erased.address,
                              .result = age->result.address,
                              .maxLive = age->live.address ? age->maxLive : 0,
                              .maxErased = age->erased.address ? age->maxErased : 0,
                              .frame = age->frame,
                              .maxAge = age->maxAge,
                              .groupEntries = age->groupEntries,
                              .reserved = age->reservedSlots,
                              .ages = request->info != NULL,
                          }};
    plan_filter(&push, true, plan);
    mur_plan_items(plan, MUR_KERNEL_EVICT, &push, mur_slots(request->table));
    plan_filter(&push, false, plan);
}
