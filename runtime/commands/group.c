/* Groups: all values of a key side by side.
 *
 * SPDX-License-Identifier: MIT */
#include "check.h"

#include "../host/size.h"

#include <murmuration/group.h>

static MurPlan plan_of(MurTable table, const MurGroup *group) {
    MurPlan plan;
    mur_plan_group(&table->context->planning, &table->shape, group, &plan);
    return plan;
}

VkResult murCmdGroup(VkCommandBuffer cmd, MurTable table, const MurGroup *pGroup) {
    MUR_TRY(mur_check_command(MUR_CONTEXT(table), cmd, __func__));
    MUR_TRY(mur_check_use(table, __func__, MUR_USES_GROUP, "murUseGroup"));
    MUR_TRY(mur_check_struct(table->context, __func__, "pGroup", pGroup));
    const uint32_t count = pGroup->maxCount;
    if (count > MUR_MAX_GROUPED) {
        return mur_refuse(table->context, __func__, "maxCount is %u, more than %u", count,
                          MUR_MAX_GROUPED);
    }
    const MurPlan plan = plan_of(table, pGroup);
    const MurArgument arguments[] = {
        mur_table_argument(table, "the table", true),
        mur_word_argument(pGroup->countAddress, "countAddress", false),
        {"keys", pGroup->keys, mur_key_size(mur_table_format(table)), count, count != 0, false},
        {"values", pGroup->values, 4, count, count != 0, false},
        {"groups", pGroup->groups, 4, pGroup->groups.size / 4, true, true},
        {"scratch", pGroup->scratch, 16, plan.scratch / 16, plan.scratch != 0, true},
    };
    MUR_TRY(mur_check_arguments(table->context, __func__, arguments, MUR_LENGTH(arguments)));
    return pGroup->groups.size < 4 ? mur_refuse(table->context, __func__, "groups has no word 0")
                                   : mur_record(table->context, cmd, __func__, &plan);
}

VkDeviceSize murGetGroupScratchSize(MurTable table, uint32_t maxCount) {
    const MurGroup group = {.maxCount = maxCount};
    return table && maxCount <= MUR_MAX_GROUPED ? plan_of(table, &group).scratch : 0;
}
