/* Groups: all values of a key, one after another.
 *
 * SPDX-License-Identifier: MIT */
#include "check.h"

#include <murmuration/group.h>

static MurPlan plan_of(MurTable table, const MurGroup *group) {
    MurPlan plan;
    mur_plan_group(&table->context->planning, &table->shape, group, &plan);
    return plan;
}

VkDeviceSize murGetGroupScratchSize(MurTable table, uint32_t maxCount) {
    const MurGroup group = {.maxCount = maxCount};
    return table && maxCount <= MUR_MAX_GROUPED ? plan_of(table, &group).scratch : 0;
}

VkResult murCmdGroup(VkCommandBuffer cmd, MurTable table, const MurGroup *pGroup) {
    const uint64_t scratch = pGroup ? murGetGroupScratchSize(table, pGroup->maxCount) : 0;
    MUR_RUN(table, mur_check(MUR_CALL(GROUP, table, pGroup, scratch, .table = table)),
            plan = plan_of(table, pGroup));
}
