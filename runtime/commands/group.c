/* Groups: all values of a key, one after another.
 *
 * SPDX-License-Identifier: MIT */
#include "check.h"

#include <murmuration/group.h>

VkResult murCmdGroup(VkCommandBuffer cmd, MurTable table, const MurGroup *pGroup) {
    return MUR_RUN(GROUP, pGroup, 0, 0, mur_plan_group);
}

VkDeviceSize murGetGroupScratchSize(MurTable table, uint32_t maxCount) {
    if (!table || maxCount > MUR_MAX_GROUPED) {
        return 0;
    }
    MurPlan plan;
    mur_make_plan(&(MurRequest){.device = &table->context->planning,
                                .table = &table->shape,
                                .info = &(MurGroup){.maxCount = maxCount}},
                  mur_plan_group, &plan);
    return plan.scratch;
}
