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

static VkResult check_group(MurTable table, const char *command, const MurGroup *group) {
    MUR_TRY(mur_check_struct(table->context, command, "pGroup", group));
    const uint32_t count = group->maxCount;
    if (count > MUR_MAX_GROUPED) {
        return mur_refuse(table->context, command, "maxCount is %u, more than %u", count,
                          MUR_MAX_GROUPED);
    }
    const uint64_t scratch = plan_of(table, group).scratch;
    const MurArgument arguments[] = {
        mur_table_argument(table, "the table", true),
        mur_word_argument(group->countAddress, "countAddress", false),
        {"keys", group->keys, mur_key_size(mur_table_format(table)), count, count != 0, false},
        {"values", group->values, 4, count, count != 0, false},
        {"groups", group->groups, 4, group->groups.size / 4, true, true},
        {"scratch", group->scratch, 16, scratch / 16, scratch != 0, true},
    };
    MUR_TRY(mur_check_arguments(table->context, command, arguments, MUR_LENGTH(arguments)));
    return group->groups.size < 4 ? mur_refuse(table->context, command, "groups has no word 0")
                                  : VK_SUCCESS;
}

VkResult murCmdGroup(VkCommandBuffer cmd, MurTable table, const MurGroup *pGroup) {
    MUR_TRY(mur_check_command(MUR_CONTEXT(table), cmd, __func__));
    MUR_TRY(mur_check_use(table, __func__, MUR_USES_GROUP, "murUseGroup"));
    MUR_TRY(check_group(table, __func__, pGroup));
    const MurPlan plan = plan_of(table, pGroup);
    return mur_record(table->context, cmd, __func__, &plan);
}

VkDeviceSize murGetGroupScratchSize(MurTable table, uint32_t maxCount) {
    const MurGroup group = {.maxCount = maxCount};
    return table && maxCount <= MUR_MAX_GROUPED ? plan_of(table, &group).scratch : 0;
}
