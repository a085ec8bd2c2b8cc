/* Freeing slots of erased keys where they are.
 *
 * SPDX-License-Identifier: MIT */
#include "steps.h"

void mur_plan_reclaim(const MurShape *table, const MurReclaim *reclaim, MurPlan *plan) {
    MurPush push = {.reclaim = {.table = table->ref}};
    mur_begin_plan(table, plan);
    if (reclaim && reclaim->result.address) {
        push.reclaim.slots = reclaim->slots.address;
        push.reclaim.result = reclaim->result.address;
        push.reclaim.maxCount = reclaim->maxCount;
        mur_plan_step(plan, MUR_KERNEL_RECLAIM, &push, 1);
    }
    push.reclaim.phase = 1;
    mur_plan_step(plan, MUR_KERNEL_RECLAIM, &push,
                  mur_divide_up(mur_sector_count(table), MUR_RECLAIM_OWN));
}
