/* Erasing entries by age.
 *
 * SPDX-License-Identifier: MIT */
#include "steps.h"

static void plan_phase(MurPush *push, uint32_t phase, uint64_t groups, MurPlan *plan) {
    push->age.phase = phase;
    mur_plan_step(plan, MUR_KERNEL_AGE, push, groups);
}

void mur_plan_age(const MurShape *table, const MurAge *age, MurPlan *plan) {
    const bool youngest = (age->flags & MUR_AGE_YOUNGEST) != 0;
    const uint64_t sectors = mur_sector_count(table);
    MurPush push = {.age = {
                        .table = table->ref,
                        .ages = age->ages.address,
                        .live = age->live.address,
                        .erased = age->erased.address,
                        .result = age->result.address,
                        .scratch = youngest ? age->scratch.address : 0,
                        .frame = age->frame,
                        .maxAge = age->maxAge,
                        .maxEntries = age->maxEntries,
                        .maxLive = age->maxLive,
                        .maxErased = age->maxErased,
                        .groupEntries = age->groupEntries,
                    }};
    mur_begin_plan(table, plan);
    if (youngest || age->result.address) {
        plan_phase(&push, MUR_AGE_RESET, 1, plan);
    }
    if (youngest) {
        plan_phase(&push, MUR_AGE_COUNT, mur_few(mur_groups(MUR_KERNEL_AGE, sectors + 1)), plan);
        plan_phase(&push, MUR_AGE_CHOOSE, 1, plan);
    }
    plan_phase(&push, MUR_AGE_ERASE, mur_divide_up(sectors, MUR_RECLAIM_OWN), plan);
}
