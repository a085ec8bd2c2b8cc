/* Freeing slots of erased keys where they are; and of entries that are too old.
 *
 * SPDX-License-Identifier: MIT */
#include "steps.h"

static void plan_phase(MurPush *push, uint32_t phase, uint64_t groups, MurPlan *plan) {
    push->reclaim.phase = phase;
    mur_plan_step(plan, MUR_KERNEL_RECLAIM, push, groups);
}

/* An invocation a sector, and one for the extra slots. */
static void plan_scan(const MurShape *table, MurPush *push, MurPlan *plan) {
    const uint64_t groups = mur_groups(MUR_KERNEL_RECLAIM, mur_sector_count(table) + 1);
    mur_begin_plan(table, plan);
    if (push->reclaim.result || push->reclaim.scratch) {
        plan_phase(push, MUR_RECLAIM_RESET, 1, plan);
    }
    if (push->reclaim.scratch) {
        plan_phase(push, MUR_RECLAIM_COUNT, mur_few(groups), plan);
    }
    plan_phase(push, MUR_RECLAIM_SCAN, groups, plan);
}

void mur_plan_reclaim(const MurShape *table, const MurReclaim *reclaim, MurPlan *plan) {
    MurPush push = {.reclaim = {.table = table->ref}};
    if (reclaim) {
        push.reclaim.slots = reclaim->slots.address;
        push.reclaim.result = reclaim->result.address;
        push.reclaim.maxCount = reclaim->maxCount;
    }
    plan_scan(table, &push, plan);
}

void mur_plan_age(const MurShape *table, const MurAge *age, MurPlan *plan) {
    const bool youngest = (age->flags & MUR_AGE_YOUNGEST) != 0;
    MurPush push = {.reclaim = {
                        .table = table->ref,
                        .slots = age->erased.address,
                        .live = age->live.address,
                        .result = age->result.address,
                        .ages = age->ages.address,
                        .scratch = youngest ? age->scratch.address : 0,
                        .maxCount = age->maxErased,
                        .maxLive = age->maxLive,
                        .groupEntries = age->groupEntries,
                        .frame = age->frame,
                        .maxAge = age->maxAge,
                        .maxEntries = age->maxEntries,
                    }};
    plan_scan(table, &push, plan);
}
