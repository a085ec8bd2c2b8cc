/* Passes over tables in buckets.
 *
 * SPDX-License-Identifier: MIT */
#include "check.h"

#include <murmuration/buckets.h>

static VkResult filter(const MurCall *call, bool begins) {
    MUR_TRY(mur_check(call));
    MurPlan plan;
    mur_plan_filter(&call->table->shape, begins, &plan);
    return mur_record(call->table->context, call->cmd, call->name, &plan);
}

/* age NULL: all entries are retained. */
static VkResult age(const MurCall *call) {
    MUR_TRY(mur_check(call));
    MurPlan plan;
    mur_plan_age(&call->table->shape, call->info, &plan);
    return mur_record(call->table->context, call->cmd, call->name, &plan);
}

VkResult murCmdBeginFilter(VkCommandBuffer cmd, MurTable table) {
    return filter(&MUR_CALL(FILTER, table, NULL, 0), true);
}

VkResult murCmdEndFilter(VkCommandBuffer cmd, MurTable table) {
    return filter(&MUR_CALL(FILTER, table, NULL, 0), false);
}

VkResult murCmdRebuildFilter(VkCommandBuffer cmd, MurTable table) {
    return age(&MUR_CALL(FILTER, table, NULL, 0));
}

VkResult murCmdAge(VkCommandBuffer cmd, MurTable table, const MurAge *pAge) {
    return age(&MUR_CALL(AGE, table, pAge, 0));
}
